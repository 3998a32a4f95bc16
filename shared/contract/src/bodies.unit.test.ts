import type { Json, JsonObject } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { parseNotification } from "./notification.ts";
import type { Parsed } from "./parsed.ts";
import { parseCompleteBody, parseDriverBody, parseFailBody, parseParkBody } from "./run-bodies.ts";
import { parseCancelBody, parseEmptyBody, parseSessionBody } from "./small-bodies.ts";

function paths(parsed: Parsed<unknown>): string[] {
  return parsed.ok ? [] : parsed.faults.map(({ path }) => path);
}

const schema = { type: "object", properties: { a: { type: "string" } } };

describe("a notification", () => {
  const message = "Deployed";

  it.each<Json>([
    { message },
    { message, audience: "group:ops" },
    { message, media: [{ kind: "link", url: "https://x.example/" }] },
    { message, channel: "slack", recipient: "#ops", options: ["a", { value: "b", label: "B" }] },
    {
      message,
      channel: "slack",
      schema,
      data: { values: { a: "x" } },
      pages: [{ title: "1", properties: ["a"] }],
    },
  ])("may be %j", (body) => {
    expect(parseNotification(body)).toEqual({ ok: true, value: body });
  });

  it.each<[Json, string[]]>([
    [[], [""]],
    [{}, ["/message"]],
    [{ message: " " }, ["/message"]],
    [{ message, recipient: "x" }, ["/recipient"]],
    [{ message, schema }, ["/schema"]],
    [{ message, options: ["a"] }, ["/options"]],
    [{ message, channel: "sms", options: ["a", "A"] }, ["/options/1"]],
    [{ message, channel: "sms", data: {} }, ["/data"]],
    [{ message, channel: "sms", schema, options: ["a"] }, ["/options"]],
    [
      { message, channel: "sms", schema, pages: [{ title: "1", properties: ["b"] }] },
      ["/pages/0/properties/0", "/pages"],
    ],
    [{ message, media: [] }, ["/media"]],
    [{ message, question: "x" }, ["/question"]],
  ])("may not be %j", (body, expected) => {
    expect(paths(parseNotification(body))).toEqual(expected);
  });
});

describe("a cancel and a reservation", () => {
  it("may come without a body", () => {
    expect(parseCancelBody(undefined)).toEqual({ ok: true, value: {} });
    expect(parseCancelBody({ reason: "over" })).toEqual({ ok: true, value: { reason: "over" } });
    expect(parseEmptyBody(undefined).ok).toBe(true);
    expect(parseEmptyBody({}).ok).toBe(true);
  });

  it("refuse what they do not know", () => {
    expect(paths(parseCancelBody({ reasons: "x" }))).toEqual(["/reasons"]);
    expect(paths(parseCancelBody({ reason: 3 }))).toEqual(["/reason"]);
    expect(paths(parseEmptyBody({ id: "x" }))).toEqual(["/id"]);
    expect(paths(parseEmptyBody([]))).toEqual([""]);
  });
});

describe("a sign-in", () => {
  it("is by a link or a key, exactly one", () => {
    const link: JsonObject = { link: "l" };
    expect(parseSessionBody(link)).toEqual({ ok: true, value: { kind: "link", secret: "l" } });
    expect(parseSessionBody({ key: "k" })).toEqual({ ok: true, value: { kind: "key", secret: "k" } });
    expect(paths(parseSessionBody({}))).toEqual([""]);
    expect(paths(parseSessionBody({ ...link, key: "k" }))).toEqual([""]);
    expect(paths(parseSessionBody({ key: "" }))).toEqual(["/key"]);
    expect(paths(parseSessionBody({ key: 3 }))).toEqual(["/key"]);
  });
});

describe("a driver", () => {
  const driver = { name: "flows", checkpointer: { kind: "postgres" } };

  it.each<Json>([
    driver,
    { ...driver, checkpointer: { kind: "redis", retention_seconds: 3600 } },
    { ...driver, deliver: { url: "https://x.example/resume", secret_ref: "s" } },
  ])("may be %j", (body) => {
    expect(parseDriverBody(body)).toEqual({ ok: true, value: body });
  });

  it.each<[Json, string[]]>([
    [{ ...driver, name: "a b" }, ["/name"]],
    [{ ...driver, name: "a".repeat(65) }, ["/name"]],
    [{ name: "flows" }, ["/checkpointer"]],
    [
      { ...driver, checkpointer: { kind: "redis", retention_seconds: 0 } },
      ["/checkpointer/retention_seconds"],
    ],
    [{ ...driver, deliver: { url: "ftp://x", secret_ref: "s" } }, ["/deliver/url"]],
    [{ ...driver, deliver: { url: "https://x.example/" } }, ["/deliver/secret_ref"]],
  ])("may not be %j", (body, expected) => {
    expect(paths(parseDriverBody(body))).toEqual(expected);
  });

  it("81: with a checkpointer in memory or sqlite is refused with the reason", () => {
    const parsed = parseDriverBody({ ...driver, checkpointer: { kind: "sqlite" } });
    expect(parsed.ok ? "" : parsed.faults[0]?.message).toContain("gone with its process");
  });
});

describe("a park and the ends of a claim", () => {
  it("park one to ten thousand questions", () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`);
    expect(parseParkBody({ interaction_ids: ids(10_000), park_id: "p" }).ok).toBe(true);
    expect(paths(parseParkBody({ interaction_ids: ids(10_001) }))).toEqual(["/interaction_ids"]);
    expect(paths(parseParkBody({ interaction_ids: [] }))).toEqual(["/interaction_ids"]);
    expect(paths(parseParkBody({ interaction_ids: ["a", "b c"] }))).toEqual(["/interaction_ids/1"]);
    expect(paths(parseParkBody({}))).toEqual(["/interaction_ids"]);
    expect(paths(parseParkBody(null))).toEqual([""]);
  });

  it("complete with a result, parked, or nothing", () => {
    for (const body of [undefined, {}, { result: null }, { parked: true }])
      expect(parseCompleteBody(body).ok).toBe(true);
    expect(paths(parseCompleteBody({ result: 1, parked: true }))).toEqual(["/result"]);
    expect(paths(parseCompleteBody({ parked: 1 }))).toEqual(["/parked"]);
  });

  it("fail with a reason, and whether to try again", () => {
    expect(parseFailBody({ reason: "x", retry: false }).ok).toBe(true);
    expect(paths(parseFailBody({}))).toEqual(["/reason", "/retry"]);
  });
});
