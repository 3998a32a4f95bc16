import type { Actor } from "@interlude/domain";
import type { Fragment, Queries } from "@interlude/postgres";
import { keyOf } from "./key-of.ts";

/** Who reads a list. */
export type Reader = Exclude<Actor, { kind: "ticket" }>;

/**
 * What a reader may see, as the rule `authorize(…, "see", …)` renders to columns; a test holds them together.
 * `own`: questions the reader asked, which are seen whomever they are addressed to.
 */
export type Sight =
  { everything: true } | { everything: false; audiences: readonly string[]; own: string | undefined };

const FOR_EVERY_ANSWERER = "";
const GROUP = "group:";

export function sightOf(reader: Reader): Sight {
  if (reader.kind === "anonymous")
    return { everything: false, audiences: [FOR_EVERY_ANSWERER], own: undefined };
  if (reader.roles.includes("operator")) return { everything: true };
  const audiences = new Set(reader.groups.map((group) => keyOf(`${GROUP}${group}`)));
  // A subject that is called like a group is not that group.
  if (!reader.subject.startsWith(GROUP)) audiences.add(keyOf(reader.subject));
  if (reader.roles.includes("answerer")) audiences.add(FOR_EVERY_ANSWERER);
  return { everything: false, audiences: [...audiences], own: keyOf(reader.subject) };
}

/** The condition on `audience` and `asker`, of rows and of counters alike. */
export function isSeen(sql: Queries, sight: Sight): Fragment {
  if (sight.everything) return sql`true`;
  const addressed = sql`audience = any(${[...sight.audiences]}::text[])`;
  return sight.own === undefined ? addressed : sql`(${addressed} or asker = ${sight.own})`;
}
