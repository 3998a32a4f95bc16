import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { connect } from "./connect.ts";

describe("an address of Redis that cannot be read", () => {
  it.each([
    "redis://ann:s3cret@ho st:1",
    "rediss3cret",
    "http://ann:s3cret@host",
    "redis://ann:s3cret%@host",
  ])("is refused without a word of it", async (url) => {
    const failure: unknown = await connect(url).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "config_invalid" });
    expect(inspect(failure, { depth: 9 })).not.toContain("s3cret");
  });
});
