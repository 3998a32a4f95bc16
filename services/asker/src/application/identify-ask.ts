import { checkCallerId, type FieldFault, idempotencyKeyFault } from "@interlude/contract";
import { idempotentId, uuidV7 } from "@interlude/kernel";
import { checkReservation, type Keyring } from "@interlude/secrets";

export type Identified =
  /** `isGiven`: the caller may be repeating itself under this id. */
  | { ok: true; id: string; isGiven: boolean; reservation?: { kid: string; nonce: string } }
  | { ok: false; kind: "invalid"; faults: readonly FieldFault[] }
  | { ok: false; kind: "not_found" };

type Request = { subject: string; bodyId: string | undefined; idempotencyKey: string | undefined };

/** The id a question gets: the caller's, a reservation's, the one a key stands for, or a new one. */
export function identifyAsk(
  { subject, bodyId, idempotencyKey }: Request,
  keyring: Keyring,
  nowMs: number,
): Identified {
  if (idempotencyKey !== undefined) {
    if (bodyId !== undefined) return invalid("Idempotency-Key", "give an id or an Idempotency-Key, not both");
    const wrong = idempotencyKeyFault(idempotencyKey);
    if (wrong !== undefined) return invalid(wrong.path, wrong.message);
    return { ok: true, id: idempotentId(subject, idempotencyKey), isGiven: true };
  }
  if (bodyId === undefined) return { ok: true, id: uuidV7(nowMs), isGiven: false };
  if (bodyId.startsWith("r_")) return reserved(subject, bodyId, keyring);
  const wrong = checkCallerId(bodyId);
  return wrong === undefined ? { ok: true, id: bodyId, isGiven: true } : invalid("/id", `id ${wrong}`);
}

function reserved(subject: string, id: string, keyring: Keyring): Identified {
  const reservation = checkReservation(keyring, subject, id);
  // Somebody else's reservation and a made-up one look alike.
  if (reservation === undefined) return { ok: false, kind: "not_found" };
  const { kid, nonce } = reservation;
  return { ok: true, id, isGiven: true, reservation: { kid, nonce } };
}

function invalid(path: string, message: string): Identified {
  return { ok: false, kind: "invalid", faults: [{ path, message }] };
}
