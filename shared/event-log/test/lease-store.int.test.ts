import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLeaseStore, type LeaseStore } from "../src/index.ts";
import { openTestLog } from "./open-test-log.ts";

let test: Awaited<ReturnType<typeof openTestLog>>;
let leases: LeaseStore;
beforeAll(async () => {
  test = await openTestLog();
  leases = createLeaseStore(test.log);
});
afterAll(() => test.close());

async function taken(key: string, holder: string): Promise<number> {
  const outcome = await leases.hold(key, holder, 0);
  if (outcome.status !== "appended") throw new Error(`${key} is held by somebody else`);
  return outcome.sequence;
}

describe("a lease", () => {
  it("is one of many callers'", async () => {
    const outcomes = await Promise.all(["a", "b", "c"].map((holder) => leases.hold("one.0", holder, 0)));
    expect(outcomes.filter(({ status }) => status === "appended")).toHaveLength(1);
    const [lease] = await leases.list("one");
    expect(lease?.key).toBe("one.0");
  });

  it("is kept by renewing it, from the last renewal on", async () => {
    const first = await taken("kept.0", "a");
    const second = await leases.hold("kept.0", "a", first);
    expect(second.status).toBe("appended");
    expect((await leases.hold("kept.0", "a", first)).status).toBe("conflict");
  });

  it("given back is anybody's at once", async () => {
    await leases.giveBack("free.0", await taken("free.0", "a"));
    const [lease] = await leases.list("free");
    expect(lease).toMatchObject({ key: "free.0", holder: "" });
    expect((await leases.hold("free.0", "b", lease?.revision ?? 0)).status).toBe("appended");
  });

  it("nobody renews is gone by the server's clock, and its late holder finds it gone", async () => {
    const revision = await taken("late.0", "a");
    await eventually(async () => (await leases.list("late")).length === 0, {
      withinMs: leases.ttlMs + 8_000,
    });
    const next = await taken("late.0", "b");
    expect((await leases.hold("late.0", "a", revision)).status).toBe("conflict");
    expect((await leases.hold("late.0", "b", next)).status).toBe("appended");
  });
});
