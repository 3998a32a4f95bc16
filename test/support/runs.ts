import { randomUUID } from "node:crypto";
import type { DriverRegisteredData } from "@interlude/contract";
import type { RunCommand } from "@interlude/domain";
import {
  createDriverStore,
  createRunStore,
  handleRunCommand,
  openLog,
  parkAddress,
} from "@interlude/event-log";
import { mintClaimId, mintClaimToken, parseKeyring } from "@interlude/secrets";

export type HeldClaim = {
  claimId: string;
  token: string;
  renew: (leaseMs: number) => Promise<void>;
  complete: () => Promise<void>;
};

/** Drivers, and claims of runs with their tokens, written to the log as whoever runs them does. */
export type Runs = {
  /** Registers the driver, or changes it; there for every process once it has resolved. */
  register(driver: string, owner: string, retentionSeconds?: number): Promise<void>;
  /** Parks the run on a question of nobody's, releases it and takes its claim, for `ann`. */
  claim(driver: string, runId: string, leaseMs?: number): Promise<HeldClaim>;
  close(): Promise<void>;
};

export async function openRuns(natsUrl: string, sessionKeys: string): Promise<Runs> {
  const log = await openLog({ url: natsUrl, service: "runs" });
  const [drivers, store] = [createDriverStore(log), createRunStore(log)];
  const keyring = parseKeyring(sessionKeys, "INTERLUDE_SESSION_KEYS");
  const at = () => new Date(log.clock.nowMs()).toISOString();

  return {
    async register(driver, owner, retentionSeconds) {
      const checkpointer: DriverRegisteredData["checkpointer"] = {
        kind: "postgres",
        ...(retentionSeconds === undefined ? {} : { retention_seconds: retentionSeconds }),
      };
      const registered = await drivers.register({ driver, owner, checkpointer, at: at() });
      if (!registered.ok) throw new Error(`${driver} is ${owner}'s no more`);
    },

    async claim(driver, runId, leaseMs = 60_000) {
      const ids = [randomUUID()];
      const address = parkAddress(driver, runId, ids);
      const owner = "ann";
      const claimId = mintClaimId(keyring, address);
      const handle = async (commandAt: (nowMs: number) => RunCommand) => {
        const handled = await handleRunCommand(store, address, commandAt, () => log.clock.nowMs());
        if (!handled.ok) throw new Error(JSON.stringify(handled));
      };
      const parkId = address.parkToken;
      const park = { type: "Park", driver, runId, parkId, owner, interactionIds: ids } as const;
      await handle((nowMs) => ({ ...park, nowMs }));
      await handle((nowMs) => ({ type: "RequestResume", nowMs }));
      await handle((nowMs) => ({ type: "Claim", claimId, leaseMs, maxAttempts: 5, nowMs }));
      return {
        claimId,
        token: mintClaimToken(keyring, { claimId, subject: owner, groups: ["sales"] }),
        renew: (moreMs) => handle((nowMs) => ({ type: "Renew", claimId, leaseMs: moreMs, nowMs })),
        complete: () => handle((nowMs) => ({ type: "Complete", claimId, nowMs })),
      };
    },

    close: () => log.close(),
  };
}
