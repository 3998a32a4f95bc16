import { InterludeError, invalid } from "../errors.ts";
import { type Claim, claimOf } from "./claim.ts";
import { subtleCrypto } from "./subtle-crypto.ts";

const TOLERANCE_SECONDS = 300;
const HEX = /^(?:[0-9a-f]{2})+$/i;

export type VerifyOptions = Readonly<{
  /** How far the time of signing may lie from this machine's, in either direction; 300 by default. */
  toleranceSeconds?: number | undefined;
}>;

/**
 * Reads a continuation that was posted to a `deliver.url`, when the service signed it with this secret and signed it
 * lately. `rawBody` are the bytes as they came: what a parser made of them has another signature. `header` is
 * `interlude-signature`.
 */
export async function verifyContinuation(
  secret: string,
  rawBody: string | Uint8Array,
  header: string | null | undefined,
  options: VerifyOptions = {},
): Promise<Claim> {
  // An empty secret would make everybody's signature good.
  if (secret === "") throw invalid("secret", "must not be empty");
  const { seconds, macs } = signatureOf(header);
  const tolerance = options.toleranceSeconds ?? TOLERANCE_SECONDS;
  if (Math.abs(Date.now() / 1_000 - seconds) > tolerance)
    throw refused("it was signed too long ago, or in the future");
  const encoder = new TextEncoder();
  const body = typeof rawBody === "string" ? encoder.encode(rawBody) : rawBody;
  const head = encoder.encode(`${seconds}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  const subtle = subtleCrypto();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["verify"]);
  // Compared in constant time by the platform; all of them, so that how many there are is all that time tells.
  const verdicts = await Promise.all(macs.map((mac) => subtle.verify("HMAC", key, mac, signed)));
  if (!verdicts.includes(true)) throw refused("the signature is not that of this body");
  return claimOf(parsed(new TextDecoder().decode(body)));
}

function signatureOf(header: string | null | undefined): {
  seconds: number;
  macs: Uint8Array<ArrayBuffer>[];
} {
  const parts = (header ?? "").split(",").map((part) => part.trim().split("=", 2));
  const times = parts.filter(([name]) => name === "t").map(([, value = ""]) => value);
  const macs = parts.flatMap(([name, value = ""]) =>
    name === "v1" && HEX.test(value) ? [bytesOf(value)] : [],
  );
  const [time] = times;
  if (times.length !== 1 || time === undefined || !/^\d{1,12}$/.test(time) || macs.length === 0) {
    throw refused("the interlude-signature header is missing or malformed");
  }
  return { seconds: Number(time), macs };
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hex.length / 2);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    throw new InterludeError({
      code: "unexpected_response",
      detail: "A continuation is not JSON",
      cause: error,
    });
  }
}

function refused(why: string): InterludeError {
  return new InterludeError({ code: "invalid_signature", status: 401, detail: `Not a continuation: ${why}` });
}
