import { createHmac } from "node:crypto";

/** https://developers.facebook.com/docs/graph-api/webhooks/getting-started: over the raw bytes. */
export function metaSignature(appSecret: string, rawBody: string): string {
  return `sha256=${createHmac("sha256", appSecret).update(rawBody, "utf8").digest("hex")}`;
}

/** JSON as Meta writes it: what is not ASCII and every slash escaped, so that writing it anew gives other bytes. */
export function metaJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("/", "\\/")
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
