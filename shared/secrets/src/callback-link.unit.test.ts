import { ServiceFailure } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { cutCallback, fillLink, restoreLink } from "./callback-link.ts";
import { generateKeyring, parseKeyring } from "./keyring.ts";
import { newNonce } from "./nonce.ts";
import { mintTicket } from "./ticket.ts";

const ring = parseKeyring(generateKeyring(), "V");
const ticket = mintTicket(ring, { id: "q-1", nonce: newNonce(), purpose: "callback" });
const url = `https://ask.example.com:8443/api/interactions/callback/${ticket}`;
const encoded = encodeURIComponent(url);
const proof = ticket.split(".").at(-1) ?? "";

describe("a link template", () => {
  it.each([
    [
      "in the query: encoded",
      "https://p.example/pay?return={callback_url}&x=1",
      `https://p.example/pay?return=${encoded}&x=1`,
    ],
    [
      "in the fragment: encoded",
      "https://p.example/#/go/{callback_url}",
      `https://p.example/#/go/${encoded}`,
    ],
    ["in the path: as it is", "https://p.example/to/{callback_url}/end", `https://p.example/to/${url}/end`],
    ["alone: as it is", "{callback_url}", url],
    ["first, with a query behind it", "{callback_url}?a=1", `${url}?a=1`],
    [
      "in both: each as its place asks",
      "http://p.example/{callback_url}?u={callback_url}#{callback_url}",
      `http://p.example/${url}?u=${encoded}#${encoded}`,
    ],
    [
      "other braces survive",
      "https://p.example/{id}?u={callback_url}&t={{x}}{callback_url",
      `https://p.example/{id}?u=${encoded}&t={{x}}{callback_url`,
    ],
    [
      "text that patterns would replace survives",
      "https://p.example/$&/$1?u={callback_url}",
      `https://p.example/$&/$1?u=${encoded}`,
    ],
    ["an upper-case scheme", "HTTPS://p.example/?u={callback_url}", `HTTPS://p.example/?u=${encoded}`],
  ])("is filled %s", (_, template, link) => {
    expect(fillLink(template, url)).toEqual({ ok: true, link });
  });

  it.each([
    ["without the placeholder", "https://p.example/"],
    ["with it misspelt", "https://p.example/?u={callbackUrl}"],
    ["with the callback URL itself but no reservation", `https://p.example/?u=${encoded}`],
    ["that is empty", ""],
    ["of another scheme", "javascript:fetch('{callback_url}')"],
    ["of ftp", "ftp://p.example/{callback_url}"],
    ["without a scheme", "p.example/?u={callback_url}"],
    ["with a scheme and no slashes", "https:p.example/?u={callback_url}"],
    ["relative to a scheme", "//p.example/?u={callback_url}"],
    ["without a host", "https://?u={callback_url}"],
    ["with a port out of range", "https://p.example:99999/?u={callback_url}"],
    ["with a space", "https://p.example/ ?u={callback_url}"],
    ["with a line break the parser would drop", "java\nscript:{callback_url}"],
    ["with a space before it", " https://p.example/?u={callback_url}"],
    ["with a NUL", "https://p.example/\0?u={callback_url}"],
    ["with a lone surrogate", "https://p.example/\ud800?u={callback_url}"],
  ])("%s is refused", (_, template) => {
    const outcome = fillLink(template, url);
    expect(outcome.ok ? outcome.link : outcome.message).toMatch(/^must /);
  });

  it.each([
    ["as it is", url],
    ["encoded", encoded],
    ["encoded in lower case", encoded.replaceAll("%3A", "%3a").replaceAll("%2F", "%2f")],
    ["encoded twice", encodeURIComponent(encoded)],
    ["quoted with its slashes", encoded.replaceAll("%2F", "/")],
    ["by URLSearchParams", new URLSearchParams({ u: url }).toString().slice(2)],
    ["by the URL class", new URL(`https://p.example/?u=${url}`).search.slice(3)],
  ])("under a reservation may hold the callback URL %s, and keeps it out of the log", (_, spelling) => {
    const link = `https://p.example/?u=${spelling}&x=1`;
    expect(fillLink(link, url, { reserved: true })).toEqual({ ok: true, link });
    const stored = cutCallback(link, url);
    expect(stored).not.toContain(proof);
    expect(restoreLink(stored, url)).toBe(link);
  });

  it("under a reservation may still hold the placeholder, and must hold one of the two", () => {
    expect(fillLink("https://p.example/?u={callback_url}", url, { reserved: true }).ok).toBe(true);
    expect(fillLink("https://p.example/", url, { reserved: true }).ok).toBe(false);
    expect(fillLink(`https://p.example/?t=${ticket}`, url, { reserved: true }).ok).toBe(false);
  });
});

describe("a stored link", () => {
  it("holds neither ticket nor proof, wherever and in whatever mixture they stood", () => {
    const link = `https://p.example/${url}?u=${encoded}&t=${ticket}&m=${proof}&again=${encodeURIComponent(encoded)}${url}${url}`;
    const stored = cutCallback(link, url);
    expect(stored).not.toContain(proof);
    expect(stored).not.toContain("ask.example.com");
    expect(restoreLink(stored, url)).toBe(link);
  });

  it("filled for another origin, names that one", () => {
    const moved = url.replace("ask.example.com:8443", "new.example.com");
    const stored = cutCallback(`https://p.example/?u=${encoded}`, url);
    expect(restoreLink(stored, moved)).toBe(`https://p.example/?u=${encodeURIComponent(moved)}`);
  });

  it("without a callback in it is itself", () => {
    expect(cutCallback("https://p.example/{x}", url)).toBe("https://p.example/{x}");
  });

  it("is never made from a link that was not filled here, nor restored from what was not stored here", () => {
    expect(() => cutCallback("https://p.example/ x", url)).toThrow(ServiceFailure);
    expect(() => restoreLink("https://p.example/ nonsense ", url)).toThrow(ServiceFailure);
  });
});
