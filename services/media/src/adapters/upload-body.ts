import type { IncomingMessage } from "node:http";

/** Why a body could not be taken. */
export class UploadCut extends Error {
  override readonly name = "UploadCut";
  readonly reason: "too_large" | "aborted";

  constructor(reason: "too_large" | "aborted") {
    super(reason);
    this.reason = reason;
  }
}

/** A request's bytes as they arrive. @throws UploadCut over `maxBytes`, by what arrives, or when the client goes away. */
export async function* uploadBody(incoming: IncomingMessage, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      const bytes: Uint8Array = Buffer.from(chunk);
      size += bytes.length;
      if (size > maxBytes) break;
      yield bytes;
    }
  } catch {
    throw new UploadCut("aborted");
  }
  if (size > maxBytes) throw new UploadCut("too_large");
  if (!incoming.complete) throw new UploadCut("aborted");
}
