import type { DriverRegisteredData } from "@interlude/contract";
import { describe, expect, it } from "vitest";
import { deliverFaults, isShorter } from "./register-driver.ts";

const kept = (retention_seconds?: number): DriverRegisteredData["checkpointer"] => ({
  kind: "postgres",
  ...(retention_seconds === undefined ? {} : { retention_seconds }),
});

describe("a retention", () => {
  it.each([
    ["for ever, then a day", undefined, 86_400, true],
    ["two days, then one", 172_800, 86_400, true],
    ["a day, then as long", 86_400, 86_400, false],
    ["a day, then two", 86_400, 172_800, false],
    ["a day, then for ever", 86_400, undefined, false],
    ["for ever, and again", undefined, undefined, false],
  ])("%s: shorter is %s → %s", (_, current, wanted, expected) => {
    expect(isShorter(kept(current), kept(wanted))).toBe(expected);
  });
});

describe("where continuations may go", () => {
  const known = {
    hasSecret: (name: string) => name === "known",
    continuationOrigins: new Set(["https://runs.example.com", "http://127.0.0.1:9000"]),
  };
  it.each([
    ["https://runs.example.com/hook?x=1", []],
    ["http://127.0.0.1:9000", []],
    ["https://RUNS.example.com:443/hook", []],
    ["http://runs.example.com/hook", ["/deliver/url"]],
    ["https://runs.example.com:8443/hook", ["/deliver/url"]],
    ["https://runs.example.com.evil.test/hook", ["/deliver/url"]],
    ["https://sub.runs.example.com/hook", ["/deliver/url"]],
    ["http://127.0.0.1:9001", ["/deliver/url"]],
  ])("%s", (url, paths) => {
    const faults = deliverFaults({ url, secret_ref: "known" }, known);
    expect(faults.map(({ path }) => path)).toEqual(paths);
    for (const { message } of faults) expect(message).toContain(new URL(url).origin);
  });

  it("is told with a secret that there is not, both at once", () => {
    const faults = deliverFaults({ url: "https://example.com", secret_ref: "other" }, known);
    expect(faults.map(({ path }) => path)).toEqual(["/deliver/url", "/deliver/secret_ref"]);
    expect(deliverFaults(undefined, known)).toEqual([]);
  });
});
