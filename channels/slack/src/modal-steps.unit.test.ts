import { type InboundSubmission, type OutgoingQuestion, type ShownStep } from "@interlude/channel-kit";
import type { JsonObject } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { readMetadata, writeMetadata } from "./form-metadata.ts";
import { createSlackChannel, readSlackConfig } from "./index.ts";

const setup = readSlackConfig({ SLACK_BOT_TOKEN: "xoxb-1", SLACK_SIGNING_SECRET: "secret" });
const channel = setup.state === "set" ? createSlackChannel(setup.config) : expect.fail(setup.state);
const [ONE, TWO] = ["1".repeat(43), "2".repeat(43)] as const;

const pageOf = (from: number, to: number) => ({
  title: `From ${from}`,
  properties: Array.from({ length: to - from }, (_, index) => `p${from + index}`),
});
const many = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { type: "string" }]));
const form = (properties: JsonObject, rest: object): OutgoingQuestion => ({
  ...{
    format: "form",
    question: "Where to?",
    reference: "ref",
    recipient: "C01",
    pageUrl: "https://a.example/x",
  },
  ...{ deadlineMs: 0, schema: { type: "object", properties, required: ["city"] } },
  ...rest,
});
const trip = form(
  {
    city: { type: "string" },
    nights: { type: "number", default: 2 },
    day: { type: "string", format: "date" },
    class: { type: "string", enum: ["eco", "biz"] },
    insured: { type: "boolean", default: true },
  },
  {
    pages: [
      { title: "The trip", properties: ["city", "nights", "day"] },
      { title: "The rest", properties: ["class", "insured"] },
    ],
  },
);

const payload = (view: object, rest: object = { type: "view_submission" }) => {
  const body = new URLSearchParams({
    payload: JSON.stringify({
      user: { id: "U01" },
      view: { id: "V1", hash: "h1", callback_id: "interlude_form", state: { values: {} }, ...view },
      ...rest,
    }),
  }).toString();
  return channel.parse({ method: "POST", url: "/", headers: { get: () => null }, rawBody: Buffer.from(body) })
    .inbound[0];
};
const pressed = { type: "block_actions", actions: [{ action_id: "back", value: "back" }] };

function submission(view: object, rest?: object): InboundSubmission {
  const inbound = payload(view, rest);
  return inbound?.kind === "submission" ? inbound : expect.fail(inbound?.kind);
}
const atTwo = () => submission({ private_metadata: `ref C01 1/2/3 ${ONE},${TWO}` });

const viewOf = (shown: ShownStep): JsonObject => {
  const reply = channel.renderStep?.(trip, shown, atTwo());
  const { view } = JSON.parse(reply?.body ?? "") as { view: JsonObject };
  return view;
};
const elements = (view: JsonObject) =>
  (view["blocks"] as JsonObject[]).flatMap(({ block_id: id, element }) =>
    typeof id === "string" && id.startsWith("field_") ? [[id, element as JsonObject] as const] : [],
  );

