import { createHmac } from "node:crypto";

/** `t=<seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>`, so that neither can be changed alone. */
export function pushSignature(secret: string, body: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1_000);
  const mac = createHmac("sha256", secret).update(`${seconds}.`).update(body, "utf8").digest("hex");
  return `t=${seconds},v1=${mac}`;
}
