import { sha256Base64Url } from "@interlude/kernel";
import type { KeyBucket } from "./claims-by-key.ts";

/** Claims under which a set was parked that was parked already: nothing new is stored of it, and yet it was parked. */
export interface ParkedAgain {
  note(claimId: string): Promise<void>;
  has(claimId: string): Promise<boolean>;
}

export function createParkedAgain(bucket: Pick<KeyBucket, "create" | "get">): ParkedAgain {
  const keyOf = (claimId: string) => sha256Base64Url("parked-again", claimId);
  return {
    async note(claimId) {
      await bucket.create(keyOf(claimId), "parked");
    },
    has: async (claimId) => (await bucket.get(keyOf(claimId))) !== undefined,
  };
}
