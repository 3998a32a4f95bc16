import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { recordingLogger } from "@interlude/service-kit";
import { temporaryHome } from "@interlude/testing";
import { describe, expect, it } from "vitest";
import { readConfig } from "./config.ts";
import { openOperatorFiles } from "./operator-files.ts";

function open(text: string) {
  const path = join(temporaryHome("routes-file"), "routes.json");
  writeFileSync(path, text);
  const config = readConfig({ INTERLUDE_ROUTES_FILE: path }, () => ({}));
  return openOperatorFiles(config, undefined, recordingLogger());
}

describe("INTERLUDE_ROUTES_FILE", () => {
  it("says which driver answers what is said over a channel", () => {
    const files = open('[{"channel":"sms","target":{"driver":"chat"}}]');
    expect(files.routes.find("sms", { from: "1", text: "hi" })?.driver).toBe("chat");
    files.stop();
  });

  it("that is not given routes nothing", () => {
    const files = openOperatorFiles(
      readConfig({}, () => ({})),
      undefined,
      recordingLogger(),
    );
    expect(files.routes.find("sms", { from: "1", text: "hi" })).toBeUndefined();
    files.stop();
  });

  it.each([
    ["not JSON", "is not JSON"],
    ["{}", "expected array"],
    ['[{"channel":"sms","target":{"driver":"a"}},{"channel":"sms"}]', "1/target: "],
    ['[{"channel":"sms","target":{"driver":"a"},"reply":"a["}]', "0/reply: is no JMESPath expression"],
    ['[{"channel":"sms","target":{"driver":"a"},"match":{"regex":"(a)\\\\1"}}]', "0/match/regex: "],
  ])("of %j does not start, naming the variable and the place", (text, reason) => {
    expect(() => open(text)).toThrow(/^INTERLUDE_ROUTES_FILE /);
    expect(() => open(text)).toThrow(reason);
  });
  it("and INTERLUDE_DOORS_FILE, which is not there or a folder, does not start, naming the variable", () => {
    const home = temporaryHome("routes-file");
    for (const variable of ["INTERLUDE_ROUTES_FILE", "INTERLUDE_DOORS_FILE"]) {
      for (const [path, reason] of [
        [join(home, "none.json"), "ENOENT"],
        [home, "EISDIR"],
      ] as const) {
        const config = readConfig({ [variable]: path }, () => ({}));
        expect(() => openOperatorFiles(config, undefined, recordingLogger())).toThrow(
          `${variable} ${path}: ${reason}`,
        );
      }
    }
  });
});
