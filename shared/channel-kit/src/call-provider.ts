import { abortAfter, isJsonObject, type JsonObject } from "@interlude/kernel";
import { retryAfterMs } from "./retry-after.ts";
import type { SendOutcome } from "./send-outcome.ts";

export type ProviderCall = Readonly<{
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  timeoutMs: number;
  signal: AbortSignal;
}>;

export type ProviderAnswer =
  /** `json` is undefined when the body is no JSON object. */
  | Readonly<{ kind: "answered"; status: number; retryAfterMs?: number; json?: JsonObject }>
  | Readonly<{ kind: "broken"; outcome: SendOutcome }>;

const ANSWER_MAX_BYTES = 1_048_576;

/** Told to stop before anything left. */
export const STOPPED: SendOutcome = { kind: "not_sent", reason: "stopped before it was sent" };

/** POSTs once. Redirects are not followed: whoever answers them would get the credentials. */
export async function callProvider(call: ProviderCall): Promise<ProviderAnswer> {
  if (call.signal.aborted) return { kind: "broken", outcome: STOPPED };
  try {
    const response = await fetch(call.url, {
      method: "POST",
      headers: call.headers,
      body: call.body,
      redirect: "manual",
      signal: abortAfter(call.timeoutMs, call.signal),
    });
    const json = parseObject(await readText(response));
    const wait = retryAfterMs(response.headers.get("retry-after"), Date.now());
    return {
      kind: "answered",
      status: response.status,
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
      ...(json === undefined ? {} : { json }),
    };
  } catch (error) {
    return { kind: "broken", outcome: brokenOutcome(error) };
  }
}

async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const next = await reader?.read();
    const chunk: unknown = next?.value;
    if (!(chunk instanceof Uint8Array)) return Buffer.concat(chunks).toString("utf8");
    size += chunk.byteLength;
    chunks.push(chunk);
    // No provider says so much; what it is about would be anybody's guess.
    if (size > ANSWER_MAX_BYTES) {
      await reader?.cancel();
      return "";
    }
  }
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Faults from before a byte of the request can have left. */
const UNREACHED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "CERT_HAS_EXPIRED",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);
const MAX_CAUSES = 5;

/** Names and codes only: messages of network errors can hold addresses, and those a token. */
function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth++) {
    if ("code" in current && typeof current.code === "string") codes.push(current.code);
    codes.push(current.name);
    current = current.cause;
  }
  return codes;
}

/** What a call that had no answer comes to. */
export function brokenOutcome(error: unknown): SendOutcome {
  const codes = codesOf(error);
  const unreached = codes.find((code) => UNREACHED.has(code));
  if (unreached !== undefined) return { kind: "not_sent", reason: `not reached: ${unreached}` };
  if (codes.includes("TimeoutError")) return { kind: "unknown", reason: "timeout" };
  if (codes.includes("AbortError")) return { kind: "unknown", reason: "aborted" };
  const code = codes.find((each) => /^(E|UND_ERR)[A-Z_]+$/.test(each));
  return { kind: "unknown", reason: code === undefined ? "connection lost" : `connection lost: ${code}` };
}
