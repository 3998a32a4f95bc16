import { describe, expect, it } from "vitest";
import { converse, faultsOf, itemsOf } from "../support/converse.ts";
import { converseAboutRuns, resolutionList } from "../support/converse-runs.ts";
import type { Deployment } from "../support/deployment.ts";

/** A run waits for all of its questions, and goes on once. */
export function runsSuite(at: () => Deployment): void {
  const { answer, call } = converse(at);
  const runs = converseAboutRuns(at);
  const cancel = (id: string, reason?: string) =>
    call(`/api/interactions/${id}/cancel`, {
      method: "POST",
      key: at().keys.asker,
      ...(reason === undefined ? {} : { json: { reason } }),
    });

  describe("a run that waits for people", () => {
    it("parks, is resumed by the last answer, is claimed and completes once", async () => {
      const driver = await runs.registered();
      const [one, two] = [await runs.asked(driver, "run 1"), await runs.asked(driver, "run 1")];
      const parked = await runs.park(driver, "run 1", [one, two]);
      expect([parked.status, parked.json["remaining"]]).toEqual([201, 2]);
      const park_id = parked.json["park_id"];
      const base = { driver, run_id: "run 1", park_id };
      expect((await runs.show(driver, "run 1")).json).toMatchObject({
        ...base,
        ...{ state: "parked", remaining: 2, attempts: 0 },
      });
      expect((await runs.claim(driver)).status).toBe(204);

      const waiting = runs.claim(driver, "?wait=10");
      expect((await answer(two, "second")).status).toBe(200);
      expect((await runs.show(driver, "run 1")).json).toMatchObject({ state: "parked", remaining: 1 });
      expect((await answer(one, "first")).status).toBe(200);
      const claimed = await waiting;
      expect(claimed.json).toMatchObject({
        kind: "resume",
        continuation: { run_id: "run 1", park_id, identity: { subject: "ann", groups: ["sales"] } },
      });
      expect(runs.resolutionsOf(claimed)).toEqual({ [one]: "first", [two]: "second" });
      expect((await runs.show(driver, "run 1")).json).toMatchObject({
        ...base,
        ...{ state: "resuming", remaining: 0, attempts: 1 },
      });
      expect((await runs.claim(driver)).status).toBe(204);

      const claimId = String(claimed.json["claim_id"]);
      const kept = await runs.heartbeat(claimId);
      expect(kept.json).toMatchObject({ claim_id: claimId, state: "resuming" });
      for (const result of [{ done: true }, { done: true }]) {
        expect((await runs.complete(claimId, { result })).json).toMatchObject({ state: "resumed" });
      }
      for (const late of [runs.heartbeat(claimId), runs.fail(claimId, { reason: "x", retry: true })]) {
        expect(faultsOf(await late)).toMatchObject({ status: 409, code: "lease_lost" });
      }
      expect((await runs.show(driver, "run 1")).json).toMatchObject({ state: "resumed", remaining: 0 });
      expect((await runs.claim(driver)).status).toBe(204);
      const token = String(claimed.json["token"]);
      expect((await call(`/api/interactions/${one}`, { key: token })).status).toBe(401);
    });

    it("goes on whether its questions ended before, between or after the park", async () => {
      const driver = await runs.registered();
      const ids = [
        await runs.asked(driver, "r"),
        await runs.asked(driver, "r"),
        await runs.asked(driver, "r"),
      ];
      const [before = "", between = "", after = ""] = ids;
      await answer(before, "1");
      const parked = await runs.park(driver, "r", ids);
      expect(parked.json["remaining"]).toBe(2);
      await answer(between, "2");
      await answer(after, "3");
      expect(runs.resolutionsOf(await runs.claimed(driver))).toEqual({
        [before]: "1",
        [between]: "2",
        [after]: "3",
      });

      const all = await runs.asked(driver, "s");
      await answer(all, "there already");
      expect((await runs.park(driver, "s", [all])).json["remaining"]).toBe(0);
      expect(runs.resolutionsOf(await runs.claimed(driver))).toEqual({ [all]: "there already" });
    });

    it("is told of each end by its kind: answered, expired with the marker, cancelled with the reason", async () => {
      const driver = await runs.registered();
      const expiry_at = new Date(Date.now() + 1_000).toISOString();
      const expiring = await runs.asked(driver, "r", { expiry_at });
      const cancelled = await runs.asked(driver, "r");
      const confirmed = await runs.asked(driver, "r", { answer_format: "confirm" });
      const parked = await runs.park(driver, "r", [expiring, cancelled, confirmed]);
      expect(parked.status).toBe(201);
      await cancel(cancelled, "no longer needed");
      await answer(confirmed, false);
      const list = resolutionList(await runs.claimed(driver));
      const of = (id: string) => list.find((each) => each["interaction_id"] === id);
      expect(of(expiring)).toEqual({
        ...{ interaction_id: expiring, status: "expired", answer: { interaction_expired: true } },
        at: expiry_at,
      });
      expect(of(cancelled)).toMatchObject({ status: "cancelled", reason: "no longer needed" });
      expect(of(confirmed)).toMatchObject({ status: "answered", answer: false, answered_by: "bob" });
    });

    it("two questions that are alike are two: each is told its own answer, and one end resumes nothing", async () => {
      const driver = await runs.registered();
      const alike = { question: "Approve?", answer_format: "confirm" };
      const [a, b] = [await runs.asked(driver, "r", alike), await runs.asked(driver, "r", alike)];
      expect(a).not.toBe(b);
      await runs.park(driver, "r", [a, b]);
      await answer(b, false);
      expect((await runs.claim(driver, "?wait=0.3")).status).toBe(204);
      expect((await answer(b, true)).status).toBe(409);
      await answer(a, true);
      expect(runs.resolutionsOf(await runs.claimed(driver))).toEqual({ [a]: true, [b]: false });
      expect((await runs.claim(driver, "?wait=0.3")).status).toBe(204);
    });

    it("falsy answers are answers", async () => {
      const driver = await runs.registered();
      const empty = await runs.asked(driver, "r");
      const no = await runs.asked(driver, "r", { answer_format: "confirm" });
      await runs.park(driver, "r", [empty, no]);
      await answer(empty, "");
      await answer(no, false);
      expect(runs.resolutionsOf(await runs.claimed(driver))).toEqual({ [empty]: "", [no]: false });
    });

    it("parks again by its claim's token, and goes on under the next claim, with a higher fencing", async () => {
      const driver = await runs.registered();
      const first = await runs.asked(driver, "r");
      await runs.park(driver, "r", [first]);
      await answer(first, "alpha");
      const claimed = await runs.claimed(driver);
      const token = String(claimed.json["token"]);
      const second = await runs.asked(driver, "r", {}, { key: token });
      expect((await runs.park(driver, "r", [second], {}, { key: token })).status).toBe(201);
      const other = await runs.asked(driver, "other run");
      const foreign = await runs.park(driver, "other run", [other], {}, { key: token });
      expect(foreign.status).toBe(403);
      await answer(second, "beta");
      // The run is still held by its first claim.
      expect((await runs.claim(driver, "?wait=0.3")).status).toBe(204);
      const waiting = runs.claimed(driver);
      await runs.complete(String(claimed.json["claim_id"]), { parked: true });
      const next = await waiting;
      expect(runs.resolutionsOf(next)).toEqual({ [second]: "beta" });
      expect(Number(next.json["fencing"])).toBeGreaterThan(Number(claimed.json["fencing"]));
      const late = await runs.park(driver, "r", [second], {}, { key: token });
      expect(late.status).toBe(401);
    });

    it("that says it has parked again, and has not, keeps its claim", async () => {
      const driver = await runs.registered();
      const first = await runs.asked(driver, "r");
      await runs.park(driver, "r", [first]);
      await answer(first, "alpha");
      const claimed = await runs.claimed(driver);
      const claimId = String(claimed.json["claim_id"]);
      const refused = await runs.complete(claimId, { parked: true });
      expect(faultsOf(refused)).toMatchObject({ status: 400, code: "validation_failed", paths: ["/parked"] });
      // The set of the claim itself, and a park of another run, are nothing that this one goes on from.
      await runs.park(driver, "r", [first]);
      await runs.park(driver, "other", [await runs.asked(driver, "other")]);
      expect((await runs.complete(claimId, { parked: true })).status).toBe(400);
      expect((await runs.heartbeat(claimId)).json).toMatchObject({ state: "resuming" });
      const second = await runs.asked(driver, "r");
      await runs.park(driver, "r", [second]);
      expect((await runs.complete(claimId, { parked: true })).json).toMatchObject({ state: "resumed" });
      await answer(second, "beta");
      const next = String((await runs.claimed(driver)).json["claim_id"]);
      // What the run parked on before has been resumed.
      expect((await runs.complete(next, { parked: true })).status).toBe(400);
      expect((await runs.complete(next, { result: "done" })).status).toBe(200);
      for (const claim of [claimId, next]) {
        expect((await runs.complete(claim, { parked: true })).status).toBe(200);
      }
    });

    it("that says it has parked again is believed where a later park of it is, or was, there", async () => {
      const driver = await runs.registered();
      const [first, second] = [await runs.asked(driver, "r"), await runs.asked(driver, "r")];
      await runs.park(driver, "r", [first]);
      await runs.park(driver, "r", [second]);
      await answer(second, "beta");
      await runs.complete(String((await runs.claimed(driver)).json["claim_id"]));
      await answer(first, "alpha");
      const claimed = await runs.claimed(driver);
      expect(runs.resolutionsOf(claimed)).toEqual({ [first]: "alpha" });
      const parked = await runs.complete(String(claimed.json["claim_id"]), { parked: true });
      expect([parked.status, parked.json["state"]]).toEqual([200, "resumed"]);
    });

    it("is found by any id", async () => {
      const driver = await runs.registered();
      const odd = [
        "user@example.com/2026.01.01",
        "tenant:*",
        "a>b",
        "x".repeat(300),
        "🚀 läuft",
        "a b?c#d%e",
        "x_1",
      ];
      for (const runId of odd) {
        const id = await runs.asked(driver, runId);
        expect((await runs.park(driver, runId, [id])).status).toBe(201);
        await answer(id, runId.slice(0, 9));
        const claimed = await runs.claimed(driver);
        expect(claimed.json).toMatchObject({ continuation: { run_id: runId } });
        expect(runs.resolutionsOf(claimed)).toEqual({ [id]: runId.slice(0, 9) });
        await runs.complete(String(claimed.json["claim_id"]));
        expect((await runs.show(driver, runId)).json).toMatchObject({ run_id: runId, state: "resumed" });
      }
      expect(itemsOf(await runs.list(`?driver=${driver}`)).map((each) => each["run_id"])).toEqual(
        odd.toReversed(),
      );
    });
  });
}
