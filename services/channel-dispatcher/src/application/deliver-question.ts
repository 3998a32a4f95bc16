import {
  type Channel,
  type OutgoingQuestion,
  type ProviderRequest,
  type SendOutcome,
  STOPPED,
} from "@interlude/channel-kit";
import type { AskedData } from "@interlude/contract";
import { deadlineMs } from "@interlude/domain";
import { type Clock, ServiceFailure } from "@interlude/kernel";
import type { DeliveryRecord, Progress, Receipt } from "./delivery-record.ts";
import { type AttemptRules, nextStep, toldOutcome } from "./next-step.ts";
import { pause } from "./pause.ts";
import { sendTimed } from "./send-all.ts";
import type { SendGate } from "./send-gate.ts";
import { whileOpen } from "./while-open.ts";

export type DeliverDeps = Readonly<{
  channel: Channel;
  record: DeliveryRecord;
  gate: SendGate;
  rules: AttemptRules;
  clock: Clock;
  outgoing: (asked: AskedData) => OutgoingQuestion;
  /** Told of each send and how long it took. */
  onSend: (outcome: SendOutcome, tookMs: number) => void;
  onFailure: (error: unknown) => void;
  /** Told where the provider says it went, before it is recorded: a reply may come at once. */
  onAlias: (address: string, alias: string) => Promise<void>;
  /** Told which messages show the question: what the provider says of them later names nothing else. */
  onReceipt: (id: string, messageIds: readonly string[]) => Promise<void>;
}>;

export type Interrupts = Readonly<{
  /** The worker stops, or has lost the partition: nothing is begun any more. */
  stopping: AbortSignal;
  /** The question has ended elsewhere. */
  ended: AbortSignal;
  /** What is on its way is waited for no longer. */
  cut: AbortSignal;
}>;

/** `over`: nothing more is to be done for it; `interrupted`: somebody else goes on. */
export type Delivered = "over" | "interrupted";

type Sent = Extract<SendOutcome, { kind: "sent" }>;
type NotSent = Exclude<SendOutcome, Sent>;

/**
 * Brings one question to the person, with every attempt it may take, and keeps its lane all the while. What a worker
 * before has begun is counted; what it may have sent is sent once more at most.
 */
export async function deliverQuestion(
  deps: DeliverDeps,
  id: string,
  interrupts: Interrupts,
  /** `hasWritten`: the person, who had to, has. `known`: what was read of it just now. */
  { hasWritten = false, known }: { hasWritten?: boolean; known?: Progress | undefined } = {},
): Promise<Delivered> {
  let justRead = known;
  for (;;) {
    const progress = justRead ?? (await deps.record.read(id));
    justRead = undefined;
    if (progress === undefined || (await isOver(deps, id, progress))) return "over";
    const { delivery, state } = progress;
    if (delivery.awaitsPerson && !hasWritten) return "over";
    if (delivery.isUnfinished) {
      const lost: NotSent = { kind: "unknown", reason: "the worker that sent it was lost" };
      await recordFailure(
        deps,
        { id, progress, number: delivery.attempts, taken: takenBefore(progress) },
        lost,
      );
      continue;
    }
    const dueMs = deadlineMs(state.asked);
    const nowMs = deps.clock.nowMs();
    const waitMs = Math.min(delivery.retryAtMs ?? 0, dueMs) - nowMs;
    if (waitMs > 0) await whileOpen(waitMs, early(interrupts), (signal) => pause(waitMs, signal));
    if (deps.clock.nowMs() >= dueMs || interrupts.ended.aborted) return "over";
    if (interrupts.stopping.aborted) return "interrupted";
    if ((await attempt(deps, id, progress, interrupts)) === "told") return "over";
  }
}

/** It has ended, arrived, may have arrived, or will not: what is missing of that is made up for. */
async function isOver({ record, clock }: DeliverDeps, id: string, progress: Progress): Promise<boolean> {
  const { state, delivery } = progress;
  if (state.status !== "pending") return true;
  if (clock.nowMs() >= deadlineMs(state.asked)) return true;
  if (delivery.failedReason !== undefined) await record.fail(id, delivery.failedReason);
  return delivery.isOver;
}

/** What of the question has arrived by an attempt that failed: the next one goes on behind it. */
function takenBefore({ delivery }: Progress): Sent[] {
  return delivery.taken.map((messageId) => ({ kind: "sent", messageId }));
}

