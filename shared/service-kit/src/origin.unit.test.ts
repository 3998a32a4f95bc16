import { describe, expect, it } from "vitest";
import { corsHeaders, isOwnOrigin, preflightHeaders } from "./origin.ts";

describe("an origin", () => {
  it.each([
    ["none", undefined, "inbox.example", undefined, false],
    ["the request's own host", "http://inbox.example", "inbox.example", undefined, true],
    [
      "the public address, behind a proxy",
      "https://ask.example",
      "internal:8787",
      "https://ask.example",
      true,
    ],
    ["another", "https://evil.example", "inbox.example", "https://ask.example", false],
    ["one that contains ours", "https://ask.example.evil", "ask.example", "https://ask.example", false],
    [
      "a rebound name's, with the same host",
      "http://evil.example",
      "evil.example",
      "https://ask.example",
      false,
    ],
    ["the machine's own name", "http://localhost:8787", "localhost:8787", "http://127.0.0.1:8787", true],
    ["null", "null", "inbox.example", undefined, false],
  ])("that is %s is ours: %s", (_, origin, host, publicOrigin, own) => {
    expect(isOwnOrigin(origin, host, publicOrigin)).toBe(own);
  });
});

describe("A-SSE-5: cross-origin callers", () => {
  const allowed = ["https://app.example"];

  it("on the list get their own origin back, never a wildcard and no credentials", () => {
    const headers = corsHeaders("https://app.example", allowed);
    expect(headers["access-control-allow-origin"]).toBe("https://app.example");
    expect(headers).not.toHaveProperty("access-control-allow-credentials");
  });

  it("get a preflight for the headers that streams resume with", () => {
    const headers = preflightHeaders("https://app.example", allowed, "GET, HEAD, OPTIONS");
    for (const name of ["authorization", "last-event-id", "cache-control"]) {
      expect(headers["access-control-allow-headers"]).toContain(name);
    }
  });

  it("off the list get nothing", () => {
    expect(corsHeaders("https://evil.example", allowed)).toEqual({});
    expect(preflightHeaders("https://evil.example", allowed, "GET")).toEqual({});
    expect(corsHeaders(undefined, allowed)).toEqual({});
  });
});
