import { formatInstant, TURN_LABEL, type TurnContent, TurnContentSchema } from "@interlude/contract";
import {
  conversationRunId,
  createDriverStore,
  createTurnStore,
  type Log,
  turnAddress,
  turnId,
} from "@interlude/event-log";
import { type Clock, uuidV7 } from "@interlude/kernel";
import { type Keyring, sealPayload } from "@interlude/secrets";
import { placeOf } from "./logged-queue.ts";
import type { Routes, Said } from "./routes.ts";
import { saidAt as toldAt } from "./said-at.ts";

/** What a person said that answers no question. */
export type Utterance = Readonly<
  Omit<TurnContent, "at"> & {
    /** What tells a repeat, as the provider's id of the update: the same is said once. */
    updateId: string;
    /** What the provider calls the conversation, which is `address` to us. */
    saidAt?: string;
    /** Where the provider says when. */
    atMs?: number;
  }
>;

/** Where everything goes that a person says and that answers no question. */
export interface Conversations {
  /** Whether there is a route that takes it. */
  isRouted(channel: string, said: Said): boolean;
  /**
   * Gives it to the driver of its route: once, and behind everything of that conversation that was given before.
   * `address` as `Channel.address` writes it. May be called by any process. @throws ServiceFailure: call again.
   */
  enter(channel: string, said: Utterance): Promise<"entered" | "no_route">;
}

export type ConversationsDeps = Readonly<{ log: Log; routes: Routes; keyring: Keyring; clock: Clock }>;

export function createConversations({ log, routes, keyring, clock }: ConversationsDeps): Conversations {
  const turns = createTurnStore(log);
  const drivers = createDriverStore(log);
  /** An owner never changes. */
  const owners = new Map<string, string>();

  /** Empty where nobody has registered the driver yet: what is said waits for who does. */
  async function ownerOf(driver: string): Promise<string> {
    const known = owners.get(driver) ?? (await drivers.find(driver))?.owner;
    if (known !== undefined) owners.set(driver, known);
    return known ?? "";
  }

  /** A conversation that has begun under the provider's name for it goes on there, whatever else it is called since. */
  async function placeIn(
    channel: string,
    driver: string,
    { address, saidAt = address }: Pick<Utterance, "address" | "saidAt">,
  ) {
    const kept = { address, place: placeOf(keyring, channel, address) };
    if (saidAt === address) return kept;
    const place = placeOf(keyring, channel, saidAt);
    const first = turnAddress(driver, conversationRunId(place.thread), turnId(channel, ""));
    return (await turns.hasBegun(first)) ? { address: saidAt, place } : kept;
  }

  return {
    isRouted: (channel, said) => routes.find(channel, said) !== undefined,
    async enter(channel, { updateId, atMs, address: kept, saidAt, ...said }) {
      const route = routes.find(channel, said);
      if (route === undefined) return "no_route";
      const { driver } = route;
      const nowMs = clock.nowMs();
      const { address, place } = await placeIn(channel, driver, {
        ...{ address: kept, ...(saidAt === undefined ? {} : { saidAt }) },
      });
      const runId = conversationRunId(place.thread);
      const id = turnId(channel, updateId);
      const content = TurnContentSchema.parse({ ...said, address, at: toldAt(atMs, nowMs) });
      const data = {
        ...{ driver, run_id: runId, park_id: id, owner: await ownerOf(driver), at: formatInstant(nowMs) },
        turn: {
          ...{ channel, partition: place.partition, thread: place.thread, route: route.id },
          sealed: sealPayload(keyring, TURN_LABEL, content),
        },
      };
      await turns.receive(data, turnAddress(driver, runId, id), { eventId: uuidV7(nowMs), nowMs });
      return "entered";
    },
  };
}
