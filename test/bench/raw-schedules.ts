import { randomUUID } from "node:crypto";
import type { Log } from "@interlude/event-log";
import { StorageType } from "@nats-io/jetstream";
import { headers } from "@nats-io/nats-core";

const STREAM = "BENCHTIMERS";
const BATCH = 1_000;

/** Scheduled messages of the server alone: what a deadline costs in lateness without us. */
export type FiredSchedules = {
  set(atMs: number): Promise<void>;
  /** Of those that have fired. */
  lateness(): Promise<number[]>;
  close(): Promise<void>;
};

export async function openFiredSchedules(log: Log): Promise<FiredSchedules> {
  await log.manager.streams.add({
    name: STREAM,
    subjects: ["benchtimers.>"],
    storage: StorageType.File,
    allow_direct: true,
    allow_msg_schedules: true,
    allow_msg_ttl: true,
  });
  return {
    async set(atMs) {
      const id = randomUUID();
      const fresh = headers();
      fresh.set("Nats-Schedule", `@at ${new Date(atMs).toISOString()}`);
      fresh.set("Nats-Schedule-Target", `benchtimers.fired.${id}`);
      await log.jetstream.publish(`benchtimers.set.${id}`, String(atMs), { headers: fresh });
    },
    async lateness() {
      const late: number[] = [];
      const fired = await log.manager.direct.getBatch(STREAM, {
        seq: 1,
        batch: BATCH,
        next_by_subj: "benchtimers.fired.>",
      });
      for await (const message of fired) late.push(message.time.getTime() - Number(message.string()));
      return late;
    },
    async close() {
      await log.manager.streams.delete(STREAM);
    },
  };
}
