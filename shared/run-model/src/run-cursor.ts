import { z } from "zod";

const VERSION = 1;
const Cursor = z.tuple([z.literal(VERSION), z.int().positive()]);

/** After which park a page begins; that never changes, so no event can shift it. */
export function writeCursor(parkSeq: number): string {
  const cursor: z.infer<typeof Cursor> = [VERSION, parkSeq];
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

/** `undefined`: not a cursor of ours. */
export function readCursorText(text: string): number | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
  const parsed = Cursor.safeParse(value);
  if (!parsed.success) return undefined;
  const [, parkSeq] = parsed.data;
  // Base64 has many spellings of the same bytes; ours is one of them.
  return writeCursor(parkSeq) === text ? parkSeq : undefined;
}
