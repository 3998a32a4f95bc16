import {
  type AskedData,
  type DeliveryEvent,
  type EndEvent,
  type InteractionEvent,
  type InteractionStatus,
  isDeliveryEvent,
  itemQuestion,
  parseInstant,
} from "@interlude/contract";
import { conversationKey, keyOf } from "./key-of.ts";
import { progressFacts, type ProgressFacts } from "./progress.ts";
import { searchTextOf } from "./search-text.ts";
import { storableJson, storableText } from "./storable.ts";

/** A stored event of the log, or the type of one that this process does not know. */
export type ProjectedEntry = { sequence: number; entry: InteractionEvent | { unknownType: string } };

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

/** How far a channel has come with a question, as its row keeps it: the last of each kind of event. */
export type Progress = { id: string; sequence: number; facts: ProgressFacts };

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
  conversation: string | null;
  deadlineMs: number;
  question: string;
  external: string | null;
  searchText: string;
  ending: Ending | undefined;
  progress: Progress | undefined;
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
  /** Deliveries of questions that are not in `asked`. */
  progressed: readonly Progress[];
};

/** Folds events in log order. The first end counts, as in the domain; a question asked again after it was purged is new. */
export function foldBatch(entries: readonly ProjectedEntry[]): Batch {
  const asked = new Map<string, NewRow>();
  const ended = new Map<string, Ending>();
  const progressed = new Map<string, Progress>();
  let skipped = 0;
  for (const { sequence, entry } of entries) {
    if ("unknownType" in entry) {
      skipped += 1;
    } else if (entry.type === "asked") {
      asked.set(entry.data.interaction_id, newRow(entry.data, sequence));
      ended.delete(entry.data.interaction_id);
      progressed.delete(entry.data.interaction_id);
    } else if (isDeliveryEvent(entry)) {
      addProgress(progressOf(entry, sequence), asked, progressed);
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
    progressed: [...progressed.values()],
  };
}

function addEnding(ending: Ending, asked: ReadonlyMap<string, NewRow>, ended: Map<string, Ending>): void {
  const row = asked.get(ending.id);
  if (row !== undefined) row.ending ??= ending;
  else if (!ended.has(ending.id)) ended.set(ending.id, ending);
}

function addProgress(
  progress: Progress,
  asked: ReadonlyMap<string, NewRow>,
  progressed: Map<string, Progress>,
): void {
  const row = asked.get(progress.id);
  const earlier = row === undefined ? progressed.get(progress.id) : row.progress;
  const merged = { ...progress, facts: { ...earlier?.facts, ...progress.facts } };
  if (row !== undefined) row.progress = merged;
  else progressed.set(progress.id, merged);
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
    conversation:
      asked.channel === undefined || asked.address === undefined
        ? null
        : conversationKey(asked.channel, asked.address),
    deadlineMs: momentOf(asked.timeout_at),
    question: JSON.stringify(itemQuestion(asked)),
    external,
    searchText: searchTextOf(asked),
    ending: undefined,
    progress: undefined,
  };
}

function progressOf(event: DeliveryEvent, sequence: number): Progress {
  return { id: event.data.interaction_id, sequence, facts: progressFacts(event) };
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
