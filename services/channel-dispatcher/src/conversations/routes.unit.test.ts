import { describe, expect, it } from "vitest";
import { parseRoutes, type Routes } from "./routes.ts";

function routes(value: unknown): Routes {
  const parsed = parseRoutes(value);
  if (!parsed.ok) throw new Error(parsed.faults.join());
  return parsed.routes;
}

const to = (driver: string, rest: object = {}) => ({ channel: "telegram", target: { driver }, ...rest });
const said = (text: string, from = "1001") => ({ text, from });

describe("what a person says", () => {
  const table = routes([
    to("orders", { match: { text_prefix: "/order" } }),
    to("numbers", { match: { regex: "^\\d+$" } }),
    to("vip", { match: { from: ["7", "8"] } }),
    to("both", { match: { from: "9", text_prefix: "hi" } }),
    to("rest"),
    to("never"),
  ]);

  it.each([
    [said("/order 5"), "orders"],
    [said("  /order 5"), "orders"],
    [said("/Order 5"), "rest"],
    [said("42"), "numbers"],
    [said("42a"), "rest"],
    [said("hi", "8"), "vip"],
    [said("hi", "9"), "both"],
    [said("ho", "9"), "rest"],
    [said(""), "rest"],
  ])("%j is answered by %s, the first that takes it", (what, driver) => {
    expect(table.find("telegram", what)?.driver).toBe(driver);
  });

  it("over a channel without a route is answered by nobody", () => {
    expect(table.find("sms", said("hi"))).toBeUndefined();
    expect(routes([]).find("telegram", said("hi"))).toBeUndefined();
  });

  it("finds the mapping of the route that it came by, wherever that stands now, else the driver's next", () => {
    const by = table.find("telegram", said("/order"))?.id ?? "";
    const moved = routes([to("orders"), to("orders", { match: { text_prefix: "/order" }, reply: "'new'" })]);
    const outcome = { result: "old", run_id: "r" };
    expect(moved.after("telegram", "orders", by)?.replyOf(outcome)).toBe("new");
    expect(
      routes([to("orders")])
        .after("telegram", "orders", by)
        ?.replyOf(outcome),
    ).toBe("old");
    expect(routes([to("rest")]).after("telegram", "orders", by)).toBeUndefined();
  });
});

describe("a reply", () => {
  it.each([
    [undefined, "as it is ", "as it is "],
    [undefined, null, undefined],
    [undefined, " \n", undefined],
    [undefined, 7, "7"],
    [undefined, { a: 1 }, '{"a":1}'],
    ["result.text", { text: "hello" }, "hello"],
    ["result.text", {}, undefined],
    ["join(' ', ['run', run_id])", null, "run c_1"],
    ["result.n > `3` && 'many' || 'few'", { n: 5 }, "many"],
    ["result.constructor", {}, undefined],
  ])("by %j of %j is %j", (reply, result, told) => {
    const table = routes([to("bot", reply === undefined ? {} : { reply })]);
    expect(table.find("telegram", said("x"))?.replyOf({ result, run_id: "c_1" })).toBe(told);
  });
});

describe("a table that is wrong", () => {
  it.each([
    [{}, /array/],
    [[{ channel: "telegram" }], /^0\/target: /],
    [[to("a b")], /^0\/target\/driver: must be 1 to 64/],
    [[to("a"), to("b", { match: {} })], /^1\/match: must say at least one/],
    [[to("a", { match: { from: 7 } })], /^0\/match\/from: /],
    [[to("a", { match: { regex: "(a)\\1" } })], /^0\/match\/regex: the pattern cannot be used: /],
    [[to("a", { match: { regex: "(" } })], /^0\/match\/regex: /],
    [[to("a", { reply: "a[" })], /^0\/reply: is no JMESPath expression: /],
    [[to("a", { reply: "shout(result)" })], /^0\/reply: .*[Uu]nknown function/],
    [[to("a", { replies: "result" })], /^0: .*replies/],
  ])("%j says where and why", (value, fault) => {
    const parsed = parseRoutes(value);
    expect(parsed.ok ? [] : parsed.faults).toEqual([expect.stringMatching(fault)]);
  });
});
