import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRunStore, findLiveClaim, type RunStore } from "../src/index.ts";
import { openTestLog } from "./open-test-log.ts";
import { parkOf } from "./park-of.ts";

let test: Awaited<ReturnType<typeof openTestLog>>;
let store: RunStore;

beforeAll(async () => {
  test = await openTestLog();
  store = createRunStore(test.log);
});
afterAll(() => test.close());

const LEASE_MS = 60_000;

async function claimed(runId?: string) {
  const park = parkOf(test.log, store, runId);
  await park.release();
  await park.claim("c-1", LEASE_MS);
  const isLive = async (claimId = "c-1", aheadMs = 0) =>
    (await findLiveClaim(store, park.address, claimId, () => test.log.clock.nowMs() + aheadMs)) !== undefined;
  return { ...park, isLive };
}

describe("a claim holds", () => {
  it("from when it is made, and says of which run and park it is", async () => {
    const { runId, address } = await claimed();
    const { clock } = test.log;
    expect(await findLiveClaim(store, address, "c-1", () => clock.nowMs())).toMatchObject({
      ...{ claimId: "c-1", driver: "bot", runId, parkId: address.parkToken, owner: "ann", address },
      fencing: (await store.read(address)).park.at(-1)?.sequence,
    });
  });

  it("under its own id, at its own place alone", async () => {
    const { isLive, address } = await claimed();
    expect(await isLive("c-2")).toBe(false);
    const elsewhere = { ...address, runToken: "another-run" };
    expect(await findLiveClaim(store, elsewhere, "c-1", () => 0)).toBeUndefined();
    expect(await findLiveClaim(store, { ...address, driver: "*" }, "c-1", () => 0)).toBeUndefined();
  });

  it("until its lease has run out, which a heartbeat moves, and asking does not", async () => {
    const { isLive, renew, address } = await claimed();
    const before = await store.read(address);
    expect(await isLive("c-1", LEASE_MS - 5_000)).toBe(true);
    expect(await isLive("c-1", LEASE_MS)).toBe(false);
    expect(await store.read(address)).toEqual(before);
    await renew("c-1", 2 * LEASE_MS);
    expect(await isLive("c-1", LEASE_MS)).toBe(true);
  });

  it("until it is completed", async () => {
    const { isLive, complete } = await claimed();
    await complete("c-1");
    expect(await isLive()).toBe(false);
  });

  it.each([true, false])("until it gives up (to be tried again: %s)", async (retry) => {
    const { isLive, handle } = await claimed();
    await handle((nowMs) => ({ type: "Fail", claimId: "c-1", reason: "r", retry, maxAttempts: 5, nowMs }));
    expect(await isLive()).toBe(false);
  });

  it("until there is a newer one of its run, of whichever park", async () => {
    const runId = randomUUID();
    const park = parkOf(test.log, store, runId);
    await park.release();
    await park.claim("c-1", 1);
    const other = parkOf(test.log, store, runId);
    await other.release();
    await expect.poll(async () => (await other.claim("c-2")).ok).toBe(true);
    // However far behind the clock of who asks may be.
    expect(await findLiveClaim(store, park.address, "c-1", () => 0)).toBeUndefined();
    expect(await findLiveClaim(store, other.address, "c-2", () => 0)).toMatchObject({ claimId: "c-2" });
  });
});
