import type { AskedData } from "@interlude/contract";
import { afterAll, beforeAll, expect, it } from "vitest";
import { askOverChannel, type ChannelQuestion } from "../support/channel-question.ts";
import { send } from "../support/send.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };

let interlude: Interlude;

beforeAll(async () => {
  interlude = await startInterlude({ settings: { callback_rate_per_minute: 1_000 } });
});

afterAll(() => interlude.stop());

type Payload = AskedData["format_payload"];

function askForm(properties: Payload["schema"], rest: Omit<Payload, "schema"> = {}, required: string[] = []) {
  const schema = { type: "object", properties: properties ?? {}, required };
  return askOverChannel(interlude, { answer_format: "form", format_payload: { schema, ...rest } });
}

function submit({ callbackUrl }: ChannelQuestion, fields: Record<string, string> | string) {
  const body = typeof fields === "string" ? fields : new URLSearchParams(fields).toString();
  return send(callbackUrl, { body, headers: FORM });
}

async function resultOf({ id }: ChannelQuestion): Promise<unknown> {
  const { url, keys } = interlude;
  const { json } = await send(`${url}/api/interactions/${id}/result`, { key: keys.asker });
  return json["status"] === "answered" ? json["answer"] : json["status"];
}

it("case 59: shows the stored form with its question, and what is posted from it is the answer", async () => {
  const asked = await askForm({ name: { type: "string", title: "<script>" } }, {}, ["name"]);
  const page = await send(asked.callbackUrl);
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(page.headers.get("content-security-policy")).toContain("form-action 'self'");
  expect(page.text).toContain("Over a channel?");
  expect(page.text).toContain("&lt;script&gt;");
  expect(page.text).not.toContain("<script");
  expect((await submit(asked, { name: "Ünal" })).status).toBe(200);
  expect(await resultOf(asked)).toEqual({ name: "Ünal" });
});

it("A-FORM-1: a required box left unticked is false, though nothing at all is sent for it", async () => {
  const asked = await askForm({ insured: { type: "boolean" } }, {}, ["insured"]);
  expect((await submit(asked, "")).status).toBe(200);
  expect(await resultOf(asked)).toEqual({ insured: false });
});

it("A-FORM-8: a box that must be ticked is refused unticked, named, and taken ticked", async () => {
  const asked = await askForm({ agree: { type: "boolean", const: true } }, {}, ["agree"]);
  const refused = await submit(asked, "");
  expect([refused.status, refused.headers.get("content-type")]).toEqual([400, "text/html; charset=utf-8"]);
  expect(refused.text).toContain("agree");
  expect(await resultOf(asked)).toBe("pending");
  expect((await submit(asked, { agree: "true" })).status).toBe(200);
  expect(await resultOf(asked)).toEqual({ agree: true });
});

it("A-FORM-4: an empty optional field is absent, neither '' nor 0", async () => {
  const asked = await askForm({ state: { type: "string", enum: ["TX", "OH"] }, age: { type: "integer" } });
  expect((await submit(asked, "state=&age=")).status).toBe(200);
  expect(await resultOf(asked)).toEqual({});
});

it("A-FORM-6: names with brackets, dots, blanks and quotes stay flat names", async () => {
  const names = ["a[b]", "a.b", "user name", "naïve", "日本", 'x"y', "a&b=c"];
  const asked = await askForm(Object.fromEntries(names.map((name) => [name, { type: "string" }])));
  const answer = Object.fromEntries(names.map((name, index) => [name, `v${index}`]));
  expect((await submit(asked, answer)).status).toBe(200);
  expect(await resultOf(asked)).toEqual(answer);
});

it("A-FORM-9: pages are one request, and what is missing on any of them is named", async () => {
  const pages = [
    { title: "First", properties: ["a"] },
    { title: "Second", properties: ["b"] },
  ];
  const asked = await askForm({ a: { type: "string" }, b: { type: "string" } }, { pages }, ["a", "b"]);
  const page = await send(asked.callbackUrl);
  expect(page.text).toContain("First");
  expect(page.text).toContain("Second");
  const refused = await submit(asked, { a: "kept", b: "" });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain("kept");
  expect((await submit(asked, { a: "1", b: "2" })).status).toBe(200);
  expect(await resultOf(asked)).toEqual({ a: "1", b: "2" });
});

it("A-NUM-1: a decimal comma is refused with the page again, never read as another number", async () => {
  const asked = await askForm({ price: { type: "number" } });
  const refused = await submit(asked, { price: "2,5" });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain("2,5");
  expect(await resultOf(asked)).toBe("pending");
  expect((await submit(asked, { price: "2.5" })).status).toBe(200);
  expect(await resultOf(asked)).toEqual({ price: 2.5 });
});

it("A-PROTO-2: a property named constructor is a property", async () => {
  const asked = await askForm({ constructor: { type: "string" } });
  expect((await submit(asked, { constructor: "Acme" })).status).toBe(200);
  expect(await resultOf(asked)).toEqual({ constructor: "Acme" });
});

it("A-ESC-2: what was typed and refused comes back as text, never as markup", async () => {
  const typed = `" autofocus onfocus=alert(1) x='</option><script>{{7*7}}\``;
  const asked = await askForm({ n: { type: "integer" }, note: { type: "string" } });
  const refused = await submit(asked, { n: typed, note: typed });
  expect(refused.status).toBe(400);
  expect(refused.text).not.toContain("<script");
  expect(refused.text).not.toContain('" autofocus');
});

it("a field that the form does not have, or that came twice, is refused", async () => {
  const asked = await askForm({ a: { type: "string" } });
  expect((await submit(asked, "a=1&b=2")).status).toBe(400);
  expect((await submit(asked, "a=1&a=2")).status).toBe(400);
  expect(await resultOf(asked)).toBe("pending");
});

it("case 54: the JSON way in is not coerced, and a fault names the field", async () => {
  const asked = await askForm({ n: { type: "integer" } });
  const refused = await send(asked.callbackUrl, { json: { answer: { n: "3" } } });
  expect([refused.status, refused.json["errors"]]).toMatchObject([400, [{ path: "/answer/n" }]]);
  expect((await send(asked.callbackUrl, { method: "POST" })).status).toBe(400);
  expect((await send(asked.callbackUrl, { json: { answer: { n: 3 } } })).status).toBe(200);
});
