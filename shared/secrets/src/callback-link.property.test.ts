import fc from "fast-check";
import { expect, it } from "vitest";
import { cutCallback, fillLink, restoreLink } from "./callback-link.ts";
import { generateKeyring, parseKeyring } from "./keyring.ts";
import { newNonce } from "./nonce.ts";
import { mintTicket } from "./ticket.ts";

const ring = parseKeyring(generateKeyring(), "V");
const ticket = mintTicket(ring, { id: "q-1", nonce: newNonce(), purpose: "callback" });
const url = `http://127.0.0.1:8787/api/interactions/callback/${ticket}`;
const proof = ticket.slice(ticket.lastIndexOf(".") + 1);
const encode = (text: string) => encodeURIComponent(text);
const pieces = fc.array(
  fc.oneof(
    fc.constantFrom("{callback_url}", "{", "}", "?", "#", "%", "&u=", "url", "encoded-1", "$&", "😀"),
    fc.constantFrom(url, encode(url), encode(encode(url)), encode(encode(encode(url))), ticket, proof),
    fc.constantFrom(encode(url).toLowerCase().slice(0, 30), url.slice(0, 20), ticket.slice(5)),
    fc.string({ unit: "binary", maxLength: 8 }),
  ),
  { maxLength: 12 },
);

it("whatever is filled can be cut and restored to the same text, and is stored without its proof", () => {
  let filled = 0;
  fc.assert(
    fc.property(pieces, fc.boolean(), (parts, reserved) => {
      const outcome = fillLink(`https://p.example/${parts.join("")}`, url, { reserved });
      if (!outcome.ok) return;
      filled += 1;
      const stored = cutCallback(outcome.link, url);
      expect(restoreLink(stored, url)).toBe(outcome.link);
      expect(stored).not.toContain(proof);
      expect(outcome.link).toContain(proof);
      expect(outcome.link).not.toContain("{callback_url}");
    }),
    { numRuns: 1_000 },
  );
  expect(filled).toBeGreaterThan(50);
});
