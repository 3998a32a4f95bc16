import { describe, expect, it } from "vitest";
import { converse, itemsOf } from "../support/converse.ts";
import { converseAboutRuns, nextCursorOf } from "../support/converse-runs.ts";
import type { Deployment } from "../support/deployment.ts";

/** What can be read of a run: what it waits for, what has arrived, and what happened to it. */
export function runReadingSuite(at: () => Deployment): void {
  const { answer, call } = converse(at);
  const runs = converseAboutRuns(at);
  const alan = () => ({ key: at().keys.otherAsker });
  const olga = () => ({ key: at().keys.operator });

  async function failed(driver: string, runId: string): Promise<void> {
    const { claim_id } = (await runs.claimed(driver)).json;
    expect((await runs.fail(String(claim_id), { reason: `no ${runId}`, retry: false })).status).toBe(200);
  }

  describe("reading a run", () => {
    it("tells of each question whether it is waited for or how it ended, and never the answer", async () => {
      const driver = await runs.registered();
      const [one, two, three] = [
        await runs.asked(driver, "r/1", { question: "One?" }),
        await runs.asked(driver, "r/1", { question: "Two?", answer_format: "confirm" }),
        await runs.asked(driver, "r/1", { question: "Three?" }),
      ];
      await runs.park(driver, "r/1", [one, two, three], { park_id: "first" });
      await answer(one, "a secret");
      const cancelled = { method: "POST", key: at().keys.asker, json: { reason: "too late" } };
      await call(`/api/interactions/${three}/cancel`, cancelled);
      const ended = await runs.questions(driver, "r/1", "?state=ended", olga());
      expect(itemsOf(ended).toSorted(byQuestion)).toMatchObject([
        { interaction_id: one, status: "answered", question: "One?", answered_by: "bob" },
        { interaction_id: three, status: "cancelled", question: "Three?", reason: "too late" },
      ]);
      expect(ended.text).not.toContain("a secret");
      const waiting = itemsOf(await runs.questions(driver, "r/1", "?state=waiting"));
      expect(waiting).toMatchObject([{ interaction_id: two, status: "pending", answer_format: "confirm" }]);
      expect(itemsOf(await runs.questions(driver, "r/1"))).toHaveLength(3);
      const { json } = await runs.show(driver, "r/1");
      expect(json).toMatchObject({ owner: "ann", total: 3, remaining: 1 });
      expect(Date.parse(String(json["updated_at"]))).toBeGreaterThanOrEqual(
        Date.parse(String(json["parked_at"])),
      );
    });

    it("pages many questions, each once", async () => {
      const driver = await runs.registered();
      const ids = await Promise.all(Array.from({ length: 53 }, () => runs.asked(driver, "many")));
      await runs.park(driver, "many", ids);
      const first = await runs.questions(driver, "many", "?state=waiting");
      const second = await runs.questions(
        driver,
        "many",
        `?state=waiting&cursor=${nextCursorOf(first) ?? ""}`,
      );
      expect([itemsOf(first).length, itemsOf(second).length, nextCursorOf(second)]).toEqual([50, 3, null]);
      const all = [...itemsOf(first), ...itemsOf(second)].map((item) => item["interaction_id"]);
      expect(new Set(all)).toEqual(new Set(ids));
    });

    it("tells what happened to it, over all of its parks, and whose hand put it back", async () => {
      const driver = await runs.registered();
      const id = await runs.asked(driver, "r");
      await runs.park(driver, "r", [id]);
      await answer(id, "x");
      const { claim_id } = (await runs.claimed(driver)).json;
      await runs.fail(String(claim_id), { reason: "no network", retry: false });
      expect((await runs.replay(driver, "r", olga())).json).toMatchObject({ state: "resuming", total: 1 });
      const again = await runs.claimed(driver);
      const token = { key: String(again.json["token"]) };
      const next = await runs.asked(driver, "r", {}, token);
      await runs.park(driver, "r", [next], { park_id: "second" }, token);
      await runs.complete(String(again.json["claim_id"]), { parked: true });
      const history = itemsOf(await runs.history(driver, "r"));
      expect(history.map((entry) => entry["type"])).toEqual([
        ...["parked", "resume_requested", "claimed", "failed"],
        ...["replayed", "claimed", "parked", "resumed"],
      ]);
      expect(history[0]).toMatchObject({ questions: 1 });
      expect(history[3]).toMatchObject({ attempt: 1, reason: "no network" });
      expect(history[4]).toMatchObject({ by: "olga" });
      expect(history[6]).toMatchObject({ park_id: "second" });
      expect(history[7]).toMatchObject({ parked: true });
    });

    it("shows a failed park behind a later one by its id", async () => {
      const driver = await runs.registered();
      const [one, two] = [await runs.asked(driver, "r"), await runs.asked(driver, "r")];
      await runs.park(driver, "r", [one], { park_id: "older" });
      await answer(one, "x");
      await failed(driver, "r");
      await runs.park(driver, "r", [two], { park_id: "newer" });
      const show = (query: string) => runs.call(`/api/runs/${driver}/r${query}`);
      expect((await show("")).json).toMatchObject({ park_id: "newer", state: "parked" });
      expect((await show("?park_id=older")).json).toMatchObject({ state: "failed", reason: "no r" });
      expect(itemsOf(await runs.questions(driver, "r", "?park_id=older"))).toMatchObject([
        { interaction_id: one },
      ]);
      expect((await show("?park_id=none")).status).toBe(404);
    });

    it("is for its owner and for operators, and refuses what it does not know", async () => {
      const driver = await runs.registered();
      const id = await runs.asked(driver, "r");
      await runs.park(driver, "r", [id]);
      for (const read of [runs.questions(driver, "r", "", alan()), runs.history(driver, "r", alan())]) {
        expect((await read).status).toBe(404);
      }
      const bob = { key: at().keys.answerer };
      for (const read of [runs.questions(driver, "r", "", bob), runs.history(driver, "r", bob)]) {
        expect((await read).status).toBe(403);
      }
      for (const query of ["?state=open", "?cursor=no-such-id", "?park=x", "?state=ended&state=waiting"]) {
        expect([query, (await runs.questions(driver, "r", query)).status]).toEqual([query, 400]);
      }
      expect((await runs.questions(driver, "unknown")).status).toBe(404);
    });
  });
}

function byQuestion(one: Record<string, unknown>, other: Record<string, unknown>): number {
  return String(one["question"]).localeCompare(String(other["question"]));
}
