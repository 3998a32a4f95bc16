import { type AskedData, formatInstant, type InteractionEvent } from "@interlude/contract";
import { describe, expect, it } from "vitest";
import { handleCommand } from "./handle-command.ts";
import type { History, InteractionStore, StoredEntry } from "./interaction-store.ts";

const NOW_MS = Date.UTC(2026, 5, 1);
const ID = "question-1";
const now = () => NOW_MS;

function askedAt(timeoutAtMs: number): InteractionEvent {
  const data: AskedData = {
    interaction_id: ID,
    asker: "ann",
    group_id: "g",
    question: "Ship it?",
    answer_format: "confirm",
    format_payload: {},
    mode: "sync",
    created_at: formatInstant(NOW_MS - 1_000),
    timeout_at: formatInstant(timeoutAtMs),
    sensitive: false,
    fingerprint: "f",
  };
  return { type: "asked", data };
}

function stored(...events: InteractionEvent[]): History {
  const entries: StoredEntry[] = events.map((entry, index) => ({
    sequence: index + 1,
    storedAtMs: NOW_MS,
    eventId: `e-${index}`,
    address: { channel: "inbox", partition: 0, id: ID },
    entry,
  }));
  return { entries, position: entries.length };
}

/** A log whose nearest replica has one history and whose leader another; it counts what each is asked. */
function replicated(replica: History, leader: History) {
  const asked = { replica: 0, leader: 0 };
  const store: InteractionStore = {
    read: () => {
      asked.replica += 1;
      return Promise.resolve(replica);
    },
    readFresh: () => {
      asked.leader += 1;
      return Promise.resolve(leader);
    },
    readAll: () => Promise.resolve(leader.entries),
    append: (_event, _address, position) =>
      Promise.resolve(
        position === leader.position
          ? { status: "appended", sequence: leader.position + 1 }
          : { status: "conflict" },
      ),
  };
  return { store, asked };
}

const open = askedAt(NOW_MS + 60_000);
const answer = {
  type: "Answer",
  content: { answer: true, answered_by: "bob", via: "door" },
  nowMs: NOW_MS,
} as const;

describe("a refusal on a replicated log", () => {
  it("is not said by a replica that has not heard of the question yet", async () => {
    const { store, asked } = replicated(stored(), stored(open));
    const before = (state: { status: string }) => (state.status === "unasked" ? "hidden" : undefined);
    expect(await handleCommand(store, ID, answer, now, { before })).toMatchObject({ ok: true });
    expect(asked).toEqual({ replica: 1, leader: 1 });
  });

  it("of the decider is judged again on what the leader has", async () => {
    const { store } = replicated(stored(), stored(open));
    expect(await handleCommand(store, ID, answer, now)).toMatchObject({ ok: true, changed: true });
  });

  it("that the leader confirms is said after one read of it", async () => {
    const { store, asked } = replicated(stored(), stored());
    const outcome = await handleCommand(store, ID, answer, now);
    expect(outcome).toMatchObject({ ok: false, refusal: { code: "not_found" } });
    expect(asked).toEqual({ replica: 1, leader: 1 });
  });

  it("tells what the leader has, not what was open a moment before", async () => {
    const content = { answer: true, answered_by: "carol", via: "door" } as const;
    const belonging = { interaction_id: ID, group_id: "g", asker: "ann", mode: "sync" } as const;
    const data = { ...belonging, at: formatInstant(NOW_MS), ...content };
    const { store } = replicated(stored(open), stored(open, { type: "answered", data }));
    const after = () => "does not fit";
    expect(await handleCommand(store, ID, answer, now, { after })).toMatchObject({
      refusal: { code: "already_answered", answeredBy: "carol" },
    });
  });

  it("costs nothing where there is none: what is accepted reads once", async () => {
    const { store, asked } = replicated(stored(open), stored(open));
    expect(await handleCommand(store, ID, answer, now)).toMatchObject({ ok: true, changed: true });
    expect(asked).toEqual({ replica: 1, leader: 0 });
  });

  it("an outcome that changes nothing needs no leader: an end seen is an end for good", async () => {
    const ended = stored(askedAt(NOW_MS), {
      type: "expired",
      data: {
        interaction_id: ID,
        group_id: "g",
        asker: "ann",
        mode: "sync",
        at: formatInstant(NOW_MS),
      },
    });
    const { store, asked } = replicated(ended, ended);
    const outcome = await handleCommand(store, ID, { type: "Expire", nowMs: NOW_MS }, now);
    expect(outcome).toMatchObject({ ok: true, changed: false });
    expect(asked).toEqual({ replica: 1, leader: 0 });
  });
});
