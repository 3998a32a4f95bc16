import { describe, expect, it } from "vitest";
import { readConfig } from "./config.ts";

const origins = (text: string) =>
  readConfig({ INTERLUDE_CONTINUATION_URLS: text }, () => ({})).continuationUrls;

describe("INTERLUDE_CONTINUATION_URLS", () => {
  it.each([
    ["", []],
    ["https://runs.example.com", ["https://runs.example.com"]],
    [
      "https://runs.example.com/, http://127.0.0.1:9000",
      ["https://runs.example.com", "http://127.0.0.1:9000"],
    ],
  ])("%j allows %j", (text, expected) => {
    expect(origins(text)).toEqual(expected);
  });

  it.each([
    "https://runs.example.com/hook",
    "https://user@runs.example.com",
    "https://runs.example.com?x",
    "https://*.example.com",
    "runs.example.com",
    "ftp://runs.example.com",
    "https://RUNS.example.com",
  ])("%j is refused at start, by name", (text) => {
    expect(() => origins(`https://fine.example.com,${text}`)).toThrow(
      /INTERLUDE_CONTINUATION_URLS[^]*origin|origin[^]*INTERLUDE_CONTINUATION_URLS/,
    );
  });
});
