import type { OutgoingQuestion } from "@interlude/channel-kit";
import { channelContract } from "@interlude/channel-kit/testing";
import type { JsonObject } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { flowOf } from "./flow.ts";
import { createWhatsAppChannel, readWhatsAppConfig } from "./index.ts";

const make = () => {
  const setup = readWhatsAppConfig({
    WHATSAPP_ACCESS_TOKEN: "EAAtoken",
    WHATSAPP_APP_SECRET: "app-secret",
    WHATSAPP_PHONE_NUMBER_ID: "9",
    WHATSAPP_VERIFY_TOKEN: "verify-me",
    WHATSAPP_WABA_ID: "77",
  });
  if (setup.state !== "set") return expect.fail(setup.state);
  return createWhatsAppChannel(setup.config);
};
const channel = make();

function readable(value: unknown): string {
  if (Array.isArray(value)) return value.map(readable).join("\n");
  if (typeof value !== "object" || value === null) return "";
  const entries = Object.entries(value).sort(
    ([one], [other]) => Number(other === "body") - Number(one === "body"),
  );
  return entries
    .map(([key, inner]) =>
      ["body", "title", "text", "caption"].includes(key) && typeof inner === "string"
        ? inner
        : readable(inner),
    )
    .join("\n");
}

channelContract("whatsapp with Flows", {
  make,
  recipient: "+15550002222",
  readable: (_, body) => readable(body),
});

const question = (properties: JsonObject, rest: object = {}): OutgoingQuestion => ({
  format: "form",
  question: "Your order?",
  reference: "ref",
  recipient: "+15550002222",
  pageUrl: "https://ask.example/x",
  deadlineMs: 0,
  schema: { type: "object", properties, required: Object.keys(properties) },
  ...rest,
});
const short = { type: "string", maxLength: 40 };
const many = (count: number, schema: JsonObject) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, schema]));

const span = (from: number, to: number) => ({
  title: `From ${from}`,
  properties: Array.from({ length: to - from }, (_, index) => `p${from + index}`),
});
const paged = (count: number) => Array.from({ length: count }, (_, index) => span(index, index + 1));

