import type { RunEvent } from "@interlude/contract";
import type { RunHistory, RunStore, StoredRunEntry } from "@interlude/event-log";
import { generateKeyring, mintClaimId, parseKeyring } from "@interlude/secrets";
import { beforeEach, describe, expect, it } from "vitest";
import { createClaimsByKey, type KeyBucket } from "./claims-by-key.ts";

const claimKeys = parseKeyring(generateKeyring(), "KEYS");
const address = { driver: "bot", runToken: "r", parkToken: "p_1" };
const NOTHING: RunHistory = { park: [], otherPark: [], position: 0, isNameTaken: false };

describe("what a key stands for", () => {
  let nowMs: number;
  let stored: StoredRunEntry[];
  let bucket: KeyBucket & { values: Map<string, { value: string; atMs: number }> };
  let keys: ReturnType<typeof createClaimsByKey>;
  const newId = () => mintClaimId(claimKeys, address);

  function store(event: RunEvent): void {
    const sequence = stored.length + 1;
    stored.push({ sequence, storedAtMs: nowMs, eventId: String(sequence), address, entry: event });
  }
  const belonging = () => ({
    ...{ driver: "bot", run_id: "r", park_id: "p", owner: "ann" },
    at: new Date(nowMs).toISOString(),
  });
  function claim(claimId: string): void {
    const lease_until = new Date(nowMs + 60_000).toISOString();
    store({ type: "claimed", data: { ...belonging(), claim_id: claimId, lease_until, attempt: 1 } });
  }

  beforeEach(() => {
    nowMs = 1_000_000;
    stored = [];
    const values = new Map<string, { value: string; atMs: number }>();
    bucket = {
      values,
      get: (key) => Promise.resolve(values.get(key)?.value),
      create(key, value) {
        if (values.has(key)) return Promise.resolve(false);
        values.set(key, { value, atMs: nowMs });
        return Promise.resolve(true);
      },
      purge(key) {
        values.delete(key);
        return Promise.resolve();
      },
      storedAtMs: (key) => Promise.resolve(values.get(key)?.atMs),
    };
    const runs: Pick<RunStore, "read"> = {
      read: () => Promise.resolve({ ...NOTHING, park: [...stored], position: stored.length }),
    };
    keys = createClaimsByKey({ bucket, runs, claimKeys, clock: { nowMs: () => nowMs } });
    store({ type: "parked", data: { ...belonging(), interaction_ids: ["q-1"] } });
    store({ type: "resume_requested", data: belonging() });
  });

  it("is the claim that was stored, for its owner alone and while its lease lives", async () => {
    const id = newId();
    expect(await keys.reserve("k", "ann", id)).toBe(true);
    expect(await keys.find("k", "ann")).toBeUndefined();
    claim(id);
    expect((await keys.find("k", "ann"))?.claim.claimId).toBe(id);
    expect(await keys.find("k", "bob")).toBeUndefined();
    expect(await keys.reserve("k", "ann", newId())).toBe(false);
    nowMs += 60_000;
    expect(await keys.find("k", "ann")).toBeUndefined();
    expect(await keys.reserve("k", "ann", newId())).toBe(true);
  });

  it("is one that another process is just storing, until it would have come", async () => {
    expect(await keys.reserve("k", "ann", newId())).toBe(true);
    expect(await keys.reserve("k", "ann", newId())).toBe(false);
    nowMs += 10_001;
    expect(await keys.reserve("k", "ann", newId())).toBe(true);
  });

  it("is free again when its claim could not be had, and when it is over", async () => {
    const [lost, next] = [newId(), newId()];
    await keys.reserve("k", "ann", lost);
    await keys.giveBack("k", next);
    expect(await keys.reserve("k", "ann", next)).toBe(false);
    await keys.giveBack("k", lost);
    expect(await keys.reserve("k", "ann", next)).toBe(true);
    claim(next);
    store({ type: "resumed", data: { ...belonging(), claim_id: next, fencing: stored.length } });
    expect(await keys.reserve("k", "ann", newId())).toBe(true);
  });
});
