import { readFileSync } from "node:fs";
import type { Json } from "@interlude/kernel";
import { z } from "zod";

const Recorded = z.object({
  /** Of which interaction, park, conversation and so on; sequences are those of its stream. */
  history: z.string(),
  /** What it must come to, as far as it is said. */
  state: z.record(z.string(), z.json()),
  events: z.array(
    z.object({
      sequence: z.number(),
      subject: z.string(),
      headers: z.record(z.string(), z.string()),
      data: z.json(),
    }),
  ),
});
export type Recorded = z.infer<typeof Recorded>;
export type RecordedEvent = Recorded["events"][number];

export type RecordedKind =
  "interactions" | "deliveries" | "runs" | "conversations" | "inbound" | "notifications";

/** Histories as earlier versions stored them. They are never changed: a log has them for good. */
export function recorded(kind: RecordedKind): Recorded[] {
  const text = readFileSync(new URL(`./${kind}.json`, import.meta.url), "utf8");
  return z.array(Recorded).parse(JSON.parse(text));
}

export function ceTypeOf({ headers }: RecordedEvent): string {
  return headers["ce-type"] ?? "";
}

/** The same event as a version would store it that is newer than this one. */
export function newerThan(event: RecordedEvent): RecordedEvent & { data: Json } {
  const type = ceTypeOf(event).replace(/\.v1$/, ".v2");
  const data = { of: "a shape that nobody here knows" };
  return { ...event, headers: { ...event.headers, "ce-type": type }, data };
}
