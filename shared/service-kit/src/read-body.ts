import type { IncomingMessage } from "node:http";

export type BodyRead = { ok: true; bytes: Uint8Array } | { ok: false; reason: "too_large" | "aborted" };

/**
 * Reads a request's body up to `maxBytes`, counted on the bytes that arrive: a length that is absent,
 * chunked or a lie lets nothing more through.
 */
export function readBody(incoming: IncomingMessage, maxBytes: number): Promise<BodyRead> {
  const declared = Number(incoming.headers["content-length"]);
  if (declared > maxBytes) return Promise.resolve({ ok: false, reason: "too_large" });

  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (result: BodyRead) => {
      incoming.off("data", onData).off("end", onEnd).off("error", onAborted).off("close", onAborted);
      resolve(result);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        incoming.pause();
        finish({ ok: false, reason: "too_large" });
      } else chunks.push(chunk);
    };
    const onEnd = () => {
      const [first] = chunks;
      finish({
        ok: true,
        bytes: chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, size),
      });
    };
    const onAborted = () => {
      finish({ ok: false, reason: "aborted" });
    };
    if (incoming.readableEnded || incoming.destroyed) onAborted();
    else incoming.on("data", onData).on("end", onEnd).on("error", onAborted).on("close", onAborted);
  });
}
