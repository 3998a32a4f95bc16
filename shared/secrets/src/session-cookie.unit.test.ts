import { describe, expect, it } from "vitest";
import { sessionCookie, signInCookie } from "./session-cookie.ts";

describe("the session's cookie", () => {
  it("over https is Secure and bound to the host", () => {
    const cookie = sessionCookie({ secure: true });
    expect(cookie.set("v", 60.9)).toBe(
      "__Host-interlude_session=v; Max-Age=60; Path=/; HttpOnly; SameSite=Strict; Secure",
    );
  });

  it("over http has neither, since browsers would drop it", () => {
    expect(sessionCookie({ secure: false }).set("v", 60)).toBe(
      "interlude_session=v; Max-Age=60; Path=/; HttpOnly; SameSite=Strict",
    );
  });

  it("is cleared with the attributes it was set with", () => {
    expect(sessionCookie({ secure: true }).clear()).toBe(
      "__Host-interlude_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure",
    );
  });

  it("of two ports on one host are two", () => {
    const one = sessionCookie({ secure: false, scope: "8787" });
    expect(one.name).toBe("interlude_session_8787");
    expect(one.read(sessionCookie({ secure: false, scope: "9000" }).set("v", 1))).toBeUndefined();
  });

  it.each([
    [undefined, undefined],
    ["", undefined],
    ["a=1; interlude_session=v.w-x; b=2", "v.w-x"],
    ["interlude_session=", ""],
    ["xinterlude_session=v", undefined],
    ["interlude_session", undefined],
    ["interlude_session=first;interlude_session=second", "first"],
  ])("is read from %j as %j", (header, value) => {
    expect(sessionCookie({ secure: false }).read(header)).toBe(value);
  });
});

it("a sign-in's cookie is its own, and comes along on the way back from another site", () => {
  expect(signInCookie({ secure: true }).set("v", 60)).toBe(
    "__Host-interlude_signin=v; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure",
  );
  const plain = signInCookie({ secure: false, scope: "8787" });
  expect(plain.read(sessionCookie({ secure: false, scope: "8787" }).set("v", 1))).toBeUndefined();
});
