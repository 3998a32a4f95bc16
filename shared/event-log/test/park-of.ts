import { randomUUID } from "node:crypto";
import type { ParkCommand, RunCommand } from "@interlude/domain";
import { handleRunCommand, type Log, type ParkAddress, parkAddress, type RunStore } from "../src/index.ts";

/** A run with a park of its own; for tests. */
export function parkOf(
  log: Log,
  store: RunStore,
  runId: string = randomUUID(),
  ids: readonly string[] = [randomUUID()],
  driver = "bot",
) {
  const now = () => log.clock.nowMs();
  const address: ParkAddress = parkAddress(driver, runId, ids);
  const parkId = address.parkToken;

  const handle = (commandAt: (nowMs: number) => RunCommand) =>
    handleRunCommand(store, address, commandAt, now);
  const data = () => ({
    driver,
    run_id: runId,
    park_id: parkId,
    owner: "ann",
    at: new Date(now()).toISOString(),
  });

  return {
    runId,
    address,
    handle,
    park: (change: Partial<ParkCommand> = {}) =>
      handle((nowMs) => ({
        ...{ type: "Park", driver, runId, parkId, owner: "ann", interactionIds: ids, nowMs },
        ...change,
      })),
    request: () => store.requestResume(data(), address, { eventId: randomUUID(), nowMs: now() }),
    claim: (claimId: string, leaseMs = 60_000) =>
      handle((nowMs) => ({ type: "Claim", claimId, leaseMs, maxAttempts: 5, nowMs })),
    renew: (claimId: string, leaseMs = 60_000) =>
      handle((nowMs) => ({ type: "Renew", claimId, leaseMs, nowMs })),
    complete: (claimId: string) => handle((nowMs) => ({ type: "Complete", claimId, nowMs })),
    async release() {
      await this.park();
      await this.request();
    },
  };
}