/** `told`: it was sent, and recorded so; else the log says what follows. */
async function attempt(
  deps: DeliverDeps,
  id: string,
  progress: Progress,
  interrupts: Interrupts,
): Promise<"told" | "look"> {
  const { channel, record, gate, clock } = deps;
  const { asked } = progress.state;
  const rendered = await renderOrFail(deps, id, asked);
  if (rendered === undefined) return "look";
  const { address, requests, shape, numbered } = rendered;
  const number = progress.delivery.attempts + 1;
  const taken = takenBefore(progress);

  // A place is not waited for beyond the deadline.
  const remainingMs = deadlineMs(asked) - clock.nowMs();
  const leave = await whileOpen(remainingMs, early(interrupts), (signal) => gate.enter(address, signal));
  if (leave === undefined) return "look";
  let outcome: SendOutcome = STOPPED;
  let isOpener = false;
  try {
    if (!(await record.start(id, number))) return "look";
    const goOn = () => toldOfTaken(deps, id, number, taken);
    outcome = await sendEach(deps, requests.slice(taken.length), taken, interrupts, goOn);
    const opener = openerFor(deps, progress, outcome);
    if (opener.length > 0) {
      isOpener = true;
      outcome = await sendEach(deps, opener, taken, interrupts);
    }
  } finally {
    leave(outcome);
  }
  if (outcome.kind !== "sent") {
    await recordFailure(deps, { id, progress, number, taken }, outcome);
    return "look";
  }
  const controls = requests.map(({ carriesControls }) => carriesControls === true && !isOpener);
  const receipt = receiptOf(channel, taken, controls, address);
  if (receipt.address !== address) await deps.onAlias(address, receipt.address);
  await deps.onReceipt(id, receipt.messageIds);
  await record.delivered(id, number, {
    ...{ ...receipt, shape },
    ...(numbered === undefined ? {} : { numbered }),
    ...(isOpener ? { opener: true } : {}),
  });
  return "told";
}

/** Adds what was taken to `taken`; tells of the first that was not, else of the last. */
async function sendEach(
  deps: DeliverDeps,
  requests: readonly ProviderRequest[],
  taken: Sent[],
  { cut }: Interrupts,
  mayGoOn: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<SendOutcome> {
  let last: SendOutcome = taken.at(-1) ?? { kind: "rejected", reason: "there is nothing to send" };
  for (const [index, request] of requests.entries()) {
    if (index > 0 && !(await mayGoOn())) return STOPPED;
    last = await sendTimed(deps, request, cut);
    if (last.kind !== "sent") return last;
    taken.push(last);
  }
  return last;
}

/** So that whoever goes on after a kill does so behind them. A log that is away holds up nothing that is half sent. */
async function toldOfTaken(
  { record, onFailure }: DeliverDeps,
  id: string,
  number: number,
  taken: readonly Sent[],
): Promise<boolean> {
  try {
    return await record.goOn(
      id,
      number,
      taken.map(({ messageId }) => messageId),
    );
  } catch (error) {
    onFailure(error);
    return true;
  }
}

/** What may go to a person who has to write first, once. */
function openerFor(
  { channel, outgoing }: DeliverDeps,
  { state, delivery }: Progress,
  outcome: SendOutcome,
): readonly ProviderRequest[] {
  const isNeeded = outcome.kind === "rejected" && outcome.needsOpener === true && !delivery.awaitsPerson;
  return isNeeded ? (channel.renderOpener?.(outgoing(state.asked)) ?? []) : [];
}

/** What cannot be made, as after a change of the channel's configuration, ends the question: waiting mends nothing. */
async function renderOrFail(
  { channel, outgoing, record, onFailure }: DeliverDeps,
  id: string,
  asked: AskedData,
) {
  try {
    const question = outgoing(asked);
    return { address: channel.address(question.recipient), ...channel.render(question) };
  } catch (error) {
    onFailure(error);
    await record.fail(id, error instanceof ServiceFailure ? error.message : "it cannot be rendered");
    return undefined;
  }
}

type Attempted = { id: string; progress: Progress; number: number; taken: readonly Sent[] };

async function recordFailure(
  { record, rules, clock }: DeliverDeps,
  { id, progress, number, taken }: Attempted,
  outcome: NotSent,
): Promise<void> {
  const nowMs = clock.nowMs();
  const remainingMs = deadlineMs(progress.state.asked) - nowMs;
  const unknownBefore = progress.delivery.unknown;
  const step = nextStep(outcome, { number, unknownBefore, remainingMs }, rules);
  const isAgain = step.kind === "again";
  await record.attemptFailed(id, number, {
    // That an attempt may have arrived stays true of those that follow it.
    outcome: step.kind === "unknown" || (isAgain && unknownBefore > 0) ? "unknown" : outcome.kind,
    reason: "reason" in step ? step.reason : toldOutcome(outcome),
    ...(isAgain ? { retryAtMs: nowMs + step.delayMs } : {}),
    final: !isAgain,
    messageIds: taken.map(({ messageId }) => messageId),
  });
}

function receiptOf(
  channel: Channel,
  taken: readonly Sent[],
  controls: readonly boolean[],
  address: string,
): Omit<Receipt, "shape" | "numbered"> {
  return {
    address: channel.address(taken.at(-1)?.address ?? address),
    messageIds: taken.map(({ messageId }) => messageId),
    controls: taken.flatMap(({ messageId }, index) => (controls[index] === true ? [messageId] : [])),
  };
}

/** What ends a wait before its time. */
function early({ stopping, ended }: Interrupts): readonly AbortSignal[] {
  return [stopping, ended];
}
