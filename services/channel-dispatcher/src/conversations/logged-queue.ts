import { randomUUID } from "node:crypto";
import type { ConversationEvent } from "@interlude/contract";
import { formatInstant } from "@interlude/contract";
import {
  type Conversation,
  type ConversationCommand,
  decideConversation,
  foldConversation,
  frontOf,
  isOfQueue,
} from "@interlude/domain";
import type { ConversationStore, ThreadAddress } from "@interlude/event-log";
import { type Clock, partitionOf, ServiceFailure } from "@interlude/kernel";
import { type Keyring, sealPayload, threadToken } from "@interlude/secrets";
import type { FrontQueue } from "../ports.ts";
import { isUntidy, tidyQueue } from "./tidy-queue.ts";

/** What was read of a conversation, and of how many events; an append proves that nothing has come since. */
type Known = { state: Conversation; events: number; position: number };

const MAX_ATTEMPTS = 8;
/** Conversations whose state is kept; a worker is alone with those of its partitions. */
const MAX_KNOWN = 10_000;

/** The label under which an alias names the conversation that it stands for. */
export const ALIAS_LABEL = "conversation-alias";

export function placeOf(keyring: Keyring, channel: string, address: string): ThreadAddress {
  const partition = partitionOf(`${channel}\n${address}`);
  return { channel, partition, thread: threadToken(keyring, channel, address) };
}

/** The open questions of conversations as events of each, decided on the log. */
export function loggedQueue(store: ConversationStore, keyring: Keyring, clock: Clock): FrontQueue {
  const known = new Map<string, Known>();

  async function read(place: ThreadAddress): Promise<Known> {
    const kept = known.get(place.thread);
    if (kept !== undefined) return kept;
    const { entries, position } = await store.read(place);
    const events = entries.flatMap(({ entry }) => ("unknownType" in entry ? [] : [entry]));
    return keep(place, {
      state: foldConversation(events),
      events: events.filter(isOfQueue).length,
      position,
    });
  }

  function keep({ thread }: ThreadAddress, state: Known): Known {
    known.delete(thread);
    known.set(thread, state);
    const [oldest] = known.size > MAX_KNOWN ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    return state;
  }

  async function decided(place: ThreadAddress, command: ConversationCommand): Promise<Conversation> {
    const eventId = randomUUID();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const { state, events, position } = await read(place);
      const decision = decideConversation(command, state);
      const [event] = decision.ok ? decision.events : [];
      if (event === undefined) return state;
      const outcome = await store.append(event, place, position, { eventId, nowMs: clock.nowMs() });
      if (outcome.status === "appended") {
        const next = foldConversation([event], state);
        keep(place, { state: next, events: events + 1, position: outcome.sequence });
        if (event.type === "closed" && isUntidy(events + 1, next.open.length)) await tidied(place);
        return next;
      }
      // Something has come since, or nobody knows: what stands there now decides again, and a repeat changes nothing.
      known.delete(place.thread);
    }
    throw new ServiceFailure("append_contended", { retry: "later", context: { attempts: MAX_ATTEMPTS } });
  }

  async function tidied(place: ThreadAddress): Promise<void> {
    known.delete(place.thread);
    await tidyQueue(store, place, clock);
  }

  return {
    async enter({ name: channel }, address, { id: interactionId, deadlineMs }) {
      const place = placeOf(keyring, channel, address);
      const name = { channel, thread: place.thread, interactionId, nowMs: clock.nowMs() };
      return frontOf(await decided(place, { ...name, type: "Enter", deadlineMs }));
    },
    async leave({ name: channel }, address, interactionId) {
      const place = placeOf(keyring, channel, address);
      const name = { channel, thread: place.thread, interactionId, nowMs: clock.nowMs() };
      return frontOf(await decided(place, { ...name, type: "Leave" }));
    },
    async alias({ name: channel }, address, alias) {
      const to = placeOf(keyring, channel, address);
      const place = placeOf(keyring, channel, alias);
      const { entries, position } = await store.read(place);
      const isTold = entries.some(
        ({ entry }) => "type" in entry && entry.type === "aliased" && entry.data.to === to.thread,
      );
      if (isTold) return;
      const event: ConversationEvent = {
        type: "aliased",
        data: {
          ...{ channel, thread: place.thread, at: formatInstant(clock.nowMs()) },
          ...{ partition: to.partition, to: to.thread },
          sealed: sealPayload(keyring, ALIAS_LABEL, { address }),
        },
      };
      const outcome = await store.append(event, place, position, {
        eventId: randomUUID(),
        nowMs: clock.nowMs(),
      });
      if (outcome.status !== "appended") throw new ServiceFailure("log_unavailable", { retry: "later" });
    },
  };
}
