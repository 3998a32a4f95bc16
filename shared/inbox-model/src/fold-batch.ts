import {
  type AskedData,
  type InteractionEvent,
  type InteractionStatus,
  itemQuestion,
  parseInstant,
} from "@interlude/contract";
import { keyOf } from "./key-of.ts";
import { searchTextOf } from "./search-text.ts";
import { storableJson, storableText } from "./storable.ts";

/** A stored event of the log, or the type of one that this process does not know. */
export type ProjectedEntry = { sequence: number; entry: InteractionEvent | { unknownType: string } };

type EndEvent = Exclude<InteractionEvent, { type: "asked" }>;

/** How a question ended, as its row keeps it. */
export type Ending = {
  id: string;
  sequence: number;
  status: Exclude<InteractionStatus, "pending">;
  resolvedMs: number;
  answeredBy: string | null;
  /** JSON text. */
  answer: string | null;
};

/** A whole new row; ended at once when its end is in the same batch. */
export type NewRow = {
  id: string;
  sequence: number;
  mode: string;
  answerFormat: string;
  asker: string;
  audience: string;
  groupId: string;
  channel: string | null;
  deadlineMs: number;
  question: string;
  external: string | null;
  searchText: string;
  ending: Ending | undefined;
};

/** What a run of events comes to; one row an id, so that one statement can write it. */
export type Batch = {
  /** The position that includes the whole batch. */
  sequence: number;
  events: number;
  /** Events of types this process does not know. */
  skipped: number;
  asked: readonly NewRow[];
  /** Ends of questions that are not in `asked`. */
  ended: readonly Ending[];
};

/** Folds events in log order. The first end counts, as in the domain; a question asked again after it was purged is new. */
export function foldBatch(entries: readonly ProjectedEntry[]): Batch {
  const asked = new Map<string, NewRow>();
  const ended = new Map<string, Ending>();
  let skipped = 0;
  for (const { sequence, entry } of entries) {
    if ("unknownType" in entry) {
      skipped += 1;
    } else if (entry.type === "asked") {
      asked.set(entry.data.interaction_id, newRow(entry.data, sequence));
      ended.delete(entry.data.interaction_id);
    } else {
      addEnding(endingOf(entry, sequence), asked, ended);
    }
  }
  return {
    sequence: entries.at(-1)?.sequence ?? 0,
    events: entries.length,
    skipped,
    asked: [...asked.values()],
    ended: [...ended.values()],
  };
}

function addEnding(ending: Ending, asked: ReadonlyMap<string, NewRow>, ended: Map<string, Ending>): void {
  const row = asked.get(ending.id);
  if (row !== undefined) row.ending ??= ending;
  else if (!ended.has(ending.id)) ended.set(ending.id, ending);
}

function newRow(asked: AskedData, sequence: number): NewRow {
  const external =
    asked.link === undefined ? null : JSON.stringify({ link: asked.link, ticket: asked.ticket });
  return {
    id: asked.interaction_id,
    sequence,
    mode: asked.mode,
    answerFormat: asked.answer_format,
    asker: keyOf(asked.asker),
    audience: asked.audience === undefined ? "" : keyOf(asked.audience),
    groupId: keyOf(asked.group_id),
    channel: asked.channel === undefined ? null : keyOf(asked.channel),
    deadlineMs: momentOf(asked.timeout_at),
    question: JSON.stringify(itemQuestion(asked)),
    external,
    searchText: searchTextOf(asked),
    ending: undefined,
  };
}

function endingOf(event: EndEvent, sequence: number): Ending {
  const { interaction_id: id, at } = event.data;
  const base = { id, sequence, status: event.type, resolvedMs: momentOf(at), answeredBy: null, answer: null };
  if (event.type !== "answered") return base;
  return {
    ...base,
    answeredBy: storableText(event.data.answered_by),
    // A sealed answer is readable to its asker alone, and never through a list.
    answer: event.data.answer === undefined ? null : storableJson(JSON.stringify(event.data.answer)),
  };
}

/** Total, as the domain's own reading of a deadline is: one odd event must not stop the rest. */
function momentOf(instant: string): number {
  return parseInstant(instant) ?? 0;
}
