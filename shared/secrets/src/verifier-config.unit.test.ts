import { describe, expect, it } from "vitest";
import { checkVerifierConfig, isBodySigning, readVerifier } from "./verifier-config.ts";

const faulty = (verifier: unknown) => checkVerifierConfig(verifier).map(({ path }) => path);

describe("a verifier", () => {
  it.each([
    [{ name: "github", config: { secret_ref: "GH" } }, true],
    [{ name: "slack", config: { secret_ref: "SL" } }, true],
    [{ name: "stripe", config: { secret_ref: "ST" } }, true],
    [{ name: "stripe", config: { secret_ref: "ST", tolerance_seconds: 86_400 } }, true],
    [{ name: "shared_secret", config: { secret_ref: "SH", header: "X-Token" } }, false],
    [
      { name: "shared_secret", config: { secret_ref: "SH", header: "authorization", id_header: "X-Id" } },
      false,
    ],
  ])("%j is taken", (verifier, signsBodies) => {
    expect(faulty(verifier)).toEqual([]);
    const read = readVerifier(verifier);
    expect(read && isBodySigning(read)).toBe(signsBodies);
  });

  it("of stripe has 300 s when it says nothing", () => {
    const read = readVerifier({ name: "stripe", config: { secret_ref: "S" } });
    expect(read?.config).toEqual({ secret_ref: "S", tolerance_seconds: 300 });
  });

  const given = (name: string, config: unknown) => ({ name, config });
  it.each<[unknown, string[]]>([
    [undefined, [""]],
    [null, [""]],
    ["github", [""]],
    [[], [""]],
    [{}, ["/name"]],
    [given("twilio", { secret_ref: "S" }), ["/name"]],
    [given("GitHub", { secret_ref: "S" }), ["/name"]],
    [given("__proto__", { secret_ref: "S" }), ["/name"]],
    [{ name: "github" }, ["/config"]],
    [given("github", null), ["/config"]],
    [given("github", {}), ["/config/secret_ref"]],
    [given("github", { secret_ref: "" }), ["/config/secret_ref"]],
    [given("github", { secret_ref: " S" }), ["/config/secret_ref"]],
    [given("github", { secret_ref: 7 }), ["/config/secret_ref"]],
    [given("github", { secret_ref: "s".repeat(257) }), ["/config/secret_ref"]],
    [given("github", { secret: "inline" }), ["/config/secret_ref", "/config/secret"]],
    [given("github", { secret_ref: "S", header: "X-A" }), ["/config/header"]],
    [given("slack", { secret_ref: "S", tolerance_seconds: 10 }), ["/config/tolerance_seconds"]],
    [given("stripe", { secret_ref: "S", tolerance_seconds: 0 }), ["/config/tolerance_seconds"]],
    [given("stripe", { secret_ref: "S", tolerance_seconds: 1.5 }), ["/config/tolerance_seconds"]],
    [given("stripe", { secret_ref: "S", tolerance_seconds: true }), ["/config/tolerance_seconds"]],
    [given("stripe", { secret_ref: "S", tolerance_seconds: "300" }), ["/config/tolerance_seconds"]],
    [given("stripe", { secret_ref: "S", tolerance_seconds: 86_401 }), ["/config/tolerance_seconds"]],
    [given("shared_secret", { secret_ref: "S" }), ["/config/header"]],
    [given("shared_secret", { secret_ref: "S", header: "X Token" }), ["/config/header"]],
    [
      given("shared_secret", { secret_ref: "S", header: "X:T", id_header: "" }),
      ["/config/header", "/config/id_header"],
    ],
    [{ name: "github", config: { secret_ref: "S" }, extra: 1, "a/b~c": 2 }, ["/extra", "/a~1b~0c"]],
  ])("%j is refused, naming %j", (verifier, paths) => {
    const faults = checkVerifierConfig(verifier);
    expect(faults.map(({ path }) => path).sort()).toEqual(paths.sort());
    for (const { path, message } of faults) {
      const field = path.split("/").at(-1)?.replace("~1", "/").replace("~0", "~");
      expect(message).toContain(field);
    }
    expect(readVerifier(verifier)).toBeUndefined();
  });

  it("never repeats what stood where a secret might", () => {
    const faults = checkVerifierConfig(given("github", { secret: "hunter2", secret_ref: " hunter2" }));
    expect(JSON.stringify(faults)).not.toContain("hunter2");
  });
});
