import { describe, expect, it } from "vitest";
import { parseRunListQuery } from "./run-list-query.ts";

const parse = (query: string) => parseRunListQuery(new URLSearchParams(query));

describe("the query of the list of runs", () => {
  it("filters by what is given and by nothing else", () => {
    expect(parse("")).toEqual({ ok: true, value: {} });
    expect(parse("state=failed&driver=bot&interaction_id=question-1&cursor=abc")).toEqual({
      ok: true,
      value: { state: "failed", driver: "bot", interaction_id: "question-1", cursor: "abc" },
    });
  });

  it.each([
    ["state=done", "state"],
    ["driver=a.b", "driver"],
    ["interaction_id=", "interaction_id"],
    [`cursor=${"c".repeat(1_025)}`, "cursor"],
    ["owner=ann", "owner"],
    ["state=failed&state=parked", "state"],
  ])("%s is a fault of %s", (query, path) => {
    expect(parse(query)).toMatchObject({ ok: false, faults: [{ path }] });
  });
});
