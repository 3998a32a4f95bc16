import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { verifyDelivery } from "./verify-delivery.ts";
import { readVerifier, type Verifier } from "./verifier-config.ts";

const nowMs = 1_767_225_600_000;
const verifiers = ["github", "stripe", "slack", "shared_secret"]
  .map((name) =>
    readVerifier({
      name,
      config: { secret_ref: "S", ...(name === "shared_secret" ? { header: "x-t" } : {}) },
    }),
  )
  .filter((verifier): verifier is Verifier => verifier !== undefined);

it("A-SIG-2: whatever a stranger sends is refused in one way, and nothing throws", () => {
  expect(verifiers).toHaveLength(4);
  const header = fc.option(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.stringMatching(/^(sha256|v0|v1)=[0-9a-fA-F]{60,66}$/),
      fc.stringMatching(/^t=17672256[0-9]{2},(v1=[0-9a-f]{64},?){1,3}$/),
    ),
    { nil: null },
  );
  fc.assert(
    fc.property(fc.constantFrom(...verifiers), header, fc.uint8Array(), (verifier, value, body) => {
      const delivery = { verifier, secret: "kept apart from every input", body, nowMs };
      expect(verifyDelivery({ ...delivery, headers: { get: () => value } })).toEqual({ ok: false });
    }),
    { numRuns: 500 },
  );
});

it("A-SIG-1: a rolled header is accepted exactly when one of its v1 is the secret's", () => {
  const t = nowMs / 1000;
  const stripe = readVerifier({ name: "stripe", config: { secret_ref: "S" } });
  if (stripe === undefined) return expect.fail("no verifier");
  const secrets = fc.array(fc.constantFrom("ours", "older", "oldest"), { maxLength: 5 });
  fc.assert(
    fc.property(secrets, fc.uint8Array(), (signers, body) => {
      const v1 = (key: string) =>
        `v1=${createHmac("sha256", key).update(`${t}.`).update(body).digest("hex")}`;
      const headers = { get: () => [`t=${t}`, ...signers.map(v1)].join(",") };
      const { ok } = verifyDelivery({ verifier: stripe, secret: "ours", headers, body, nowMs });
      expect(ok).toBe(signers.includes("ours"));
    }),
  );
});