describe("a form on WhatsApp", () => {
  const all = question(
    {
      name: { ...short, title: "Your name as it is on the contract", description: "In full" },
      remarks: { type: "string", maxLength: 600 },
      region: { type: "string", enum: ["eu", "us"] },
      count: { type: "integer" },
      day: { type: "string", format: "date" },
      agree: { type: "boolean", title: "I agree to the terms of the contract" },
    },
    {
      pages: [
        { title: "You", properties: ["agree", "name"] },
        { title: "The order", properties: ["region", "count", "day", "remarks"] },
      ],
    },
  );

  it("is a Flow, made before the message that opens it", async () => {
    const rendering = channel.render(all);
    const [made] = rendering.requests;
    const json = made?.body["flow_json"];
    const screens: unknown = JSON.parse(typeof json === "string" ? json : "");
    const shown = { rendering, flow_json: screens };
    await expect(`${JSON.stringify(shown, undefined, 2)}\n`).toMatchFileSnapshot("../golden/flow.json");
    expect(rendering.shape).toBe("modal");
  });

  const trip: OutgoingQuestion = {
    ...all,
    format: "form",
    schema: all.format === "form" ? all.schema : {},
    data: {
      values: { agree: true, name: "Ada", count: 3, region: "us", day: "2027-01-02" },
      options: {
        region: [{ value: "eu", label: "Europe" }, { value: "us" }, { value: "ap", label: "Asia" }],
      },
    },
  };

  it("hands its screens what this ask alone fills in and offers, through all that come before", async () => {
    const [made, opened] = channel.render(trip).requests;
    const json = made?.body["flow_json"];
    const screens: unknown = JSON.parse(typeof json === "string" ? json : "");
    const shown = { flow_json: screens, message: opened?.body };
    await expect(`${JSON.stringify(shown, undefined, 2)}\n`).toMatchFileSnapshot(
      "../golden/flow-filled.json",
    );
  });

  it("is the same Flow whatever an ask fills in, and keeps none of it", () => {
    const [made] = channel.render(trip).requests;
    const other = { values: { agree: false, name: "Bo", count: 1, region: "eu", day: "2028-02-03" } };
    const options = { region: [{ value: "eu", label: "Elsewhere" }] };
    const [again] = channel.render({ ...trip, data: { ...other, options } }).requests;
    expect(again?.body).toEqual(made?.body);
    expect(JSON.stringify(made?.body)).not.toMatch(/Ada|Asia|2027/);
  });

  it("is another Flow with other pages, or other titles of them", () => {
    const names = [
      ["You", "More"],
      ["You", "The rest"],
    ].map(([one = "", two = ""]) => {
      const pages = [
        { title: one, properties: ["agree", "name"] },
        { title: two, properties: ["region", "count", "day", "remarks"] },
      ];
      return channel.render({ ...all, pages } as OutgoingQuestion).requests[0]?.body["name"];
    });
    const [whole] = channel.render({ ...all, pages: undefined } as never).requests;
    expect(new Set([...names, whole?.body["name"]]).size).toBe(3);
  });

  it("is the same Flow for the same form, and another for another", () => {
    const nameOf = (asked: OutgoingQuestion) => channel.render(asked).requests[0]?.body["name"];
    expect(nameOf({ ...all, question: "Another?", reference: "ref2" })).toBe(nameOf(all));
    expect(nameOf(question({ name: short }))).not.toBe(nameOf(all));
  });

  it.each<[string, OutgoingQuestion, string]>([
    ["49 fields and the button", question(many(49, short)), "modal"],
    ["more components than a screen has", question(many(50, short)), "page"],
    ["five boxes", question(many(5, { type: "boolean" })), "modal"],
    ["six boxes", question(many(6, { type: "boolean" })), "page"],
    ["a text without a bound", question({ p: { type: "string" } }), "modal"],
    ["a text of at least 601 characters", question({ p: { type: "string", minLength: 601 } }), "page"],
    ["a text of up to 601 characters", question({ p: { type: "string", maxLength: 601 } }), "page"],
    ["a choice of 31 characters", question({ p: { type: "string", enum: ["x".repeat(31)] } }), "page"],
    [
      "201 choices",
      question({ p: { type: "string", enum: Array.from({ length: 201 }, (_, i) => `${i}`) } }),
      "page",
    ],
    ["a choice of nothing", question({ p: { type: "string", enum: ["", "a"] } }), "page"],
    ["data of this ask", question({ p: short }, { data: { values: { p: "x" } } }), "modal"],
    ["a default", question({ p: { ...short, default: "x" } }), "modal"],
    ["a default that no input holds", question({ p: { ...short, default: "x".repeat(81) } }), "page"],
    ["a default of another kind", question({ p: { ...short, default: 1 } }), "page"],
    [
      "data that would be looked up",
      question({ p: short }, { data: { values: { p: "${data.x}" } } }),
      "page",
    ],
    ["as many pages as letters", question(many(26, short), { pages: paged(26) }), "modal"],
    ["more pages than letters", question(many(27, short), { pages: paged(27) }), "page"],
    [
      "more fields than one screen has, on two",
      question(many(60, short), { pages: [span(0, 30), span(30, 60)] }),
      "modal",
    ],
    ["a page with too many", question(many(60, short), { pages: [span(0, 50), span(50, 60)] }), "page"],
    [
      "six boxes on two pages",
      question(many(6, { type: "boolean" }), { pages: [span(0, 3), span(3, 6)] }),
      "modal",
    ],
    ["what would be looked up", question({ p: { ...short, title: "${data.x}" } }), "page"],
    ["a name that shows nothing", question({ "\u200b": short }), "page"],
  ])("with %s is as it can be", (_, asked, shape) => {
    expect(channel.render(asked).shape).toBe(shape);
  });

  it("of a notification is a Flow too", () => {
    const form = {
      schema: { type: "object", properties: { name: short } },
      pageUrl: "https://ask.example/f",
    };
    const requests = channel.renderNotification({
      reference: "n",
      recipient: "+15550002222",
      message: "Hi",
      form,
    });
    expect(requests.map(({ method }) => method)).toEqual(["flows", "messages"]);
  });

  it("never needs a box to be ticked", () => {
    const flow = flowOf(
      { schema: { type: "object", properties: { p: { type: "boolean" } }, required: ["p"] } },
      "en",
    );
    expect(flow?.json).toContain('"type":"OptIn","name":"field_0","required":false');
  });
});
