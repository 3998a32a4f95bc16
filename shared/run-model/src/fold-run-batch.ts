import {
  type AskedData,
  type EndType,
  type InteractionEvent,
  isDeliveryEvent,
  type RunEvent,
  type RunParkedData,
  type TurnReceivedData,
} from "@interlude/contract";
import { deadlineMs } from "@interlude/domain";
import { changeOf, mergeChanges, momentOf, type ParkChange } from "./park-change.ts";
import type { Positions } from "./positions.ts";
import { storableText } from "./storable.ts";

/** Where a park's events are: the tokens of their subjects. */
export type ParkAddress = Readonly<{ driver: string; runToken: string; parkToken: string }>;

type Unknown = { unknownType: string };

/** A stored event of either stream. A driver's registration only moves the position. */
export type RunModelEntry =
  | { stream: "interactions"; sequence: number; entry: InteractionEvent | Unknown }
  | { stream: "runs"; sequence: number; address: ParkAddress; entry: RunEvent }
  | { stream: "runs"; sequence: number; address?: undefined; entry: { type: "registered" } | Unknown };

export type AskRow = {
  id: string;
  driver: string;
  deadlineMs: number;
  sequence: number;
  end: EndType | undefined;
};
export type AskEnd = { id: string; sequence: number; status: EndType };
export type NewPark = ParkAddress & {
  sequence: number;
  runId: string;
  parkId: string;
  owner: string;
  parkedAtMs: number;
  /** Each once. */
  interactionIds: readonly string[];
};
/** What was said in a conversation: to be claimed at once, in order, and waiting for no question. */
export type NewTurn = Omit<NewPark, "interactionIds">;
export type AddressedChange = { address: ParkAddress; change: ParkChange };

/** What a run of both streams' events comes to; one row a question and a park, so that one statement a kind writes it. */
export type RunBatch = {
  /** Where it begins: the positions the model must have for it to be written. */
  from: Positions;
  /** Where the model is with it. */
  to: Positions;
  events: number;
  /** Events of types this process does not know. */
  skipped: number;
  /** Async questions, each as a whole; with its end when that is in the batch too. */
  asked: readonly AskRow[];
  /** First ends of async questions that are not in `asked`. */
  ended: readonly AskEnd[];
  parked: readonly NewPark[];
  turns: readonly NewTurn[];
  changed: readonly AddressedChange[];
};

type Draft = {
  positions: { interactions: number; runs: number };
  skipped: number;
  asked: Map<string, AskRow>;
  ended: Map<string, AskEnd>;
  parked: Map<string, NewPark>;
  turns: Map<string, NewTurn>;
  changed: Map<string, AddressedChange>;
};

/** The name of a park: no token has a dot in it. */
export function parkKey({ driver, runToken, parkToken }: ParkAddress): string {
  return `${driver}.${runToken}.${parkToken}`;
}

/**
 * Folds events that follow `from`: each stream's in its order, the two interleaved as they came. What is not
 * past its stream's position has been folded already and is left out.
 */
export function foldRunBatch(from: Positions, entries: readonly RunModelEntry[]): RunBatch {
  const draft: Draft = {
    positions: { ...from },
    skipped: 0,
    asked: new Map(),
    ended: new Map(),
    parked: new Map(),
    turns: new Map(),
    changed: new Map(),
  };
  let events = 0;
  for (const entry of entries) {
    if (entry.sequence <= draft.positions[entry.stream]) continue;
    draft.positions[entry.stream] = entry.sequence;
    events += 1;
    add(draft, entry);
  }
  return {
    from,
    to: draft.positions,
    events,
    skipped: draft.skipped,
    asked: [...draft.asked.values()],
    ended: [...draft.ended.values()],
    parked: [...draft.parked.values()],
    turns: [...draft.turns.values()],
    changed: [...draft.changed.values()],
  };
}

function add(draft: Draft, item: RunModelEntry): void {
  if ("unknownType" in item.entry) draft.skipped += 1;
  else if (item.stream === "interactions") addInteractionEvent(draft, item.entry, item.sequence);
  else if (item.address !== undefined) addRunEvent(draft, item.address, item.entry, item.sequence);
}

/** Only async questions can be parked on; the events of all others are passed over. */
function addInteractionEvent({ asked, ended }: Draft, event: InteractionEvent, sequence: number): void {
  if (event.data.mode !== "async" || isDeliveryEvent(event)) return;
  const id = event.data.interaction_id;
  if (event.type === "asked") {
    // One asked again under the id of a purged one is another question, and open.
    asked.set(id, askRow(event.data, sequence));
    ended.delete(id);
    return;
  }
  const row = asked.get(id);
  if (row === undefined) {
    if (!ended.has(id)) ended.set(id, { id, sequence, status: event.type });
  } else if (row.end === undefined) {
    asked.set(id, { ...row, sequence, end: event.type });
  }
}

function addRunEvent(
  { parked, turns, changed }: Draft,
  address: ParkAddress,
  event: RunEvent,
  sequence: number,
): void {
  const key = parkKey(address);
  if (event.type === "parked") {
    if (!parked.has(key)) parked.set(key, newPark(address, event.data, sequence));
    return;
  }
  if (event.type === "turn_received") {
    if (!turns.has(key)) turns.set(key, newRow(address, event.data, sequence));
    return;
  }
  const change = changeOf(event, sequence);
  const earlier = changed.get(key);
  changed.set(key, {
    address,
    change: earlier === undefined ? change : mergeChanges(earlier.change, change),
  });
}

function askRow(asked: AskedData, sequence: number): AskRow {
  const driver = storableText(asked.run?.driver ?? "");
  return { id: asked.interaction_id, driver, deadlineMs: deadlineMs(asked), sequence, end: undefined };
}

function newPark(address: ParkAddress, parked: RunParkedData, sequence: number): NewPark {
  return {
    ...newRow(address, parked, sequence),
    interactionIds: [...new Set(parked.interaction_ids.map(storableText))],
  };
}

function newRow(address: ParkAddress, first: RunParkedData | TurnReceivedData, sequence: number): NewTurn {
  return {
    ...address,
    sequence,
    runId: storableText(first.run_id),
    parkId: storableText(first.park_id),
    owner: storableText(first.owner),
    parkedAtMs: momentOf(first.at),
  };
}
