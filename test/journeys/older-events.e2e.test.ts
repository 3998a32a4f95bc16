import { type Log, openLog } from "@interlude/event-log";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newerThan, recorded, type RecordedEvent, type RecordedKind } from "../histories/recorded.ts";
import { appendRecorded } from "../support/append-recorded.ts";
import { converse, idsOf, itemsOf } from "../support/converse.ts";
import { continuationOf, converseAboutRuns } from "../support/converse-runs.ts";
import type { Deployment } from "../support/deployment.ts";
import type { Reply } from "../support/send.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

/** What was recorded is older than any retention. */
const options = { settings: { retention_days: 0 } };
const DRIVER = "old-driver";

let servers: Interlude;
let interlude: Interlude;
let log: Log;
const at = (): Deployment => ({ ...interlude, natsUrl: interlude.nats.url });
const { call, ask, answer, result, list, listed, item } = converse(at);
const runs = converseAboutRuns(at);

beforeAll(async () => {
  servers = await startInterlude(options);
  await servers.detach();
  log = await openLog({ url: servers.nats.url, service: "test" });
  for (const kind of ["interactions", "deliveries", "notifications", "conversations", "inbound"] as const)
    await appendRecorded(log, eventsOf(kind));
  const parks = eventsOf("runs");
  // A claim's fencing number is the sequence of its event.
  expect(await appendRecorded(log, parks)).toEqual(parks.map(({ sequence }) => sequence));
  interlude = await startInterlude({ ...options, beside: servers });
}, 120_000);

afterAll(async () => {
  await log.close();
  await interlude.stop();
  await servers.stop();
});

function eventsOf(kind: RecordedKind): RecordedEvent[] {
  return recorded(kind)
    .flatMap(({ events }) => events)
    .toSorted((one, other) => one.sequence - other.sequence);
}

async function listedIds(status: string): Promise<string[]> {
  return idsOf(await list(`?page_size=100&status=${status}`));
}

const runIdOf = (claim: Reply) => String(continuationOf(claim)["run_id"]);
const claimIdOf = (claim: Reply) => String(claim.json["claim_id"]);

describe("a version of today, started on what an earlier one stored,", () => {
  it("lists every question as it was left", async () => {
    for (const status of ["pending", "answered", "expired", "cancelled", "failed"]) {
      const ours = [...recorded("interactions"), ...recorded("deliveries")].filter(
        ({ state }) => state["status"] === status,
      );
      const expected = ours.map(({ history }) => history).toSorted();
      await expect
        .poll(async () => (await listedIds(status)).toSorted(), { timeout: 10_000 })
        .toEqual(expected);
    }
  });

  it("shows how a channel's question came to its person", async () => {
    expect((await item("nobody-there")).json).toMatchObject({
      status: "failed",
      delivery: { state: "failed", attempts: 1 },
    });
    expect((await item("tap-question")).json).toMatchObject({
      status: "answered",
      delivery: { state: "sent", attempts: 1 },
    });
  });

  it("takes an answer to an open one, and none to one that has ended", async () => {
    expect((await answer("old-open", true)).status).toBe(200);
    expect((await result("old-open")).json).toMatchObject({ status: "answered", answer: true });
    expect((await answer("old-answered", "Bob")).status).toBe(409);
    expect((await answer("old-expired", true)).status).toBe(410);
    expect((await result("old-answered")).json).toMatchObject({ answer: "Ada", answered_by: "bob" });
  });

  it("knows a repeat of a request that was made before", async () => {
    const headers = { "idempotency-key": "key-1" };
    expect((await answer("old-answered", "Ada", { headers })).status).toBe(200);
    const again = { id: "old-answered", question: "Which name?", timeout_seconds: 3_600 };
    const repeat = await ask({ ...again, metadata: { ticket: "T-1" } });
    expect([repeat.status, repeat.json["status"]]).toEqual([200, "answered"]);
  });

  it("shows the notifications that were sent", async () => {
    const feed = await call("/api/notifications", { key: at().keys.groupAnswerer });
    expect(itemsOf(feed).map(({ message }) => message)).toEqual(["See this", "Done"]);
  });

  it("hands out every run that was to go on, once, and goes on with each", async () => {
    const claimed: string[] = [];
    for (let each = 0; each < 3; each++) {
      const claim = await runs.claimed(DRIVER);
      claimed.push(runIdOf(claim));
      expect(Number(claim.json["fencing"])).toBeGreaterThan(28);
      expect((await runs.complete(claimIdOf(claim))).status).toBe(200);
    }
    expect(claimed.toSorted()).toEqual(["old-claimed", "old-replayed", "old-requested"]);
    expect((await runs.claim(DRIVER, "?wait=0")).status).toBe(204);
  });

  it("lets a run go on when its last question is answered, with what was answered before", async () => {
    expect((await answer("old-waiting-q2", true)).status).toBe(200);
    const claim = await runs.claimed(DRIVER);
    expect(runIdOf(claim)).toBe("old-waiting");
    expect(runs.resolutionsOf(claim)).toEqual({ "old-waiting-q1": false, "old-waiting-q2": true });
    expect((await runs.complete(claimIdOf(claim))).status).toBe(200);
  });

  it("replays a resume that had failed", async () => {
    expect((await runs.show(DRIVER, "old-failed")).json).toMatchObject({ state: "failed", reason: "cannot" });
    expect((await runs.replay(DRIVER, "old-failed")).status).toBe(200);
    const claim = await runs.claimed(DRIVER);
    expect(runIdOf(claim)).toBe("old-failed");
    expect((await runs.complete(claimIdOf(claim))).status).toBe(200);
  });
});

describe("where a newer version has stored what this one does not know,", () => {
  beforeAll(async () => {
    const after = (kind: RecordedKind, of: string) =>
      recorded(kind)
        .filter(({ history }) => history.startsWith(of))
        .flatMap(({ events }) => events.slice(-1).map(newerThan));
    await appendRecorded(log, [
      ...after("interactions", "old-select"),
      ...after("runs", `${DRIVER}.old-again.p_km`),
    ]);
  });

  it("its question is not decided: 503, with the reason", async () => {
    const refused = await answer("old-select", "a", { key: at().keys.groupAnswerer });
    expect(refused.json["detail"]).toContain("newer version");
    for (const reply of [refused, await result("old-select")]) {
      expect([reply.status, reply.json["code"]]).toEqual([503, "unavailable"]);
      expect(reply.headers.get("retry-after")).toBe("1");
    }
  });

  it("lists go on past it, and count what they left out", async () => {
    const { json } = await ask({ question: "After?" });
    expect((await listed("?page_size=1", json["sequence"])).status).toBe(200);
    const metrics = await call("/metrics", { key: at().keys.operator });
    expect(metrics.text).toMatch(/^interlude_skipped_events_total\{reader="inbox-projector"\} [1-9]/m);
  });

  it("its run is not resumed, and the others are", async () => {
    expect((await answer("old-again-q2", true)).status).toBe(200);
    const id = await runs.asked(DRIVER, "new-run", { answer_format: "confirm" });
    expect((await runs.park(DRIVER, "new-run", [id])).status).toBe(201);
    expect((await answer(id, true)).status).toBe(200);
    const claim = await runs.claimed(DRIVER);
    expect(runIdOf(claim)).toBe("new-run");
    expect((await runs.complete(claimIdOf(claim))).status).toBe(200);
    expect((await runs.claim(DRIVER, "?wait=1")).status).toBe(204);
  });
});
