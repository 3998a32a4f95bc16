import { randomUUID } from "node:crypto";
import type { DriverRegisteredData } from "@interlude/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDriverStore, type DriverStore } from "../src/index.ts";
import { openTestLog } from "./open-test-log.ts";

let test: Awaited<ReturnType<typeof openTestLog>>;
let store: DriverStore;

beforeAll(async () => {
  test = await openTestLog();
  store = createDriverStore(test.log);
});
afterAll(() => test.close());

function driver(name: string, owner: string, more: Partial<DriverRegisteredData> = {}): DriverRegisteredData {
  return { driver: name, owner, checkpointer: { kind: "postgres" }, at: "2026-01-01T00:00:00.000Z", ...more };
}

describe("drivers", () => {
  it("are found by name as they were registered last", async () => {
    const name = randomUUID();
    expect(await store.find(name)).toBeUndefined();
    expect(await store.find("*")).toBeUndefined();
    const first = driver(name, "ann");
    expect(await store.register(first)).toEqual({ ok: true, driver: first, isNew: true, changed: true });
    expect(await store.register(first)).toMatchObject({ ok: true, isNew: false, changed: false });
    const changed = driver(name, "ann", { deliver: { url: "https://bot.example/", secret_ref: "bot" } });
    expect(await store.register(changed)).toMatchObject({ ok: true, isNew: false, changed: true });
    expect(await store.find(name)).toEqual(changed);
  });

  it("a name that many register at once is had by one, and to the others it is not there", async () => {
    const name = randomUUID();
    const owners = Array.from({ length: 20 }, (_, index) => `owner-${index}`);
    const outcomes = await Promise.all(owners.map((owner) => store.register(driver(name, owner))));
    const winners = outcomes.flatMap((each) => (each.ok ? [each] : []));
    expect(winners).toHaveLength(1);
    expect(await store.find(name)).toEqual(winners[0]?.driver);
    for (const each of outcomes) {
      if (!each.ok) expect(each.refusal).toEqual({ code: "not_found" });
    }
  });

  it("an event that cannot be read is not decided past", async () => {
    const name = randomUUID();
    await store.register(driver(name, "ann"));
    await test.log.jetstream.publish(`drivers.retired.${name}`, "{}");
    await expect(store.find(name)).rejects.toMatchObject({ code: "event_unreadable" });
    await expect(store.register(driver(name, "eve"))).rejects.toMatchObject({ code: "event_unreadable" });
  });
});
