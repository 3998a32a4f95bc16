import { z } from "zod";
import { type ClaimPlace, openClaimId } from "./claim-id.ts";
import type { Keyring } from "./keyring.ts";
import { openPayload, signPayload } from "./signed-payload.ts";

/** Whose identity a run goes on with, and under which claim. */
export type ClaimBearer = {
  readonly claimId: string;
  readonly subject: string;
  readonly groups: readonly string[];
};

const TokenShape = z.object({ claim: z.string(), subject: z.string(), groups: z.array(z.string()) });

/**
 * The bearer token of a claim. It has no end of its own: it is good as long as the claim holds, which whoever
 * opens it asks the log each time.
 */
export function mintClaimToken(keyring: Keyring, { claimId, subject, groups }: ClaimBearer): string {
  return signPayload(keyring, "claim-token", { claim: claimId, subject, groups: [...groups] });
}

/** What a token says when this ring signed it and made its claim's id; undefined for anything else. */
export function openClaimToken(
  keyring: Keyring,
  text: unknown,
): (ClaimBearer & { readonly place: ClaimPlace }) | undefined {
  const parsed = TokenShape.safeParse(openPayload(keyring, "claim-token", text));
  if (!parsed.success) return undefined;
  const { claim: claimId, subject, groups } = parsed.data;
  const place = openClaimId(keyring, claimId);
  return place === undefined ? undefined : { claimId, subject, groups, place };
}
