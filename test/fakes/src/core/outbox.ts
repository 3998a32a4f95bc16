import { setTimeout as delay } from "node:timers/promises";

/** One webhook as it goes out; made anew for each attempt, so that timestamps and signatures are fresh. */
export type WebhookRequest = Readonly<{
  url: string;
  method: "GET" | "POST";
  headers: Readonly<Record<string, string>>;
  body?: string;
}>;
export type Attempt = Readonly<{ number: number; reason?: string }>;

export type WebhookOutcome =
  | Readonly<{ kind: "answered"; status: number; contentType: string; body: string; tookMs: number }>
  | Readonly<{ kind: "failed"; reason: "no_target" | "timeout" | "unreachable" }>;

export type Delivery = Readonly<{
  id: string;
  /** What it tells, in the provider's word for it. */
  topic: string;
  /** What went out, one entry an attempt. */
  attempts: readonly Readonly<{ request: WebhookRequest; outcome: WebhookOutcome }>[];
}>;

export interface Outbox {
  readonly deliveries: readonly Delivery[];
  /** From now on webhooks wait. */
  hold(): void;
  /** Sends what waits, in order or from the last to the first, one after the other. */
  release(order?: "in_order" | "reversed"): Promise<void>;
  /** Sends a webhook again as the provider would; without an id, the last one. */
  redeliver(id?: string): Promise<Delivery>;
  /** Webhooks to this origin go to that base URL instead; their URL and signature stay. */
  reach(origin: string, base: string): void;
  /** Resolves when no webhook is on its way. */
  idle(): Promise<void>;
}

export interface Sender extends Outbox {
  /** Sends at once and resolves with what came back; a held one resolves with no attempt made. */
  send(webhook: Webhook): Promise<Delivery>;
  stop(): void;
}

export type Webhook = Readonly<{
  topic: string;
  /** Undefined when nobody has told the provider where to deliver. */
  build: (attempt: Attempt) => WebhookRequest | undefined;
  /** How long the provider waits for an answer. */
  timeoutMs: number;
  /** Whether an answer counts; a 2xx does unless said otherwise. */
  isTaken?: (status: number) => boolean;
}>;

export type OutboxOptions = Readonly<{
  /** Waits before each repetition of a webhook that was not taken; none unless given. */
  retryDelaysMs?: readonly number[];
  /** After each attempt, whoever made it. */
  onDelivered?: () => void;
}>;

/** Nothing was sent that could be delivered again. */
export class NoSuchWebhook extends Error {
  override readonly name = "NoSuchWebhook";
  constructor(id: string | undefined) {
    super(id === undefined ? "no webhook was sent yet" : `no webhook ${id} was sent`);
  }
}

type Entry = { id: string; webhook: Webhook; attempts: Delivery["attempts"][number][] };

export function createOutbox(options: OutboxOptions): Sender {
  const entries: Entry[] = [];
  const running = new Set<Promise<unknown>>();
  const routes = new Map<string, string>();
  const stopping = new AbortController();
  let held: Entry[] | undefined;

  const delivery = ({ id, webhook, attempts }: Entry): Delivery => ({ id, topic: webhook.topic, attempts });

  const attempt = async (entry: Entry): Promise<void> => {
    const last = entry.attempts.at(-1)?.outcome;
    const number = entry.attempts.length;
    const reason = last === undefined ? undefined : reasonOf(last);
    const request = entry.webhook.build({ number, ...(reason === undefined ? {} : { reason }) });
    const outcome =
      request === undefined
        ? ({ kind: "failed", reason: "no_target" } as const)
        : await call(request, routes, entry.webhook.timeoutMs, stopping.signal);
    entry.attempts.push({ request: request ?? { url: "", method: "POST", headers: {} }, outcome });
    options.onDelivered?.();
  };

  const retry = async (entry: Entry): Promise<void> => {
    for (const ms of options.retryDelaysMs ?? []) {
      if (isTaken(entry)) return;
      await delay(ms, undefined, { signal: stopping.signal, ref: false });
      await attempt(entry);
    }
  };

  const track = async (work: Promise<void>): Promise<void> => {
    running.add(work);
    await work.finally(() => running.delete(work));
  };

  const deliver = async (entry: Entry): Promise<Delivery> => {
    await track(attempt(entry));
    if ((options.retryDelaysMs ?? []).length > 0) void retry(entry).catch(() => undefined);
    return delivery(entry);
  };

  return {
    get deliveries() {
      return entries.map(delivery);
    },
    async send(webhook) {
      const entry: Entry = { id: `webhook-${entries.length + 1}`, webhook, attempts: [] };
      entries.push(entry);
      if (held === undefined) return deliver(entry);
      held.push(entry);
      return delivery(entry);
    },
    hold() {
      held ??= [];
    },
    async release(order = "in_order") {
      const waiting = held ?? [];
      held = undefined;
      for (const entry of order === "reversed" ? waiting.reverse() : waiting) await deliver(entry);
    },
    async redeliver(id) {
      const entry = id === undefined ? entries.at(-1) : entries.find((each) => each.id === id);
      if (entry === undefined) throw new NoSuchWebhook(id);
      return deliver(entry);
    },
    reach(origin, base) {
      routes.set(new URL(origin).origin, base);
    },
    async idle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
    stop: () => {
      stopping.abort();
    },
  };
}

function isTaken({ attempts, webhook }: Entry): boolean {
  const outcome = attempts.at(-1)?.outcome;
  const taken = webhook.isTaken ?? ((status) => status >= 200 && status < 300);
  return outcome?.kind === "answered" && taken(outcome.status);
}

function reasonOf(outcome: WebhookOutcome): string {
  return outcome.kind === "answered" ? "http_error" : outcome.reason;
}

async function call(
  request: WebhookRequest,
  routes: ReadonlyMap<string, string>,
  timeoutMs: number,
  stopping: AbortSignal,
): Promise<WebhookOutcome> {
  const url = new URL(request.url);
  const base = routes.get(url.origin);
  const target = base === undefined ? url : new URL(url.pathname + url.search, base);
  const startedMs = performance.now();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(target, {
      method: request.method,
      headers: request.headers,
      redirect: "manual",
      signal: AbortSignal.any([timeout, stopping]),
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    return {
      kind: "answered",
      status: response.status,
      contentType: response.headers.get("content-type") ?? "",
      body: await response.text(),
      tookMs: performance.now() - startedMs,
    };
  } catch {
    return { kind: "failed", reason: timeout.aborted ? "timeout" : "unreachable" };
  }
}
