import { describe, expect, it } from "vitest";
import { parseListQuery } from "./list-query.ts";

const parse = (text: string) => parseListQuery(new URLSearchParams(text));

describe("a list's query", () => {
  it("has defaults", () => {
    expect(parse("")).toEqual({
      ok: true,
      value: { page: 1, page_size: 50, status: "pending", sort: "created_at" },
    });
  });

  it.each([
    ["page=2&page_size=200", { page: 2, page_size: 200 }],
    ["page=1000000&pageSize=1", { page: 1_000_000, page_size: 1 }],
    ["pageSize=500", { page_size: 200 }],
    [`page_size=${"9".repeat(40)}`, { page_size: 200 }],
    ["cursor=abc", { cursor: "abc" }],
    ["status=all&answer_format=form&channel=sms", { status: "all", answer_format: "form", channel: "sms" }],
    [
      "group_id=g&audience=group:ops&asker=a&q=x",
      { group_id: "g", audience: "group:ops", asker: "a", q: "x" },
    ],
    ["sort=-created_at&at_least=0", { sort: "-created_at", at_least: 0 }],
    ["at_least=9007199254740991", { at_least: 9_007_199_254_740_991 }],
  ])("%s is taken", (text, value) => {
    expect(parse(text)).toMatchObject({ ok: true, value });
  });

  it("has no page beside a cursor, and no search where none was typed", () => {
    expect(parse("cursor=abc&q=")).toEqual({
      ok: true,
      value: { cursor: "abc", page_size: 50, status: "pending", sort: "created_at" },
    });
  });

  it.each([
    ["page=0", "page"],
    ["page=-1", "page"],
    ["page=1e9", "page"],
    ["page=1000001", "page"],
    ["page=NaN", "page"],
    ["page=x", "page"],
    ["page=", "page"],
    ["page=1.5", "page"],
    ["page=1&page=2", "page"],
    ["pageSize=0", "page_size"],
    ["page_size=-5", "page_size"],
    ["page_size=abc", "page_size"],
    ["page_size=1&pageSize=1", "page_size"],
    ["limit=0", "limit"],
    ["limit=100000", "limit"],
    ["page=1&cursor=a", "cursor"],
    ["status=open", "status"],
    ["answer_format=number", "answer_format"],
    ["sort=id", "sort"],
    ["at_least=-1", "at_least"],
    ["at_least=01", "at_least"],
    ["at_least=99999999999999999", "at_least"],
    ["toString=1", "toString"],
    ["__proto__=1", "__proto__"],
    ["a/b=1", "a/b"],
  ])("A-PAGE-2: %s is refused, naming %s", (text, path) => {
    expect(parse(text)).toMatchObject({ ok: false, faults: [{ path }] });
  });

  it("names every fault", () => {
    const parsed = parse("page=0&status=x&y=1");
    expect(parsed.ok ? [] : parsed.faults.map((fault) => fault.path)).toEqual(["page", "status", "y"]);
  });
});
