import type { Channel } from "@interlude/channel-kit";
import {
  type Ask,
  type AskedData,
  CAPS,
  type DriverRegisteredData,
  type FieldFault,
  parseAsk,
  type Parsed,
  parseInstant,
  type RunName,
} from "@interlude/contract";
import { fold, type InteractionRefusal, isRepeatOf, type KnownInteraction } from "@interlude/domain";
import { handleCommand, type InteractionStore, type TraceContext } from "@interlude/event-log";
import {
  canonicalJson,
  type Clock,
  isJsonObject,
  type Json,
  ServiceFailure,
  sha256Base64Url,
  uuidV7,
} from "@interlude/kernel";
import type { AnswerKeys, CallbackLinks, Settings } from "@interlude/service-kit";
import { channelFaults, type ChannelChoice, destinationOf, findChannel, shownMedia } from "./ask-channel.ts";
import { buildAsked, deadlineOf } from "./build-asked.ts";
import { checkAskContent, checkAskSurroundings } from "./check-ask.ts";
import { type Identified, identifyAsk } from "./identify-ask.ts";
import { itemsAsLong, type MediaPlan, referenceFaults, placeMedia, planMedia } from "./ask-media.ts";
import { type AskLink, linkOf } from "./ask-link.ts";
import type { OpenAsks } from "./open-asks.ts";
import type { AskMedia } from "./ports.ts";
import type { QueuedAsks, QueuePlace } from "./queued-asks.ts";

export type AskDeps = ChannelChoice & {
  store: InteractionStore;
  clock: Clock;
  settings: Settings;
  media: AskMedia;
  answerKeys: AnswerKeys;
  openAsks: OpenAsks;
  queuedAsks: QueuedAsks;
  links: CallbackLinks;
  hasSecret: (name: string) => boolean;
  /** As it was registered last, seen by every process from then on. */
  findDriver: (name: string) => Promise<DriverRegisteredData | undefined>;
  /** Counts on this many bytes; `false`: the room that the log has left is kept for answers. */
  hasRoomFor: (bytes: number) => boolean;
};

export type AskRequest = {
  subject: string;
  groups: readonly string[];
  isOperator: boolean;
  /** The run that asks, when it asks by the token of its claim. */
  run?: RunName;
  body: Json;
  idempotencyKey: string | undefined;
  trace?: TraceContext;
  /** Told the id before anything is stored, so that a caller can start to listen. */
  onIdentified?: (id: string) => void;
  /** Asked before a new question is stored for which the request would be held: may it be? */
  takeWait?: (asked: AskedData) => boolean;
};

export type AskOutcome =
  | { kind: "asked"; state: KnownInteraction; sequence: number; isRepeat: boolean }
  | { kind: "invalid"; faults: readonly FieldFault[] }
  | { kind: "not_found" }
  | { kind: "conflict" }
  | { kind: "too_large" }
  | { kind: "limit_reached"; cap: number }
  /** As many questions wait for that person as may. */
  | { kind: "queue_full"; cap: number }
  | { kind: "too_many_waits" }
  | { kind: "unavailable"; refusal: InteractionRefusal };

/** Asks a question: everything that can refuse it is looked at before anything is stored. */
export async function askQuestion(deps: AskDeps, request: AskRequest): Promise<AskOutcome> {
  const { subject, body } = request;
  const identified = identify(deps, request);
  const fingerprint = sha256Base64Url(canonicalJson(body));
  if (identified?.ok === true) {
    request.onIdentified?.(identified.id);
    const repeat = identified.isGiven
      ? await findRepeat(deps.store, identified.id, { asker: subject, fingerprint })
      : undefined;
    if (repeat !== undefined) return repeat;
  }
  const checked = checkBody(deps, body, identified);
  if (!checked.ok) return { kind: "invalid", faults: checked.faults };
  // A body that is right has an id that could be read.
  if (identified?.ok !== true) return { kind: "not_found" };
  return askNew(deps, request, checked.value, { ...identified, fingerprint });
}

