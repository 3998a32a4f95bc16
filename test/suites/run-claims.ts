import { describe, expect, it } from "vitest";
import { converse, faultsOf } from "../support/converse.ts";
import { continuationOf, converseAboutRuns, nextCursorOf, resolutionList } from "../support/converse-runs.ts";
import type { Deployment } from "../support/deployment.ts";

/** What a worker does with claims. */
export function runClaimsSuite(at: () => Deployment): void {
  const { answer, call } = converse(at);
  const runs = converseAboutRuns(at);

  /** A run whose only question has been answered. */
  async function released(driver: string, runId: string): Promise<string> {
    const id = await runs.asked(driver, runId);
    await runs.park(driver, runId, [id]);
    await answer(id, runId);
    return id;
  }

  describe("claims", () => {
    it("of workers that wait each gets another run, and none is left waiting", async () => {
      const driver = await runs.registered();
      const workers = Array.from({ length: 6 }, () => runs.claimed(driver));
      for (const each of ["a", "b", "c", "d", "e", "f"]) await released(driver, each);
      const got = await Promise.all(workers);
      const ids = got.map((each) => continuationOf(each)["run_id"]);
      expect(ids.toSorted()).toEqual(["a", "b", "c", "d", "e", "f"]);
      expect(new Set(got.map(({ json }) => json["fencing"])).size).toBe(6);
    });

    it("a run with two parks is claimed for one of them at a time", async () => {
      const driver = await runs.registered();
      await released(driver, "r");
      await released(driver, "r");
      const first = await runs.claimed(driver);
      expect((await runs.claim(driver, "?wait=0.3")).status).toBe(204);
      const waiting = runs.claimed(driver);
      await runs.complete(String(first.json["claim_id"]));
      const second = await waiting;
      expect(Number(second.json["fencing"])).toBeGreaterThan(Number(first.json["fencing"]));
      expect(resolutionList(second)[0]?.["interaction_id"]).not.toBe(
        resolutionList(first)[0]?.["interaction_id"],
      );
    });

    it("under an Idempotency-Key the same claim comes again while its lease lives, and another afterwards", async () => {
      const driver = await runs.registered();
      const headers = { "idempotency-key": "worker 7, take 1" };
      const waiting = [
        runs.claim(driver, "?wait=10", { headers }),
        runs.claim(driver, "?wait=10", { headers }),
      ];
      await released(driver, "a");
      await released(driver, "b");
      const [one, two] = await Promise.all(waiting);
      const claimId = String(one?.json["claim_id"]);
      expect(two?.json["claim_id"]).toBe(claimId);
      const again = await runs.claim(driver, "", { headers });
      expect(again.json["continuation"]).toEqual(one?.json["continuation"]);
      expect([again.json["claim_id"], again.json["fencing"]]).toEqual([claimId, one?.json["fencing"]]);
      await runs.complete(claimId);
      const next = await runs.claim(driver, "?wait=10", { headers });
      expect(next.status).toBe(200);
      expect(next.json["claim_id"]).not.toBe(claimId);
      for (const key of ["", "k".repeat(256)]) {
        const refused = await runs.claim(driver, "", { headers: { "idempotency-key": key } });
        expect(faultsOf(refused)).toMatchObject({ status: 400, paths: ["Idempotency-Key"] });
      }
    });

    it("one that is given up comes again after a pause, with a higher fencing and the reason to be seen", async () => {
      const driver = await runs.registered();
      await released(driver, "r");
      const first = await runs.claimed(driver);
      const claimId = String(first.json["claim_id"]);
      const failed = await runs.fail(claimId, { reason: "the model was busy", retry: true });
      expect(failed.json).toMatchObject({ claim_id: claimId, state: "resuming" });
      expect(Date.parse(String(failed.json["retry_at"]))).toBeGreaterThan(Date.now());
      expect((await runs.fail(claimId, { reason: "the model was busy", retry: true })).status).toBe(200);
      expect((await runs.show(driver, "r")).json).toMatchObject({
        ...{ state: "resuming", attempts: 1, reason: "the model was busy" },
      });
      expect((await runs.claim(driver)).status).toBe(204);
      const second = await runs.claimed(driver);
      expect(Number(second.json["fencing"])).toBeGreaterThan(Number(first.json["fencing"]));
      expect((await runs.show(driver, "r")).json).toMatchObject({ attempts: 2 });
      expect((await runs.complete(claimId)).json["code"]).toBe("lease_lost");
      expect((await runs.complete(String(second.json["claim_id"]))).status).toBe(200);
    });

    it("one that fails for good is kept, listed and replayed", async () => {
      const driver = await runs.registered();
      const id = await released(driver, "r");
      expect(faultsOf(await runs.replay(driver, "r"))).toMatchObject({ status: 409 });
      const first = await runs.claimed(driver);
      await runs.fail(String(first.json["claim_id"]), { reason: "checkpoint is gone", retry: false });
      const shown = { driver, run_id: "r", state: "failed", reason: "checkpoint is gone" };
      expect((await runs.show(driver, "r")).json).toMatchObject(shown);
      for (const query of [`?state=failed&driver=${driver}`, `?interaction_id=${id}`]) {
        expect((await runs.list(query)).json["items"]).toMatchObject([shown]);
      }
      expect((await runs.claim(driver, "?wait=0.2")).status).toBe(204);
      const replayed = await runs.replay(driver, "r");
      expect(replayed.status).toBe(200);
      expect(replayed.json).toMatchObject({ state: "resuming", attempts: 0, remaining: 0 });
      const second = await runs.claimed(driver);
      expect(runs.resolutionsOf(second)).toEqual({ [id]: "r" });
      await runs.complete(String(second.json["claim_id"]));
      expect(faultsOf(await runs.replay(driver, "r"))).toMatchObject({ status: 409 });
      expect((await runs.list(`?state=failed&driver=${driver}`)).json["items"]).toEqual([]);
    });

    it("more resolutions than fit are paged, each once, as long as the claim is held", async () => {
      const driver = await runs.registered();
      const ids = await Promise.all(Array.from({ length: 101 }, () => runs.asked(driver, "r")));
      await runs.park(driver, "r", ids);
      for (const id of ids) await answer(id, id);
      const claimed = await runs.claimed(driver);
      expect(resolutionList(claimed)).toEqual([]);
      const url = String(continuationOf(claimed)["resolutions_url"]);
      const pages = await readPages(url, at().keys.asker);
      expect(pages.map(({ length }) => length)).toEqual([100, 1]);
      expect(new Set(pages.flat().map((each) => each["answer"]))).toEqual(new Set(ids));
      expect(await readPages(url, String(claimed.json["token"]))).toEqual(pages);
      for (const cursor of ["x", "MTAx", "LTE", ""]) {
        const refused = await call(`${url}?cursor=${cursor}`, { key: at().keys.asker });
        expect(faultsOf(refused)).toMatchObject({ status: 400, paths: ["cursor"] });
      }
      expect((await call(url, { key: at().keys.otherAsker })).status).toBe(404);
      await runs.complete(String(claimed.json["claim_id"]));
      expect((await call(url, { key: at().keys.asker })).json["code"]).toBe("lease_lost");
    });

    it("resolutions of more than 256 KiB are paged too", async () => {
      const driver = await runs.registered();
      const long = "語".repeat(16_000);
      const ids = await Promise.all(Array.from({ length: 6 }, () => runs.asked(driver, "r")));
      await runs.park(driver, "r", ids);
      for (const id of ids) await answer(id, long);
      const claimed = await runs.claimed(driver);
      const url = String(continuationOf(claimed)["resolutions_url"]);
      const pages = await readPages(url, at().keys.asker);
      expect(pages.map(({ length }) => length)).toEqual([5, 1]);
    });

    it("a sensitive answer is told to the claim alone, and is gone once that has completed", async () => {
      const driver = await runs.registered();
      const id = await runs.asked(driver, "r", { sensitive: true });
      await runs.park(driver, "r", [id]);
      await answer(id, "4711");
      const claimed = await runs.claimed(driver);
      expect(runs.resolutionsOf(claimed)).toEqual({ [id]: "4711" });
      const result = () => call(`/api/interactions/${id}/result`, { key: at().keys.asker });
      expect((await result()).json["answer"]).toBe("4711");
      await runs.complete(String(claimed.json["claim_id"]));
      await expect.poll(async () => (await result()).status, { timeout: 5_000 }).toBe(404);
    });

    it("a sensitive answer that two parks wait for stays until both have completed", async () => {
      const driver = await runs.registered();
      const shared = await runs.asked(driver, "r", { sensitive: true });
      const more = await runs.asked(driver, "r");
      await runs.park(driver, "r", [shared]);
      await runs.park(driver, "r", [shared, more]);
      await answer(shared, "4711");
      const first = await runs.claimed(driver);
      await runs.complete(String(first.json["claim_id"]));
      await answer(more, "x");
      const second = await runs.claimed(driver);
      expect(runs.resolutionsOf(second)).toEqual({ [shared]: "4711", [more]: "x" });
      await runs.complete(String(second.json["claim_id"]));
      const result = () => call(`/api/interactions/${shared}/result`, { key: at().keys.asker });
      await expect.poll(async () => (await result()).status, { timeout: 5_000 }).toBe(404);
    });

    it("a wait is bounded and said to be wrong where it is", async () => {
      const driver = await runs.registered();
      const begun = performance.now();
      expect((await runs.claim(driver, "?wait=0.2")).status).toBe(204);
      expect(performance.now() - begun).toBeGreaterThan(190);
      for (const wait of ["61", "-1", "x"]) {
        expect(faultsOf(await runs.claim(driver, `?wait=${wait}`))).toMatchObject({
          status: 400,
          paths: ["wait"],
        });
      }
      expect((await runs.claim(driver, "?waits=1")).status).toBe(400);
    });
  });

  async function readPages(url: string, key: string): Promise<Record<string, unknown>[][]> {
    const pages: Record<string, unknown>[][] = [];
    let cursor: string | null = null;
    do {
      const page = await call(cursor === null ? url : `${url}?cursor=${cursor}`, { key });
      expect(page.status).toBe(200);
      pages.push(page.json["items"] as Record<string, unknown>[]);
      cursor = nextCursorOf(page);
    } while (cursor !== null);
    return pages;
  }
}
