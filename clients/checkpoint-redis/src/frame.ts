import { CheckpointError } from "./errors.ts";

const LINE_END = 0x0a;

/**
 * What is stored in one field: a line of JSON, then bytes as the serializer gave them. The line is
 * for this package and the scripts, and JSON never has a line end of its own in it.
 */
export function frame(header: unknown, ...bodies: readonly Uint8Array[]): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...bodies]);
}

export function unframe(stored: Buffer): { header: unknown; body: Buffer } {
  const end = stored.indexOf(LINE_END);
  try {
    return { header: JSON.parse(stored.toString("utf8", 0, end)), body: stored.subarray(end + 1) };
  } catch (cause) {
    throw new CheckpointError("record_unreadable", "a stored record does not start with its header", cause);
  }
}
