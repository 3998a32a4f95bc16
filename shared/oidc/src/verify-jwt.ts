import { decodeJwt, errors, jwtVerify, type JWTVerifyOptions } from "jose";
import type { Clock } from "@interlude/kernel";
import { z } from "zod";
import type { Issuer, Known } from "./issuer.ts";

/** Signed by a key that only the provider has; an algorithm with a shared secret would let its reader sign. */
const ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
] as const;

/** Clocks of two machines differ by moments. Streams end within 5 s of their token, this included. */
export const LEEWAY_SECONDS = 2;

/** A token that has another use (a logout token, a secured event) says so, and is none of ours. */
const TYPES = /^(application\/)?(at\+)?jwt$/i;

const Claims = z.looseObject({ sub: z.string(), exp: z.number() });
export type VerifiedClaims = z.infer<typeof Claims>;

type Expectation = { issuer: string; audience: string };

/**
 * A JWT's claims when the issuer signed it for this audience and it is valid now; `undefined` otherwise.
 * @throws when its key is not known and the provider, which would know it, is away
 */
export async function verifyJwt(
  token: string,
  expected: Expectation,
  issuer: Issuer,
  clock: Clock,
): Promise<VerifiedClaims | undefined> {
  if (!claimsToBe(token, expected)) return undefined;
  const options: JWTVerifyOptions = {
    issuer: expected.issuer,
    audience: expected.audience,
    algorithms: [...ALGORITHMS],
    clockTolerance: LEEWAY_SECONDS,
    currentDate: new Date(clock.nowMs()),
    requiredClaims: ["sub", "exp"],
  };
  const first = await verifyBy(await issuer.known(), token, options);
  const last = first === "unknown_key" ? await verifyBy(await issuer.renewed(), token, options) : first;
  return last === "unknown_key" ? undefined : last;
}

/** What does not even say that it is for us moves no request to the provider. */
function claimsToBe(token: string, { issuer }: Expectation): boolean {
  try {
    return decodeJwt(token).iss === issuer;
  } catch {
    return false;
  }
}

async function verifyBy(
  { keys }: Known,
  token: string,
  options: JWTVerifyOptions,
): Promise<VerifiedClaims | "unknown_key" | undefined> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, options);
    const { typ = "JWT" } = protectedHeader;
    const claims = Claims.safeParse(payload);
    return TYPES.test(typ) && claims.success ? claims.data : undefined;
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return "unknown_key";
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** The library tells a bad token by its own errors, and a key that cannot be one by the platform's. */
function isRefusal(error: unknown): boolean {
  return error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException;
}
