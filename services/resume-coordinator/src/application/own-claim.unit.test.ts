import { formatInstant, type RunEvent } from "@interlude/contract";
import type { RunStore, StoredRunEntry } from "@interlude/event-log";
import { generateKeyring, mintClaimId, parseKeyring } from "@interlude/secrets";
import { beforeEach, describe, expect, it } from "vitest";
import { handleClaim, type OwnClaimDeps } from "./own-claim.ts";

const claimKeys = parseKeyring(generateKeyring(), "KEYS");
const address = { driver: "bot", runToken: "r", parkToken: "p_1" };
const LEASE_MS = 60_000;

describe("a claim that is completed as parked", () => {
  let nowMs: number;
  let stored: StoredRunEntry[];
  let looks: number;
  let deps: OwnClaimDeps;
  let claimId: string;

  function store(event: RunEvent): number {
    const sequence = stored.length + 1;
    stored.push({ sequence, storedAtMs: nowMs, eventId: String(sequence), address, entry: event });
    return sequence;
  }
  const belonging = () => ({
    ...{ driver: "bot", run_id: "r", park_id: "p", owner: "ann", at: formatInstant(nowMs) },
  });
  const complete = (claim: { claimId: string; subject: string }) =>
    handleClaim(deps, claim, { type: "Complete", parked: true });

  beforeEach(() => {
    nowMs = 1_000_000;
    stored = [];
    looks = 0;
    claimId = mintClaimId(claimKeys, address);
    const history = () => ({
      ...{ park: [...stored], otherPark: [], position: stored.length, isNameTaken: false },
    });
    const runs: RunStore = {
      read: () => Promise.resolve(history()),
      glimpse: () => Promise.resolve(history()),
      append: (event) => Promise.resolve({ status: "appended", sequence: store(event) }),
      requestResume: () => Promise.resolve(),
    };
    deps = {
      ...{ runs, claimKeys, leaseMs: LEASE_MS, maxAttempts: 3, clock: { nowMs: () => nowMs } },
      hasParked() {
        looks += 1;
        return Promise.resolve(true);
      },
    };
    store({ type: "parked", data: { ...belonging(), interaction_ids: ["q-1"] } });
    store({ type: "resume_requested", data: belonging() });
    const lease_until = formatInstant(nowMs + LEASE_MS);
    store({ type: "claimed", data: { ...belonging(), claim_id: claimId, lease_until, attempt: 1 } });
  });

  it("by somebody else does not exist, and nothing else of its run is looked at", async () => {
    expect(await complete({ claimId, subject: "eve" })).toEqual({ kind: "not_found" });
    expect(await complete({ claimId: "made up", subject: "ann" })).toEqual({ kind: "not_found" });
    expect(looks).toBe(0);
  });

  it("after its lease is lost, whatever the run has parked on", async () => {
    nowMs += LEASE_MS;
    expect(await complete({ claimId, subject: "ann" })).toEqual({ kind: "lease_lost" });
    const superseded = mintClaimId(claimKeys, address);
    expect(await complete({ claimId: superseded, subject: "ann" })).toEqual({ kind: "lease_lost" });
    expect(looks).toBe(0);
  });

  it("is completed once, and told so again however late and without another look", async () => {
    expect(await complete({ claimId, subject: "ann" })).toMatchObject({
      ...{ kind: "done", park: { status: "resumed" } },
    });
    nowMs += 10 * LEASE_MS;
    expect(await complete({ claimId, subject: "ann" })).toMatchObject({ kind: "done" });
    expect(looks).toBe(1);
    expect(stored.filter(({ entry }) => "type" in entry && entry.type === "resumed")).toHaveLength(1);
  });
});
