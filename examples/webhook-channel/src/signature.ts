import { createHmac, timingSafeEqual } from "node:crypto";

const SIGNATURE = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;
const FRESH_FOR_S = 300;

const mac = (secret: string, seconds: string, body: Uint8Array): string =>
  createHmac("sha256", secret).update(`${seconds}.`).update(body).digest("hex");

/** `t=<seconds>,v1=<HMAC-SHA256 of t.body>`: what is sent again later is told by its time. */
export function sign(secret: string, body: string, nowMs: number): string {
  const seconds = String(Math.floor(nowMs / 1_000));
  return `t=${seconds},v1=${mac(secret, seconds, Buffer.from(body))}`;
}

export function isSigned(secret: string, given: string | null, body: Uint8Array, nowMs: number): boolean {
  const [, seconds = "", theirs = ""] = SIGNATURE.exec(given ?? "") ?? [];
  if (theirs === "" || Math.abs(nowMs / 1_000 - Number(seconds)) > FRESH_FOR_S) return false;
  return timingSafeEqual(Buffer.from(mac(secret, seconds, body)), Buffer.from(theirs));
}
