import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { converse, faultsOf, messagesOf } from "../support/converse.ts";
import type { Deployment } from "../support/deployment.ts";
import { openStoreWitness, type StoreWitness } from "../support/store-witness.ts";
import { REFUSED_ASKS } from "./refused-asks.ts";

/** What is accepted, with the part of the receipt or item that shows it was taken as meant. */
const ACCEPTED: [string, Record<string, unknown>, Record<string, unknown>][] = [
  ["a question of 8192 code points", { question: "😀".repeat(8192) }, {}],
  ["a text with suggested replies", { options: ["Yes", { value: "n", label: "No" }] }, {}],
  [
    "an option with quotes, braces and backslashes (A-JSON-2)",
    { answer_format: "select", options: ["C:\\new", 'say "hi"', "{a,b}"] },
    {},
  ],
  [
    "a select of 200 options",
    { answer_format: "select", options: Array.from({ length: 200 }, (_, at) => `o${at}`) },
    {},
  ],
  [
    "an unknown keyword and format in a schema (A-SCH-1)",
    {
      answer_format: "form",
      schema: { type: "object", properties: { n: { type: "integer", format: "uint", "x-order": 3 } } },
    },
    {},
  ],
  [
    "a schema with an unknown keyword (A-SCH-2)",
    { answer_format: "form", schema: { type: "object", properties: { age: { type: "integer", min: 1 } } } },
    {},
  ],
  // It may be over before it is read.
  ["the shortest wait", { timeout_seconds: 0.1 }, { status: expect.stringMatching(/^(pending|expired)$/) }],
  ["a wait of 30 days", { timeout_seconds: 2_592_000 }, {}],
  ["an id of 8 characters", { id: `i-${"a".repeat(6)}` }, {}],
  ["an id of 64 characters", { id: "Z".repeat(64) }, {}],
  [
    "50 links",
    { media: Array.from({ length: 50 }, () => ({ kind: "link", url: "https://a.example/x" })) },
    {},
  ],
  [
    "a caption of 1000 code points",
    { media: [{ kind: "link", url: "http://a.example/", caption: "c".repeat(1000) }] },
    {},
  ],
  [
    "an IPv6 and a punycode host",
    {
      media: [
        { kind: "image", url: "https://[::1]/a" },
        { kind: "image", url: "https://xn--bcher-kva.example/" },
      ],
    },
    {},
  ],
  [
    "a file name on a document",
    { media: [{ kind: "document", url: "https://a.example/x", filename: "語言 “報告”.pdf" }] },
    {},
  ],
  [
    "16 metadata keys",
    { metadata: Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`k${at}`, "v"])) },
    {},
  ],
  [
    "names that every object inherits, as data (A-PROTO)",
    { metadata: { constructor: "c", toString: "t", then: "x" } },
    {},
  ],
  ["an audience by group", { audience: "group:finance" }, {}],
];

