import { expect, it } from "vitest";
import { ownPath } from "./own-path.ts";

it.each([
  "/",
  "/q/abc",
  "/q/a%2Fb?x=1",
  "/notifications",
  "/?status=all",
  "/runs?state=failed",
  "/runs/bot/r%2F1",
])("%s is a page to go on to", (path) => {
  expect(ownPath(path)).toBe(path);
});

it.each([
  "",
  "q/abc",
  "//evil.example",
  "//evil.example/q/abc",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example/q/a",
  "https://evil.example/",
  "http://own.invalid/",
  "javascript:alert(1)",
  "/q/..//evil.example",
  "/q/../../evil",
  "/api/session/oidc",
  "/api/interactions/media/x",
  "/signin/token",
  "/q/",
  "/q/a/b",
  "/runs/",
  "/runs/bot",
  "/runs/bot/r/1",
  "/@evil.example",
  "/.evil.example",
  `/q/${"a".repeat(1_100)}`,
])("%j is none", (text) => {
  expect(ownPath(text)).toBeUndefined();
});
