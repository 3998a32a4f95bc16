import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Body, converse, faultsOf, idsOf, messagesOf } from "../support/converse.ts";
import type { RunDeployment } from "../support/deployment.ts";
import { openRuns, type Runs } from "../support/runs.ts";

const IN_MS = (ms: number) => new Date(Date.now() + ms).toISOString();
const HOUR_MS = 3_600_000;

/** Questions that a run does not wait for: asked, read, and ended in each way. */
export function asyncAskingSuite(at: () => RunDeployment): void {
  const { ask, asked, answer, call, item, listed, result } = converse(at);
  let runs: Runs;
  beforeAll(async () => {
    runs = await openRuns(at().natsUrl, at().sessionKeys);
  });
  afterAll(() => runs.close());

  const newName = (what: string) => `${what}-${crypto.randomUUID()}`;
  const asyncBody = (driver: string, more: Body = {}): Body => ({
    ...{ question: "Later?", mode: "async", expiry_at: IN_MS(HOUR_MS) },
    ...{ run: { driver, run_id: "Run 1/ü" }, ...more },
  });
  async function newDriver(retentionSeconds?: number): Promise<string> {
    const name = newName("crew");
    await runs.register(name, "ann", retentionSeconds);
    return name;
  }

  describe("an async question", () => {
    it("is taken with its end as it was named, and shown without its run", async () => {
      const expiry_at = "2035-06-30T23:59:59.5+02:00";
      const reply = await ask(asyncBody(await newDriver(), { expiry_at }));
      expect(reply.status, reply.text).toBe(201);
      const ends = { expiry_at: "2035-06-30T21:59:59.500Z", timeout_at: "2035-06-30T21:59:59.500Z" };
      expect(reply.json).toMatchObject({ mode: "async", status: "pending", ...ends });
      const id = String(reply.json["interaction_id"]);
      const shown = await item(id);
      expect(shown.json).toMatchObject({ mode: "async", status: "pending", ...ends });
      expect(shown.text).not.toContain("Run 1");
      const list = await listed("?page_size=200&sort=-created_at", reply.json["sequence"]);
      expect(idsOf(list)).toContain(id);
      expect(list.text).not.toContain("Run 1");
    });

    it("is answered once, and its asker reads what came of it", async () => {
      const id = await asked(asyncBody(await newDriver()));
      const waiting = result(id, "?wait=10");
      expect((await answer(id, "done")).status).toBe(200);
      expect((await waiting).json).toMatchObject({ status: "answered", answer: "done", answered_by: "bob" });
      expect(faultsOf(await answer(id, "again"))).toMatchObject({ status: 409, code: "already_answered" });
      const history = await call(`/api/interactions/${id}/events`, { key: at().keys.asker });
      expect(history.json["items"]).toMatchObject([{ type: "asked" }, { type: "answered" }]);
    });

    it("ends by itself at its expiry", async () => {
      const id = await asked(asyncBody(await newDriver(), { expiry_at: IN_MS(700) }));
      const ended = await result(id, "?wait=20");
      expect(ended.json).toMatchObject({ status: "expired", answer: { interaction_expired: true } });
      expect(faultsOf(await answer(id, "late"))).toMatchObject({ status: 410, code: "expired" });
    });

    it("is cancelled by its asker", async () => {
      const id = await asked(asyncBody(await newDriver()));
      const sent = { method: "POST", key: at().keys.asker, json: { reason: "over" } };
      expect((await call(`/api/interactions/${id}/cancel`, sent)).status).toBe(200);
      expect((await result(id)).json).toMatchObject({ status: "cancelled", reason: "over" });
    });

    it("is never held for its answer", async () => {
      const body = asyncBody(await newDriver());
      const reply = await ask(body, { headers: { prefer: "wait=30" } });
      expect([reply.status, reply.headers.get("preference-applied")]).toEqual([201, null]);
    });
  });

  describe("the driver of an async question", () => {
    it("may have been registered a moment ago, whichever process is asked", async () => {
      for (let each = 0; each < 10; each++) await asked(asyncBody(await newDriver()));
    });

    it("is the asker's own; somebody else's is told as none is", async () => {
      const theirs = newName("theirs");
      await runs.register(theirs, "alan");
      const none = newName("none");
      const [one, other] = [await ask(asyncBody(theirs)), await ask(asyncBody(none))];
      for (const reply of [one, other]) {
        expect(faultsOf(reply)).toEqual({ status: 400, code: "validation_failed", paths: ["/run/driver"] });
      }
      expect(messagesOf(one).replace(theirs, none)).toBe(messagesOf(other));
      const byOperator = await ask(asyncBody(theirs), { key: at().keys.operator });
      expect(faultsOf(byOperator).paths).toEqual(["/run/driver"]);
      expect((await ask(asyncBody(theirs), { key: at().keys.otherAsker })).status).toBe(201);
    });

    it("keeps a run as long as it says: a later end is refused, naming question, end and horizon", async () => {
      const driver = await newDriver(60);
      const [id, expiry_at] = [newName("late"), IN_MS(HOUR_MS)];
      const late = await ask(asyncBody(driver, { id, expiry_at }));
      expect(faultsOf(late)).toEqual({ status: 400, code: "validation_failed", paths: ["/expiry_at"] });
      expect(messagesOf(late)).toContain(id);
      expect(messagesOf(late)).toContain(expiry_at);
      const [, horizon = ""] = /lies beyond (\S+),/.exec(messagesOf(late)) ?? [];
      expect(Math.abs(Date.parse(horizon) - Date.now() - 60_000)).toBeLessThan(10_000);
      expect((await item(id)).status).toBe(404);
      expect((await ask(asyncBody(driver, { id, expiry_at: IN_MS(30_000) }))).status).toBe(201);
    });

    it("that keeps runs for good sets no end", async () => {
      const driver = await newDriver();
      await asked(asyncBody(driver, { expiry_at: IN_MS(99 * 365 * 86_400_000) }));
    });

    it("and its retention matter to no repeat of what was asked before", async () => {
      const driver = await newDriver();
      const body = asyncBody(driver, { id: newName("once") });
      const first = await ask(body);
      expect(first.status).toBe(201);
      await runs.register(driver, "ann", 1);
      const again = await ask(body);
      expect([again.status, again.json]).toEqual([200, first.json]);
      expect(faultsOf(await ask(asyncBody(driver))).paths).toEqual(["/expiry_at"]);
    });
  });

  it("a repeat of an async question that is over is told its end", async () => {
    const body = asyncBody(await newDriver(), { id: newName("brief"), expiry_at: IN_MS(500) });
    const id = await asked(body);
    await result(id, "?wait=20");
    expect(await ask(body)).toMatchObject({ status: 200, json: { interaction_id: id, status: "expired" } });
  });
}
