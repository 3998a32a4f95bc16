import { manualClock } from "@interlude/testing";
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { providerAway } from "./bounded-fetch.ts";
import type { Issuer } from "./issuer.ts";
import { verifyJwt } from "./verify-jwt.ts";

const expected = { issuer: "https://id.example", audience: "interlude" };
const clock = manualClock();
const nowSeconds = () => Math.floor(clock.nowMs() / 1_000);

/** A provider of these keys that has, or has not, others when it is asked again. */
function issuerOf(keys: JWK[], renewed: JWK[] | "away" = keys) {
  let looks = 0;
  const known = (set: JWK[]) => ({
    metadata: { issuer: expected.issuer, jwks_uri: "" },
    keys: createLocalJWKSet({ keys: set }),
  });
  const issuer: Issuer = {
    start: () => undefined,
    stop: () => undefined,
    known: () => Promise.resolve(known(keys)),
    renewed: () => {
      looks++;
      return renewed === "away" ? Promise.reject(providerAway("away")) : Promise.resolve(known(renewed));
    },
  };
  return { issuer, looks: () => looks };
}

async function signer(alg: string, kid?: string) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const named = kid === undefined ? {} : { kid };
  return {
    jwk: { ...(await exportJWK(publicKey)), ...named, alg },
    sign: (claims: Record<string, unknown> = {}) =>
      new SignJWT({
        iss: expected.issuer,
        aud: expected.audience,
        sub: "dora",
        exp: nowSeconds() + 60,
        ...claims,
      })
        .setProtectedHeader({ alg, ...named })
        .sign(privateKey),
  };
}

const verify = (token: string, issuer: Issuer) => verifyJwt(token, expected, issuer, clock);

describe("a token's signature", () => {
  it.each(["RS256", "RS512", "PS256", "ES256", "ES384", "ES512", "EdDSA"])("by %s is taken", async (alg) => {
    const { jwk, sign } = await signer(alg, "one");
    expect(await verify(await sign(), issuerOf([jwk]).issuer)).toMatchObject({ sub: "dora" });
  });

  it("needs no key id where one key alone can be meant", async () => {
    const [mine, other, third] = await Promise.all([signer("ES256"), signer("RS256"), signer("ES256")]);
    expect(await verify(await mine.sign(), issuerOf([mine.jwk, other.jwk]).issuer)).toBeDefined();
    expect(await verify(await mine.sign(), issuerOf([mine.jwk, third.jwk]).issuer)).toBeUndefined();
  });

  it("by a key that is not known makes the provider be asked again, once", async () => {
    const [old, fresh] = await Promise.all([signer("ES256", "old"), signer("ES256", "fresh")]);
    const rotated = issuerOf([old.jwk], [fresh.jwk]);
    expect(await verify(await fresh.sign(), rotated.issuer)).toBeDefined();
    expect(rotated.looks()).toBe(1);
    const same = issuerOf([old.jwk]);
    expect(await verify(await fresh.sign(), same.issuer)).toBeUndefined();
    expect(same.looks()).toBe(1);
  });

  it("by a key that is not known cannot be judged while the provider is away; by one that is, it can", async () => {
    const [old, fresh] = await Promise.all([signer("ES256", "old"), signer("ES256", "fresh")]);
    const { issuer, looks } = issuerOf([old.jwk], "away");
    const failure = { code: "identity_provider_unavailable", retry: "later" };
    await expect(verify(await fresh.sign(), issuer)).rejects.toMatchObject(failure);
    expect(await verify(await old.sign(), issuer)).toBeDefined();
    expect(looks()).toBe(1);
  });

  it("is not looked at where the token is another issuer's: the provider is asked nothing", async () => {
    const [old, fresh] = await Promise.all([signer("ES256", "old"), signer("ES256", "fresh")]);
    const { issuer, looks } = issuerOf([old.jwk], "away");
    expect(await verify(await fresh.sign({ iss: "https://other.example" }), issuer)).toBeUndefined();
    expect(looks()).toBe(0);
  });
});

describe("a token's time", () => {
  it.each([
    ["exp", -1, true],
    ["exp", -2, false],
    ["nbf", 2, true],
    ["nbf", 3, false],
  ])("with %s %i s from now by the log's clock: taken is %s", async (claim, fromNow, isTaken) => {
    const { jwk, sign } = await signer("ES256", "one");
    const token = await sign({ [claim]: nowSeconds() + fromNow });
    expect((await verify(token, issuerOf([jwk]).issuer)) !== undefined).toBe(isTaken);
  });
});
