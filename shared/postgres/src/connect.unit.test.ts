import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { openDatabase } from "./database.ts";

describe("a database address that cannot be read", () => {
  it.each(["postgres://ann:s3cret@ho st/db", "postgres://ann:s3cret%@host/db", "s3cret"])(
    "is refused without a word of it",
    (url) => {
      let failure: unknown;
      try {
        openDatabase({ url, applicationName: "test" });
      } catch (error) {
        failure = error;
      }
      expect(failure).toMatchObject({ code: "configuration_invalid" });
      expect(inspect(failure, { depth: 9 })).toContain("DATABASE_URL");
      expect(inspect(failure, { depth: 9 })).not.toContain("s3cret");
    },
  );
});
