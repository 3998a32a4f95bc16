import {
  type DriverBody,
  type DriverRegisteredData,
  type FieldFault,
  formatInstant,
} from "@interlude/contract";
import type { DriverStore, TraceContext } from "@interlude/event-log";
import type { Clock } from "@interlude/kernel";

export type RegisterDeps = {
  drivers: DriverStore;
  clock: Clock;
  hasSecret: (name: string) => boolean;
  /** Exact origins that continuations may be posted to. */
  continuationOrigins: ReadonlySet<string>;
  /** The latest deadline of a driver's open questions; includes every question whose asking was answered. */
  latestDeadlineMs: (driver: string) => Promise<number | undefined>;
};

export type RegisterOutcome =
  | { kind: "registered"; driver: DriverRegisteredData; isNew: boolean }
  | { kind: "invalid"; faults: readonly FieldFault[] }
  | { kind: "not_found" }
  /** A question is open beyond what the driver would keep its runs for. */
  | { kind: "too_short"; deadline: string };

/** Registers a driver for its owner, or changes it. */
export async function registerDriver(
  deps: RegisterDeps,
  owner: string,
  { name, ...told }: DriverBody,
  trace?: TraceContext,
): Promise<RegisterOutcome> {
  const current = await deps.drivers.find(name);
  if (current !== undefined && current.owner !== owner) return { kind: "not_found" };
  const faults = deliverFaults(told.deliver, deps);
  if (faults.length > 0) return { kind: "invalid", faults };

  const nowMs = deps.clock.nowMs();
  if (current !== undefined && isShorter(current.checkpointer, told.checkpointer)) {
    const latestMs = await deps.latestDeadlineMs(name);
    const horizonMs = nowMs + (told.checkpointer.retention_seconds ?? 0) * 1_000;
    if (latestMs !== undefined && latestMs > horizonMs)
      return { kind: "too_short", deadline: formatInstant(latestMs) };
  }
  const wanted = { driver: name, owner, ...told, at: formatInstant(nowMs) };
  const registered = await deps.drivers.register(wanted, trace);
  if (!registered.ok) return { kind: "not_found" };
  return { kind: "registered", driver: registered.driver, isNew: registered.isNew };
}

/** Without a retention a checkpoint is kept for ever. */
export function isShorter(
  current: DriverRegisteredData["checkpointer"],
  wanted: DriverRegisteredData["checkpointer"],
): boolean {
  if (wanted.retention_seconds === undefined) return false;
  return current.retention_seconds === undefined || wanted.retention_seconds < current.retention_seconds;
}

export function deliverFaults(
  deliver: DriverBody["deliver"],
  { hasSecret, continuationOrigins }: Pick<RegisterDeps, "hasSecret" | "continuationOrigins">,
): readonly FieldFault[] {
  if (deliver === undefined) return [];
  const faults: FieldFault[] = [];
  const { origin } = new URL(deliver.url);
  if (!continuationOrigins.has(origin)) {
    const message = `deliver.url: ${origin} is none of the origins of INTERLUDE_CONTINUATION_URLS`;
    faults.push({ path: "/deliver/url", message });
  }
  if (!hasSecret(deliver.secret_ref)) {
    const message = "deliver.secret_ref names no secret of INTERLUDE_SECRETS_FILE";
    faults.push({ path: "/deliver/secret_ref", message });
  }
  return faults;
}
