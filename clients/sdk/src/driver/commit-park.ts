import { type Fault, InteractionFailedError, InterludeError, invalid } from "../errors.ts";
import { DELIVERY_SECONDS } from "../ask/await-end.ts";
import { codeOf, isSuccess, problemOf } from "../http/problem.ts";
import { call, exchange, interactionPath, type Session } from "../session.ts";
import { SuspendedRun } from "../suspended.ts";
import { fieldsOf, text } from "../wire/fields.ts";
import type { CollectedAsk } from "./collected-asks.ts";

const AT_ONCE = 16;
const MAX_ASKS = 10_000;
const WITHDRAW_MS = 10_000;

export type Committing = Readonly<{
  /** Asks and parks: by the claim's token, where there is a claim. */
  session: Session;
  /** Withdraws what turned out to be in vain, whatever became of the claim. */
  owner: Session;
  driver: string;
  runId: string;
  retentionSeconds: number | undefined;
  signal: AbortSignal;
}>;

/** Stores the questions and parks their run on all of them, or leaves none of them open. */
export async function commitPark(to: Committing, asks: readonly CollectedAsk[]): Promise<SuspendedRun> {
  if (asks.length > MAX_ASKS) throw invalid("/interaction_ids", `a park has at most ${MAX_ASKS} questions`);
  checkRetention(to, asks);
  const stored: CollectedAsk[] = [];
  try {
    await storeAll(to, asks, stored);
    const parkId = await park(to, asks);
    const earliest = asks.reduce((least, ask) => (ask.expiryMs < least.expiryMs ? ask : least));
    return new SuspendedRun({
      interactionIds: asks.map(({ id }) => id),
      expiryAt: earliest.expiryAt,
      runId: to.runId,
      parkId,
    });
  } catch (error) {
    if (isRefusal(error)) await withdrawAll(to.owner, stored);
    throw error;
  }
}

/** Every one that the checkpointer would not keep the run for, before any is stored. */
function checkRetention({ driver, retentionSeconds }: Committing, asks: readonly CollectedAsk[]): void {
  if (retentionSeconds === undefined) return;
  const horizonMs = Date.now() + retentionSeconds * 1_000;
  const late = asks.filter(({ expiryMs }) => expiryMs > horizonMs);
  if (late.length === 0) return;
  const horizon = new Date(horizonMs).toISOString();
  const errors = late.map(({ id, expiryAt }): Fault => {
    const message = `expiry_at ${expiryAt} of interaction ${id} lies beyond ${horizon}, until when the checkpointer of driver ${JSON.stringify(driver)} keeps the run`;
    return { path: "/expiry_at", message };
  });
  throw new InterludeError({
    code: "validation_failed",
    detail: "Nothing has been asked: the run would be gone before its questions end",
    errors,
    interactionId: late[0]?.id,
  });
}

async function storeAll(
  to: Committing,
  asks: readonly CollectedAsk[],
  stored: CollectedAsk[],
): Promise<void> {
  const failures: { place: number; error: unknown }[] = [];
  const waiting = asks.entries();
  const worker = async (): Promise<void> => {
    for (const [place, ask] of waiting) {
      if (failures.length > 0) return;
      try {
        if (await store(to, ask)) stored.push(ask);
      } catch (error) {
        failures.push({ place, error });
        // What failed on its way may have arrived. Under an id of one time nobody else can mean it.
        if (!ask.isNamed) stored.push(ask);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, asks.length) }, worker));
  // A refusal is told before what may only be its consequence, and of several the first by order.
  failures.sort(
    (one, other) => Number(isRefusal(other.error)) - Number(isRefusal(one.error)) || one.place - other.place,
  );
  if (failures[0] !== undefined) throw failures[0].error;
}

/** Whether the question is of this call's making: one that was there before may belong to a park that stands. */
async function store({ session, signal }: Committing, ask: CollectedAsk): Promise<boolean> {
  let isRepeated = false;
  const watched: Session = {
    ...session,
    onRetry: (retry) => {
      isRepeated = true;
      session.onRetry?.(retry);
    },
  };
  const request = {
    method: "POST",
    path: "api/interactions",
    body: ask.body,
    ...(ask.overChannel ? { headers: { prefer: "delivered" }, holdSeconds: DELIVERY_SECONDS } : {}),
  } as const;
  const reply = await exchange(watched, request, { signal });
  if (codeOf(reply) === "delivery_failed") throw new InteractionFailedError(ask.id, problemOf(reply).detail);
  if (!isSuccess(reply)) throw problemOf(reply, ask.id);
  return reply.status === 201 || isRepeated || !ask.isNamed;
}

async function park(to: Committing, asks: readonly CollectedAsk[]): Promise<string> {
  const { session, driver, runId, signal } = to;
  const request = {
    method: "POST",
    path: `api/runs/${encodeURIComponent(driver)}/${encodeURIComponent(runId)}/park`,
    body: JSON.stringify({ interaction_ids: asks.map(({ id }) => id) }),
  } as const;
  const reply = await call(session, request, { signal });
  return text(fieldsOf(reply.body, "park"), "park_id");
}

/**
 * Whether the service has said no. A failure on the way leaves open what was stored; and whoever has lost the lease
 * must not touch what its successor asks under the same ids.
 */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof InterludeError)) return false;
  if (error instanceof InteractionFailedError) return true;
  const { status, code } = error;
  return status >= 400 && status < 500 && status !== 401 && code !== "lease_lost";
}

async function withdrawAll(session: Session, asks: readonly CollectedAsk[]): Promise<void> {
  const waiting = asks.values();
  const untilMs = Date.now() + WITHDRAW_MS;
  const worker = async (): Promise<void> => {
    for (const { id } of waiting) {
      const body = JSON.stringify({ reason: "its run could not be parked" });
      const request = { method: "POST", path: interactionPath(id, "/cancel"), body } as const;
      // Best effort: whoever cannot be reached now is asked in vain until the deadline.
      await exchange(session, request, { untilMs }).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, asks.length) }, worker));
}