/** Every rule of asking that the body alone can break, and what an accepted question gives back. */
export function askingSuite(at: () => Deployment): void {
  const { ask, asked, item, call } = converse(at);
  let witness: StoreWitness;
  beforeAll(async () => {
    witness = await openStoreWitness(at().natsUrl);
  });
  afterAll(() => witness.close());

  describe("an ask is refused, names the place, and leaves nothing behind", () => {
    it.each(REFUSED_ASKS)("%s", async (_name, body, path, word) => {
      const before = await witness.everything();
      const reply = await ask({ question: "Shall we?", ...body });
      expect(faultsOf(reply)).toMatchObject({ status: 400, code: "validation_failed" });
      expect(faultsOf(reply).paths).toContain(path);
      if (word !== undefined) expect(messagesOf(reply)).toContain(word);
      expect(reply.headers.get("content-type")).toBe("application/problem+json");
      expect(await witness.everything()).toBe(before);
    });

    it("with every fault of its body at once", async () => {
      const reply = await ask({ question: "", answer_format: "select", timeout_seconds: 0, nope: 1 });
      expect(faultsOf(reply).paths.toSorted()).toEqual([
        "/nope",
        "/options",
        "/question",
        "/timeout_seconds",
      ]);
    });

    it.each([
      ["a list", []],
      ["null", null],
      ["a string", "x"],
      ["a number", 1],
    ])("as %s", async (_name, json) => {
      const reply = await call("/api/interactions", { key: at().keys.asker, json });
      expect(faultsOf(reply)).toEqual({ status: 400, code: "validation_failed", paths: [""] });
    });
  });

  describe("an ask is accepted", () => {
    it.each(ACCEPTED)("with %s", async (_name, body, expected) => {
      const id = await asked(body);
      const shown = await item(id);
      expect(shown.json).toMatchObject({
        status: "pending",
        question: "Shall we?",
        ...pick(body),
        ...expected,
      });
    });

    it("with a receipt that says all the contract promises", async () => {
      const reply = await ask({ question: "Go?", timeout_seconds: 60, group_id: "g 1" });
      expect(reply.status).toBe(201);
      expect(reply.headers.get("content-type")).toBe("application/json");
      expect(reply.headers.get("x-request-id")).not.toBeNull();
      expect(Object.keys(reply.json).toSorted()).toEqual([
        "answer_format",
        "created_at",
        "group_id",
        "interaction_id",
        "mode",
        "sequence",
        "status",
        "timeout_at",
      ]);
      expect(reply.json).toMatchObject({
        group_id: "g 1",
        status: "pending",
        mode: "sync",
        answer_format: "text",
      });
      const [created, timeout] = ["created_at", "timeout_at"].map((name) =>
        Date.parse(String(reply.json[name])),
      );
      expect((timeout ?? 0) - (created ?? 0)).toBe(60_000);
      expect(String(reply.json["created_at"])).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Math.abs(Date.now() - (created ?? 0))).toBeLessThan(2_000);
    });

    it("with its text stored as sent, never trimmed or normalised", async () => {
      const question = "  Zu\u0308rich \r\n<b>&amp;</b> \u202e ";
      expect((await item(await asked({ question }))).json["question"]).toBe(question);
    });

    it("with a group of its own when it names none", async () => {
      const [one, other] = await Promise.all([ask({ question: "1?" }), ask({ question: "2?" })]);
      expect(one.json["group_id"]).not.toBe(other.json["group_id"]);
    });

    it("with media that is stored, as the kind that its bytes are", async () => {
      const upload = async (text: string) => {
        const sent = { key: at().keys.asker, body: new TextEncoder().encode(text) };
        return String((await call("/api/interactions/media", sent)).json["url"]);
      };
      const gif = await upload("GIF89a\u0001\0\u0001\0\0\0\0;");
      const pdf = await upload("%PDF-1.7\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\n%%EOF\n");
      const media = (...items: [string, string][]) => ({
        question: "Seen?",
        media: items.map(([kind, url]) => ({ kind, url })),
      });
      const right = await ask(media(["image", gif], ["document", pdf], ["document", gif]));
      expect(right.status).toBe(201);
      const wrong = await ask(media(["image", pdf], ["image", gif], ["video", gif], ["audio", pdf]));
      expect(faultsOf(wrong)).toEqual({
        status: 400,
        code: "validation_failed",
        paths: ["/media/0/kind", "/media/2/kind", "/media/3/kind"],
      });
      expect(messagesOf(wrong)).toContain("application/pdf");
    });

    it("under the default deadline of an hour", async () => {
      const { json } = await ask({ question: "Default?" });
      expect(Date.parse(String(json["timeout_at"])) - Date.parse(String(json["created_at"]))).toBe(3_600_000);
    });
  });
}

/** What of a body must come back in the item as it was sent. */
function pick(body: Record<string, unknown>): Record<string, unknown> {
  const { options, schema, ...rest } = body;
  const { question, audience, metadata, media, answer_format } = rest;
  const payload = {
    ...(options === undefined ? {} : { options }),
    ...(schema === undefined ? {} : { schema }),
  };
  const shown = { question, audience, metadata, media, answer_format };
  return {
    ...Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined)),
    ...(Object.keys(payload).length === 0 ? {} : { format_payload: payload }),
  };
}