/** The id, as far as it can be told whatever else is wrong with the body: a question that has it comes first. */
function identify(
  { links: { keyring }, clock }: AskDeps,
  { subject, body, idempotencyKey }: AskRequest,
): Identified | undefined {
  if (!isJsonObject(body)) return undefined;
  const bodyId = body["id"];
  if (bodyId !== undefined && typeof bodyId !== "string") return undefined;
  return identifyAsk({ subject, bodyId, idempotencyKey }, keyring, clock.nowMs());
}

function checkBody(deps: AskDeps, body: Json, identified: Identified | undefined): Parsed<Ask> {
  const isReservation = (id: string) => id.startsWith("r_");
  const parsed = parseAsk(body, { publicBaseUrl: deps.links.baseUrl, isReservation });
  const isRefused = identified?.ok === false && identified.kind === "invalid";
  // What is wrong with the id in the body has been told by its own rule.
  const faults = isRefused ? identified.faults.filter(({ path }) => path !== "/id") : [];
  if (!parsed.ok) return { ok: false, faults: [...parsed.faults, ...faults] };
  faults.push(...checkAskContent(parsed.value));
  if (identified?.ok === true && identified.reservation !== undefined) {
    // Its callback URL is out in the world and would be dead for good.
    const message = "id is a reservation, which is for an external question";
    if (parsed.value.answer_format !== "external") faults.push({ path: "/id", message });
  }
  return faults.length === 0 ? parsed : { ok: false, faults };
}

/** A repeat is answered before any rule: its content was right when it was asked. Other content is a conflict. */
async function findRepeat(
  store: InteractionStore,
  id: string,
  asked: Pick<AskedData, "asker" | "fingerprint">,
): Promise<AskOutcome | undefined> {
  const history = await store.readFresh(id);
  const folded = fold(history.entries.map((stored) => stored.entry));
  if (!folded.ok) return { kind: "unavailable", refusal: folded.refusal };
  const { state } = folded;
  if (state.status === "unasked") return undefined;
  if (!isRepeatOf(state, asked)) return { kind: "conflict" };
  return { kind: "asked", state, sequence: history.position, isRepeat: true };
}

type Identity = { id: string; fingerprint: string; reservation?: { kid: string; nonce: string } };

async function askNew(deps: AskDeps, request: AskRequest, ask: Ask, identity: Identity): Promise<AskOutcome> {
  const { id } = identity;
  const nowMs = deps.clock.nowMs();
  const deadlineMs = deadlineOf(
    ask,
    nowMs,
    deps.settings.answer_timeout_seconds,
    (text) => parseInstant(text) ?? 0,
  );
  const { hasSecret } = deps;
  const { baseUrl: publicBaseUrl } = deps.links;
  const found = findChannel(ask.channel, deps);
  const driver = await ownDriver(deps, request.subject, ask);
  const surroundings = { id, nowMs, deadlineMs, publicBaseUrl, hasSecret, driver };
  const plan = planMedia(ask.media, publicBaseUrl);
  const link = linkOf(ask, id, identity.reservation, deps.links);
  const faults = [
    ...checkAskSurroundings(ask, { ...surroundings, channelFaults: found.ok ? [] : found.faults }),
    ...(link.ok ? [] : link.faults),
    ...(found.ok && found.channel !== undefined ? mediumFaults(deps, found.channel, ask, plan, link) : []),
    ...(await referenceFaults(deps.media, plan)),
  ];
  if (faults.length > 0 || !link.ok || !found.ok) return { kind: "invalid", faults };
  const destination = found.channel === undefined ? undefined : destinationOf(found.channel, ask.recipient);

  const asked = buildAsked(ask, {
    id,
    asker: request.subject,
    askerGroups: request.groups,
    groupId: ask.group_id ?? uuidV7(nowMs),
    askedIn: request.run,
    nowMs,
    deadlineMs,
    fingerprint: identity.fingerprint,
    ticket: link.ticket,
    storedLink: link.stored,
    media: itemsAsLong(plan),
    destination,
  });
  const bytes = Buffer.byteLength(JSON.stringify(asked));
  if (bytes > CAPS.EVENT_MAX_BYTES) return { kind: "too_large" };
  if (request.takeWait?.(asked) === false) return { kind: "too_many_waits" };
  if (!deps.hasRoomFor(bytes)) throw new ServiceFailure("log_full", { retry: "later" });
  const hasQueue = found.channel?.capabilities.replyContext === false;
  return storeInQueue(deps, request, asked, { plan, hasQueue });
}

