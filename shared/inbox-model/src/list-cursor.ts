import type { ListSort } from "@interlude/contract";
import { z } from "zod";

/** The last row of a page by what the list is sorted by; both never change, so no answer can shift it. */
export type Position = { sequence: number; deadlineMs: number };

const VERSION = 1;
const Cursor = z.tuple([
  z.literal(VERSION),
  z.enum(["created_at", "-created_at", "deadline"]),
  z.int(),
  z.int(),
]);

export function writeCursor(sort: ListSort, position: Position): string {
  const cursor: z.infer<typeof Cursor> = [VERSION, sort, position.sequence, position.deadlineMs];
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

/** `undefined`: not a cursor of ours, or one of a list in another order. */
export function readCursorText(sort: ListSort, text: string): Position | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
  const parsed = Cursor.safeParse(value);
  if (!parsed.success) return undefined;
  const [, cursorSort, sequence, deadlineMs] = parsed.data;
  const position = { sequence, deadlineMs };
  // Base64 has many spellings of the same bytes; ours is one of them.
  return cursorSort === sort && writeCursor(sort, position) === text ? position : undefined;
}
