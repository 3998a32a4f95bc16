import { CAPS, type DriverRegisteredData } from "@interlude/contract";
import { abortAfter } from "@interlude/kernel";
import type { PushReply } from "../application/push-outcome.ts";
import { pushSignature } from "../application/push-signature.ts";

type Deliver = NonNullable<DriverRegisteredData["deliver"]>;

export type PostDeps = {
  secret: (name: string) => string | undefined;
  /** Exact origins that continuations may be posted to, as they are now. */
  continuationOrigins: ReadonlySet<string>;
  nowMs: () => number;
};

/** A receiver may work for this long; it is then taken to be gone. */
const ANSWER_WITHIN_MS = 290_000;

/** One signed POST. What may have changed since the driver was registered is looked at again. */
export async function postContinuation(
  deps: PostDeps,
  deliver: Deliver,
  body: string,
  signal: AbortSignal,
): Promise<PushReply> {
  const { origin } = new URL(deliver.url);
  if (!deps.continuationOrigins.has(origin)) {
    return { kind: "unreachable", reason: `${origin} is not among INTERLUDE_CONTINUATION_URLS any more` };
  }
  const secret = deps.secret(deliver.secret_ref);
  if (secret === undefined || secret === "") {
    return { kind: "unreachable", reason: `its secret ${JSON.stringify(deliver.secret_ref)} is missing` };
  }
  try {
    const response = await fetch(deliver.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "interlude-signature": pushSignature(secret, body, deps.nowMs()),
      },
      body,
      redirect: "manual",
      signal: abortAfter(ANSWER_WITHIN_MS, signal),
    });
    return await readReply(response);
  } catch (error) {
    return { kind: "unreachable", reason: reasonOf(error) };
  }
}

async function readReply(response: Response): Promise<PushReply> {
  const { status } = response;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytesOf(response)) {
    size += chunk.length;
    if (size > CAPS.BODY_MAX_BYTES) return { kind: "oversized", status };
    chunks.push(chunk);
  }
  return { kind: "answered", status, body: Buffer.concat(chunks).toString("utf8") };
}

/** Leaving the loop early cancels the body. */
async function* bytesOf(response: Response): AsyncGenerator<Uint8Array> {
  if (response.body !== null) yield* response.body;
}

/** What a connection's failure is called; never the address, which may hold what is nobody's business. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "it failed";
  const { cause } = error;
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") return cause.code;
  return error.name === "TimeoutError" ? "it did not answer in time" : "the connection failed";
}
