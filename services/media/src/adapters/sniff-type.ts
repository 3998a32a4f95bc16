import { fileTypeFromBuffer } from "file-type";

/** Enough for most types; those that begin with a long preamble are looked at again as more arrives. */
const FIRST_LOOK_BYTES = 4_100;
const LOOK_AGAIN_FACTOR = 8;
/** What an office file looks like until the part that tells it from any archive has been seen. */
const UNDECIDED: readonly string[] = ["application/zip"];

export type Sniffed = {
  /** `undefined`: the bytes are none of the known types. */
  type: string | undefined;
  isEmpty: boolean;
  /** All of the bytes, those that were looked at included. */
  source: AsyncIterable<Uint8Array>;
};

/** Tells the type from the bytes, holding no more of them than it takes to tell. */
export async function sniffType(bytes: AsyncIterable<Uint8Array>): Promise<Sniffed> {
  const rest = bytes[Symbol.asyncIterator]();
  let held: Uint8Array[] = [];
  let size = 0;
  let lookAt = FIRST_LOOK_BYTES;
  for (;;) {
    const next = await rest.next();
    const ended = next.done === true;
    if (!ended) {
      held.push(next.value);
      size += next.value.length;
      if (size < lookAt) continue;
    }
    const seen = Buffer.concat(held, size);
    held = [seen];
    lookAt = size * LOOK_AGAIN_FACTOR;
    const type = await typeOf(seen);
    const isDecided = type !== undefined && !UNDECIDED.includes(type);
    if (ended || isDecided) return { type, isEmpty: size === 0, source: joined(seen, rest) };
  }
}

async function typeOf(bytes: Uint8Array): Promise<string | undefined> {
  try {
    return (await fileTypeFromBuffer(bytes))?.mime;
  } catch {
    // The detector gives up on malformed containers by throwing; they are none of the known types.
    return undefined;
  }
}

async function* joined(seen: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield seen;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}
