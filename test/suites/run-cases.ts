import { describe, expect, it } from "vitest";
import { converse, faultsOf, idsOf } from "../support/converse.ts";
import { continuationOf, converseAboutRuns, resolutionList } from "../support/converse-runs.ts";
import type { Deployment } from "../support/deployment.ts";

/** What went wrong elsewhere, as it goes here. */
export function runCasesSuite(at: () => Deployment): void {
  const { answer, call, listed } = converse(at);
  const runs = converseAboutRuns(at);
  const claimIdOf = (claimed: Awaited<ReturnType<typeof runs.claimed>>) => String(claimed.json["claim_id"]);

  async function nothingToClaim(driver: string): Promise<void> {
    expect((await runs.claim(driver, "?wait=0.3")).status).toBe(204);
  }

  describe("a run's questions and its one resume:", () => {
    it("A-RES-2 the end of some asks nobody anew, and the last one resumes with all of them", async () => {
      const driver = await runs.registered();
      const group_id = `g-${driver}`;
      const expiry_at = new Date(Date.now() + 1_500).toISOString();
      const one = await runs.asked(driver, "r", { group_id });
      const two = await runs.asked(driver, "r", { group_id });
      const three = await runs.asked(driver, "r", { group_id, expiry_at });
      await runs.park(driver, "r", [one, two, three]);
      const answered = await answer(two, "2");
      const open = await listed(`?group_id=${group_id}`, answered.json["sequence"]);
      expect(idsOf(open)).toEqual([one, three]);
      await nothingToClaim(driver);
      await answer(one, "1");
      const claimed = await runs.claimed(driver);
      const marker = { interaction_expired: true };
      expect(runs.resolutionsOf(claimed)).toEqual({ [one]: "1", [two]: "2", [three]: marker });
      await runs.complete(claimIdOf(claimed));
      await nothingToClaim(driver);
      expect(idsOf(await listed(`?group_id=${group_id}&status=all`, answered.json["sequence"]))).toHaveLength(
        3,
      );
    });

    it("A-RES-3 another answer to the same question is refused, and resumes nothing more", async () => {
      const driver = await runs.registered();
      const id = await runs.asked(driver, "r");
      await runs.park(driver, "r", [id]);
      expect((await answer(id, "yes")).status).toBe(200);
      expect(faultsOf(await answer(id, "no"))).toMatchObject({ status: 409, code: "already_answered" });
      const claimed = await runs.claimed(driver);
      expect(runs.resolutionsOf(claimed)).toEqual({ [id]: "yes" });
      await runs.complete(claimIdOf(claimed));
      expect((await answer(id, "no")).status).toBe(409);
      await nothingToClaim(driver);
    });

    it("A-RES-4 what is no object is no callback's answer; an empty one is, and resumes once", async () => {
      const driver = await runs.registered();
      const link = "https://example.com/?to={callback_url}";
      const external = { answer_format: "external", link };
      const asked = await runs.ask(driver, "r", external);
      const id = String(asked.json["interaction_id"]);
      await runs.park(driver, "r", [id]);
      const to = new URL(String(asked.json["link"])).searchParams.get("to") ?? "";
      for (const wrong of [null, false, 0, "", []]) {
        expect((await call(new URL(to).pathname, { json: wrong })).status).toBe(400);
      }
      await nothingToClaim(driver);
      expect((await call(new URL(to).pathname, { json: {} })).status).toBe(200);
      const claimed = await runs.claimed(driver);
      expect(resolutionList(claimed)).toMatchObject([
        { status: "answered", answer: {}, answered_by: "external-callback" },
      ]);
      await runs.complete(claimIdOf(claimed));
      expect((await call(new URL(to).pathname, { json: {} })).json).toEqual({ status: "already_answered" });
      await nothingToClaim(driver);
    });

    it("A-RES-5 a second question is not answered by what the first one was", async () => {
      const driver = await runs.registered();
      const alike = { question: "And?", group_id: "same" };
      const one = await runs.asked(driver, "r", alike);
      await runs.park(driver, "r", [one]);
      await answer(one, "alpha");
      const first = await runs.claimed(driver);
      const two = await runs.asked(driver, "r", alike);
      await runs.park(driver, "r", [two]);
      await runs.complete(claimIdOf(first), { parked: true });
      await nothingToClaim(driver);
      expect((await call(`/api/interactions/${two}`, { key: at().keys.asker })).json["status"]).toBe(
        "pending",
      );
      await answer(two, "beta");
      const second = await runs.claimed(driver);
      expect([runs.resolutionsOf(first), runs.resolutionsOf(second)]).toEqual([
        { [one]: "alpha" },
        { [two]: "beta" },
      ]);
    });

    it("A-RES-6 an answer to a question that its run did not wait for is kept, and wakes no finished run", async () => {
      const driver = await runs.registered();
      const [waited, left] = [await runs.asked(driver, "r"), await runs.asked(driver, "r")];
      await runs.park(driver, "r", [waited]);
      await answer(waited, "x");
      const claimed = await runs.claimed(driver);
      await runs.complete(claimIdOf(claimed), { result: "done" });
      const before = (await runs.show(driver, "r")).json;
      expect(before).toMatchObject({ state: "resumed" });
      expect((await answer(left, "late")).status).toBe(200);
      expect((await answer(left, "later")).status).toBe(409);
      await nothingToClaim(driver);
      expect((await runs.show(driver, "r")).json).toEqual(before);
    });

    it("A-NATS-5 one that failed after it was given is given again within seconds, and has one effect", async () => {
      const driver = await runs.registered();
      const id = await runs.asked(driver, "r");
      await runs.park(driver, "r", [id]);
      await answer(id, "x");
      const effects: string[] = [];
      for (const isFirst of [true, false]) {
        const claimed = await runs.claimed(driver);
        if (isFirst) await runs.fail(claimIdOf(claimed), { reason: "injected", retry: true });
        else {
          effects.push(claimIdOf(claimed));
          expect((await runs.complete(claimIdOf(claimed))).status).toBe(200);
        }
      }
      expect(effects).toHaveLength(1);
      await nothingToClaim(driver);
      expect((await runs.show(driver, "r")).json).toMatchObject({ state: "resumed" });
    });

    it("A-SUB-2 ids that look alike once they are made safe are still two runs", async () => {
      const driver = await runs.registered();
      const ids = ["a.b", "a_b", "a b", "A_b"];
      for (const runId of ids) {
        const id = await runs.asked(driver, runId);
        await runs.park(driver, runId, [id]);
        await answer(id, runId);
      }
      const got = await Promise.all(ids.map(() => runs.claimed(driver)));
      const told = got.map((each) => [continuationOf(each)["run_id"], resolutionList(each)[0]?.["answer"]]);
      expect(told.toSorted()).toEqual(ids.map((runId) => [runId, runId]).toSorted());
    });
  });
}
