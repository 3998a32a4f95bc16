import { createHmac } from "node:crypto";
import type { Bucket } from "@interlude/event-log";

export type SignedDelivery = { secret: string; deliveryId: string; interactionId: string };

/**
 * A provider's delivery counts once under a secret, for as long as the bucket keeps it. It is marked with the
 * question it was for, so that the same delivery may try again there when storing its answer failed.
 */
export interface CallbackDeliveries {
  /** `false`: it has been used for another question. */
  claim(delivery: SignedDelivery): Promise<boolean>;
  /** It came to nothing: it may be sent to another question. */
  release(delivery: SignedDelivery): Promise<void>;
}

export function createCallbackDeliveries(
  bucket: Pick<Bucket, "get" | "create" | "purge">,
): CallbackDeliveries {
  return {
    async claim(delivery) {
      const key = keyOf(delivery);
      if (await bucket.create(key, delivery.interactionId)) return true;
      return (await bucket.get(key)) === delivery.interactionId;
    },
    release: (delivery) => bucket.purge(keyOf(delivery)),
  };
}

/** Tells the secrets apart without telling anything of one. */
function keyOf({ secret, deliveryId }: SignedDelivery): string {
  return createHmac("sha256", secret).update(`delivery\n${deliveryId}`).digest("base64url");
}
