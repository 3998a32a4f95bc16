import type { Channel, Inbound } from "@interlude/channel-kit";
import { CAPS, formatInstant, type InboundReceivedData, InboundUpdate } from "@interlude/contract";
import {
  type ConversationStore,
  inboundPlace,
  type InboundStore,
  type ThreadAddress,
} from "@interlude/event-log";
import { type Clock, partitionOf } from "@interlude/kernel";
import { type Keyring, openSealedPayload, sealPayload } from "@interlude/secrets";
import { z } from "zod";
import { ALIAS_LABEL, placeOf } from "../conversations/logged-queue.ts";

export type RecordDeps = {
  inbound: InboundStore;
  conversations: ConversationStore;
  keyring: Keyring;
  clock: Clock;
  onIgnored: (channel: string, reason: string) => void;
};

/** The label under which what people wrote is sealed. */
const UPDATE_LABEL = "inbound-update";

const Sealed = z.object({ address: z.string(), update: InboundUpdate });
const Aliased = z.object({ address: z.string() });

/** An update with the conversation that it is part of, whatever the provider calls it. */
export type Received = z.infer<typeof Sealed>;

/** Keeps an update once: sealed, in the partition of its conversation. What a person did is told with that. */
export async function recordUpdate(
  deps: RecordDeps,
  channel: Channel,
  update: Inbound,
): Promise<(Received & { isNew: boolean }) | undefined> {
  if (update.kind === "ignored") {
    deps.onIgnored(channel.name, update.reason);
    return undefined;
  }
  const read = InboundUpdate.safeParse(update);
  if (!read.success) {
    deps.onIgnored(channel.name, "unreadable");
    return undefined;
  }
  if (update.kind === "status") {
    // What it is of is known by the message alone.
    const partition = partitionOf(`${channel.name}\n${update.messageId}`);
    const told = { channel: channel.name, kind: "status", update_id: update.updateId } as const;
    await keep(deps, { ...told, update: read.data }, partition);
    return undefined;
  }
  const address = await canonicalAddress(deps, channel, channel.address(update.address));
  const { partition, thread } = placeOf(deps.keyring, channel.name, address);
  const payload: Received = { address, update: read.data };
  const sealed = sealPayload(deps.keyring, UPDATE_LABEL, z.json().parse(payload));
  const told = { channel: channel.name, kind: update.kind, update_id: update.updateId, thread };
  const outcome = await keep(deps, { ...told, sealed }, partition);
  return outcome === undefined ? undefined : { ...payload, isNew: outcome === "stored" };
}

/** `undefined`: it is too large to be kept, and counted so. */
async function keep(
  { inbound, clock, onIgnored }: RecordDeps,
  told: Omit<InboundReceivedData, "received_at">,
  partition: number,
): Promise<"stored" | "duplicate" | undefined> {
  const received = { ...told, received_at: formatInstant(clock.nowMs()) };
  // It would never be stored, however often the provider repeated it; no medium lets a person write so much.
  if (Buffer.byteLength(JSON.stringify(received)) > CAPS.EVENT_MAX_BYTES) {
    onIgnored(told.channel, "too_large");
    return undefined;
  }
  return inbound.add(received, inboundPlace(told.channel, partition, told.update_id));
}

/** As it was kept; `undefined` where the key is gone. */
export function openUpdate(keyring: Keyring, sealed: string | undefined): Received | undefined {
  const parsed = Sealed.safeParse(openSealedPayload(keyring, UPDATE_LABEL, sealed));
  return parsed.success ? parsed.data : undefined;
}

async function canonicalAddress(
  { conversations, keyring }: RecordDeps,
  channel: Channel,
  address: string,
): Promise<string> {
  const place: ThreadAddress = placeOf(keyring, channel.name, address);
  const { entries } = await conversations.read(place);
  for (const { entry } of entries.toReversed()) {
    if (!("type" in entry) || entry.type !== "aliased") continue;
    const opened = Aliased.safeParse(openSealedPayload(keyring, ALIAS_LABEL, entry.data.sealed));
    if (opened.success) return opened.data.address;
  }
  return address;
}