describe("a form of pages in Slack", () => {
  it("is shown a step in the place of another, with a way back", async () => {
    const reply = channel.renderStep?.(trip, { page: 1, kept: [ONE, TWO] }, atTwo());
    expect(reply).toMatchObject({ status: 200, contentType: "application/json" });
    const body: unknown = JSON.parse(reply?.body ?? "");
    await expect(`${JSON.stringify(body, undefined, 2)}\n`).toMatchFileSnapshot("../golden/modal-step.json");
  });

  it("has in a step what the person left there, empty where they left nothing", () => {
    const view = viewOf({
      ...{ page: 0, kept: [ONE, TWO], notice: "nights must be at least 3" },
      fields: [
        { place: 1, text: "2.5" },
        { place: 2, text: "2027-01-02" },
      ],
    });
    expect(elements(view)).toMatchObject([
      ["field_0", { type: "plain_text_input" }],
      ["field_1", { initial_value: "2.5" }],
      ["field_2", { initial_date: "2027-01-02" }],
    ]);
    expect(elements(view)[0]?.[1]).not.toHaveProperty("initial_value");
    expect(JSON.stringify(view)).toContain("nights must be at least 3");
    const rest = viewOf({
      page: 1,
      kept: [ONE, TWO],
      fields: [
        { place: 3, choice: 1 },
        { place: 4, text: "false" },
      ],
    });
    expect(elements(rest)).toMatchObject([
      ["field_3", { initial_option: { value: "1" } }],
      ["field_4", {}],
    ]);
    expect(elements(rest)[1]?.[1]).not.toHaveProperty("initial_options");
  });

  it("comes back with which step it was and where the others are kept", () => {
    expect(atTwo()).toMatchObject({
      ...{ reference: "ref", address: "C01", from: "U01", view: "V1" },
      step: { page: 1, of: 2, first: 3, kept: [ONE, TWO] },
    });
    expect(atTwo().step).not.toHaveProperty("back");
    const view = { private_metadata: `ref C01 1/2/3 ${ONE},` };
    expect(submission(view, pressed).step).toEqual({
      ...{ page: 1, of: 2, first: 3, kept: [ONE, ""] },
      back: { view_id: "V1", hash: "h1" },
    });
  });

  it.each([
    ["without its steps", "ref C01"],
    ["of fewer steps than it says", `ref C01 1/2/3 ${ONE}`],
    ["of a step that it has not", `ref C01 2/2/3 ,`],
    ["with what is no update", `ref C01 1/2/3 x,`],
  ])("is not gone back from %s", (_, metadata) => {
    expect(payload({ private_metadata: metadata }, pressed)).toMatchObject({ kind: "ignored" });
  });

  it("is gone back from by the modal as it stands, so that a late press undoes nothing", () => {
    const from = submission({ private_metadata: `ref C01 1/2/3 ${ONE},` }, pressed);
    const [request, ...more] = channel.renderBack?.(trip, { page: 0, kept: [ONE, TWO] }, from) ?? [];
    expect(more).toEqual([]);
    expect(request).toMatchObject({
      method: "views.update",
      body: { view_id: "V1", hash: "h1", view: { private_metadata: `ref C01 0/2/0 ${ONE},${TWO}` } },
    });
    expect(channel.renderBack?.(trip, { page: 0, kept: [] }, atTwo())).toEqual([]);
  });

  it("has what is about no field under the first one of the step", () => {
    const reply = channel.refuseSubmission?.(trip, [{ path: "", message: "expired" }], atTwo().step);
    expect(JSON.parse(reply?.body ?? "")).toMatchObject({ errors: { field_3: "expired" } });
    const nobody = { reference: "", recipient: "", message: "" };
    const unknown = channel.refuseSubmission?.(nobody, [{ path: "", message: "late" }], atTwo().step);
    expect(JSON.parse(unknown?.body ?? "")).toMatchObject({ errors: { field_3: "late" } });
  });

  it.each<[string, OutgoingQuestion, string]>([
    [
      "200 fields on three pages",
      form(many(200), { pages: [pageOf(0, 60), pageOf(60, 130), pageOf(130, 200)] }),
      "modal",
    ],
    ["95 fields on one of two", form(many(96), { pages: [pageOf(0, 1), pageOf(1, 96)] }), "modal"],
    ["96 fields on one of two", form(many(97), { pages: [pageOf(0, 1), pageOf(1, 97)] }), "page"],
    ["one page of 98 fields and its title", form(many(98), { pages: [pageOf(0, 98)] }), "modal"],
  ])("with %s is as it can be", (_, question, shape) => {
    expect(channel.render(question).shape).toBe(shape);
  });

  it("of as many pages as a form may have keeps all of its steps in a modal", () => {
    const kept = Array.from({ length: 50 }, () => ONE);
    const about = {
      ...{ reference: "n-0198c1d2-0000-7000-8000-000000000000", address: "#".padEnd(81, "x") },
      step: { page: 49, of: 50, first: 999, kept },
    };
    const written = writeMetadata(about);
    expect(written.length).toBeLessThanOrEqual(3_000);
    expect(readMetadata(written)).toEqual(about);
  });
});
