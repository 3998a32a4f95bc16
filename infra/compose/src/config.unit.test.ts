import { describe, expect, it } from "vitest";
import { readConfig } from "./config.ts";

const read = (environment: Record<string, string>) => readConfig(environment, () => ({ max_streams: 5 }));

describe("the configuration", () => {
  it("has the contract's defaults", () => {
    expect(read({})).toMatchObject({
      port: 8_787,
      host: "127.0.0.1",
      demo: true,
      corsOrigins: [],
      natsUrl: undefined,
    });
    expect(read({}).home.endsWith("/.interlude")).toBe(true);
  });

  it("takes a variable set to nothing for one that is not set", () => {
    expect(read({ PORT: "", INTERLUDE_DEV_KEY: "" })).toMatchObject({ port: 8_787, devKey: undefined });
  });

  it.each([
    "https://ask.example",
    "http://localhost:3000",
    "http://127.0.0.1:1",
    "http://[::1]:8",
    "https://ask.example/",
  ])("takes %s as public address", (url) => {
    expect(read({ INTERACTIONS_PUBLIC_BASE_URL: url }).publicBaseUrl).toBe(new URL(url).origin);
  });

  it.each([
    "http://ask.example",
    "ftp://ask.example",
    "ask.example",
    "https://ask.example/path",
    "https://u:p@ask.example",
  ])("refuses to start with the public address %s, naming the variable", (url) => {
    expect(() => read({ INTERACTIONS_PUBLIC_BASE_URL: url })).toThrow(/INTERACTIONS_PUBLIC_BASE_URL/);
  });

  it("tells every fault at once", () => {
    expect(() => read({ PORT: "high", INTERLUDE_DEMO: "yes" })).toThrow(
      /PORT[\s\S]*INTERLUDE_DEMO|INTERLUDE_DEMO[\s\S]*PORT/,
    );
  });

  it("reads settings from their file, the environment over it", () => {
    const { settings } = read({ INTERLUDE_SETTINGS_FILE: "s.json", INTERLUDE_MAX_WAITS: "3" });
    expect(settings).toMatchObject({ max_streams: 5, max_waits: 3 });
  });
});