function mediumFaults(
  deps: AskDeps,
  channel: Channel,
  ask: Ask,
  plan: MediaPlan,
  link: AskLink,
): readonly FieldFault[] {
  return channelFaults(channel, ask, {
    media: shownMedia(itemsAsLong(plan), deps.links.baseUrl),
    linkUrl: link.ok ? link.filled : undefined,
  });
}

/** Where a reply cannot say what it is to, questions wait for each other, and only so many may. */
async function storeInQueue(
  deps: AskDeps,
  request: AskRequest,
  asked: AskedData,
  { plan, hasQueue }: { plan: MediaPlan; hasQueue: boolean },
): Promise<AskOutcome> {
  const { interaction_id: id, channel, address } = asked;
  if (!hasQueue || channel === undefined || address === undefined) {
    return storeAsked(deps, request, asked, plan);
  }
  const place: QueuePlace = { channel, address };
  const cap = deps.settings.max_queued;
  if (!(await deps.queuedAsks.reserve(place, id, cap))) return { kind: "queue_full", cap };
  let isAsked = false;
  try {
    const outcome = await storeAsked(deps, request, asked, plan);
    isAsked = outcome.kind === "asked" && !outcome.isRepeat;
    return outcome;
  } finally {
    if (!isAsked) deps.queuedAsks.giveBack(place, id);
  }
}

async function ownDriver(
  deps: AskDeps,
  subject: string,
  ask: Ask,
): Promise<DriverRegisteredData | undefined> {
  const driver = ask.mode === "async" ? await deps.findDriver(ask.run.driver) : undefined;
  return driver?.owner === subject ? driver : undefined;
}

/** The only part with effects: a place under the cap, the bytes, the key, and then the event. */
async function storeAsked(
  deps: AskDeps,
  request: AskRequest,
  asked: AskedData,
  plan: MediaPlan,
): Promise<AskOutcome> {
  const { subject } = request;
  const { interaction_id: id, mode } = asked;
  const cap = request.isOperator
    ? 0
    : mode === "sync"
      ? deps.settings.max_concurrent
      : deps.settings.max_parked;
  if (!(await deps.openAsks.reserve(subject, mode, id, cap))) return { kind: "limit_reached", cap };

  try {
    const placed = await placeMedia(deps.media, plan, id);
    if (!placed.ok) {
      deps.openAsks.giveBack(subject, mode, id);
      return { kind: "invalid", faults: placed.faults };
    }
    const hadKey = asked.sensitive && !(await deps.answerKeys.make(id));
    const command = {
      type: "Ask",
      asked: placed.items === undefined ? asked : { ...asked, media: placed.items },
    } as const;
    const trace = request.trace === undefined ? {} : { trace: request.trace };
    const handled = await handleCommand(deps.store, id, command, () => deps.clock.nowMs(), trace);
    if (handled.ok && handled.changed) {
      // A key left over from an earlier try is old enough to be swept until its question is there.
      if (hadKey) await deps.answerKeys.make(id);
      return { kind: "asked", state: handled.state, sequence: handled.sequence, isRepeat: false };
    }
    await takeBack(deps, subject, asked, placed.stored);
    if (handled.ok)
      return { kind: "asked", state: handled.state, sequence: handled.sequence, isRepeat: true };
    if (!("refusal" in handled) || handled.refusal.code === "idempotency_conflict")
      return { kind: "conflict" };
    return { kind: "unavailable", refusal: handled.refusal };
  } catch (error) {
    deps.openAsks.giveBack(subject, mode, id);
    throw error;
  }
}

async function takeBack(
  deps: AskDeps,
  subject: string,
  asked: AskedData,
  stored: readonly string[],
): Promise<void> {
  deps.openAsks.giveBack(subject, asked.mode, asked.interaction_id);
  await deps.media.discard(stored);
}
