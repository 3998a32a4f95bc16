import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { converse, faultsOf, itemsOf, messagesOf } from "../support/converse.ts";
import { converseAboutRuns, nextCursorOf } from "../support/converse-runs.ts";
import type { Deployment } from "../support/deployment.ts";

/** What the doors of drivers and runs refuse, and to whom. */
export function runDoorsSuite(at: () => Deployment): void {
  const { answer, asked } = converse(at);
  const runs = converseAboutRuns(at);
  const alan = () => ({ key: at().keys.otherAsker });
  const olga = () => ({ key: at().keys.operator });

  describe("a driver", () => {
    it("is registered once, repeated and changed by its owner, and nothing to anybody else", async () => {
      const driver = await runs.registered();
      expect((await runs.register(driver)).status).toBe(200);
      const checkpointer = { kind: "redis", retention_seconds: 86_400 };
      const changed = await runs.register(driver, { checkpointer });
      expect([changed.status, changed.json]).toEqual([200, { name: driver, checkpointer }]);
      for (const foreign of [
        runs.register(driver, {}, alan()),
        runs.claim(driver, "", alan()),
        runs.claim(driver, "", olga()),
        runs.park(driver, "r", [randomUUID()], {}, alan()),
      ]) {
        expect(faultsOf(await foreign)).toMatchObject({ status: 404, code: "not_found" });
      }
      expect((await runs.claim("no-such-driver")).status).toBe(404);
    });

    it("whose checkpoints do not outlive a process is refused with the reason", async () => {
      for (const kind of ["memory", "sqlite", ""]) {
        const refused = await runs.register("d", { checkpointer: { kind } });
        expect(faultsOf(refused)).toMatchObject({ status: 400, paths: ["/checkpointer/kind"] });
        expect(messagesOf(refused)).toContain("postgres or redis");
      }
      for (const name of ["", "a.b", "a b", "x".repeat(65)]) {
        expect(faultsOf(await runs.register(name))).toMatchObject({ status: 400, paths: ["/name"] });
      }
    });

    it("cannot keep its runs for less time than a question of theirs is open", async () => {
      const driver = await runs.registered();
      const id = await runs.asked(driver, "r");
      const shorter = { checkpointer: { kind: "postgres", retention_seconds: 60 } };
      expect(faultsOf(await runs.register(driver, shorter))).toMatchObject({ status: 409 });
      const longer = { checkpointer: { kind: "postgres", retention_seconds: 7_200 } };
      expect((await runs.register(driver, longer)).status).toBe(200);
      await answer(id, "x");
      expect((await runs.register(driver, shorter)).status).toBe(200);
    });

    it("may name no address for its continuations that is not allowed, and no secret that there is not", async () => {
      const deliver = { url: "https://example.com/runs", secret_ref: "nothing" };
      const refused = await runs.register("d", { deliver });
      expect(faultsOf(refused)).toMatchObject({
        status: 400,
        paths: ["/deliver/url", "/deliver/secret_ref"],
      });
      expect(messagesOf(refused)).toMatch(/https:\/\/example\.com.*INTERLUDE_CONTINUATION_URLS/);
    });
  });

  describe("a park", () => {
    it("is the same by the same set, in whatever order and under whatever id it comes again", async () => {
      const driver = await runs.registered();
      const [a, b] = [await runs.asked(driver, "r"), await runs.asked(driver, "r")];
      const first = await runs.park(driver, "r", [a, b], { park_id: "mine" });
      expect([first.status, first.json]).toEqual([201, { park_id: "mine", remaining: 2 }]);
      await answer(a, "x");
      for (const again of [
        runs.park(driver, "r", [b, a, b], { park_id: "mine" }),
        runs.park(driver, "r", [a, b]),
        runs.park(driver, "r", [a, b], { park_id: "another" }),
      ]) {
        const { status, json } = await again;
        expect([status, json]).toEqual([201, first.json]);
      }
      const other = await runs.park(driver, "r", [a], { park_id: "mine" });
      expect(faultsOf(other)).toMatchObject({ status: 409, code: "idempotency_conflict" });
      // A set that is parked keeps its name, also where a repeat gives it that of another set.
      const alone = await runs.park(driver, "r", [a], { park_id: "alone" });
      expect([alone.status, alone.json]).toEqual([201, { park_id: "alone", remaining: 0 }]);
      const named = await runs.park(driver, "r", [a], { park_id: "mine" });
      expect([named.status, named.json]).toEqual([201, alone.json]);
      expect(itemsOf(await runs.list(`?interaction_id=${b}`))).toMatchObject([{ park_id: "mine" }]);
    });

    it("waits only for async questions of its owner for exactly this run, and says which is none", async () => {
      const driver = await runs.registered();
      const another = await runs.registered();
      const own = await runs.asked(driver, "r");
      const wrong = {
        unknown: randomUUID(),
        "of another run": await runs.asked(driver, "other"),
        "of another driver": await runs.asked(another, "r"),
        sync: await asked(),
      };
      for (const [what, id] of Object.entries(wrong)) {
        const refused = await runs.park(driver, "r", [own, id]);
        expect([what, faultsOf(refused)]).toEqual([
          what,
          { status: 404, code: "not_found", paths: ["/interaction_ids/1"] },
        ]);
      }
      expect((await runs.show(driver, "r")).status).toBe(404);
      const odd = await runs.park(driver, "r", [own, "not.an*id"]);
      expect(faultsOf(odd)).toMatchObject({ status: 400, paths: ["/interaction_ids/1"] });
    });

    it("has bounds, which are looked at before anything is read", async () => {
      const driver = await runs.registered();
      const ids = (count: number, chars: number) =>
        Array.from({ length: count }, (_, each) => String(each).padStart(chars, "i"));
      expect(faultsOf(await runs.park(driver, "r", []))).toMatchObject({ status: 400 });
      expect(faultsOf(await runs.park(driver, "r", ids(10_001, 8)))).toMatchObject({ status: 400 });
      expect((await runs.park(driver, "r", ids(10_000, 64))).status).toBe(413);
    });
  });

  describe("runs", () => {
    it("are listed to who owns them and to operators, newest first, by state, driver and question", async () => {
      const driver = await runs.registered();
      const ids: string[] = [];
      for (let each = 0; each < 53; each += 1) {
        const id = await runs.asked(driver, `r${each}`);
        await runs.park(driver, `r${each}`, [id]);
        ids.push(id);
      }
      await answer(ids[0] ?? "", "x");
      const all = await pages(`driver=${driver}`);
      expect(all.map((each) => each["run_id"])).toEqual(ids.map((_, each) => `r${each}`).toReversed());
      expect(await pages(`driver=${driver}&state=resuming`)).toMatchObject([{ run_id: "r0", remaining: 0 }]);
      expect((await pages(`driver=${driver}&state=parked`)).length).toBe(52);
      expect(await pages(`interaction_id=${ids[7] ?? ""}`)).toMatchObject([{ run_id: "r7" }]);
      expect((await runs.list(`?driver=${driver}`, olga())).json["items"]).toHaveLength(50);
      expect((await runs.list(`?driver=${driver}`, alan())).json).toEqual({ items: [], next_cursor: null });
      expect((await runs.show(driver, "r0", olga())).status).toBe(200);
      for (const hidden of [runs.show(driver, "r0", alan()), runs.replay(driver, "r0", alan())]) {
        expect((await hidden).status).toBe(404);
      }
      expect((await runs.list("", { key: at().keys.answerer })).status).toBe(403);
    });

    it("are not listed by what no list knows", async () => {
      for (const query of [
        "state=done",
        "cursor=x",
        "drivers=d",
        "driver=a.b",
        "state=parked&state=failed",
      ]) {
        expect([query, (await runs.list(`?${query}`)).status]).toEqual([query, 400]);
      }
    });

    it("claims of somebody else, and what is no claim, do not exist", async () => {
      const driver = await runs.registered();
      const id = await runs.asked(driver, "r");
      await runs.park(driver, "r", [id]);
      await answer(id, "x");
      const claimId = String((await runs.claimed(driver)).json["claim_id"]);
      const reason = { reason: "x", retry: false };
      for (const other of [alan(), olga()]) {
        for (const foreign of [
          runs.heartbeat(claimId, other),
          runs.complete(claimId, {}, other),
          runs.fail(claimId, reason, other),
        ]) {
          expect((await foreign).status).toBe(404);
        }
      }
      for (const made of ["c-1", `${claimId}x`, claimId.replace(".r.", ".s.")]) {
        expect((await runs.heartbeat(made)).status).toBe(404);
      }
      expect(faultsOf(await runs.fail(claimId, { reason: "x" }))).toMatchObject({ paths: ["/retry"] });
      expect(faultsOf(await runs.complete(claimId, { result: 1, parked: true }))).toMatchObject({
        status: 400,
      });
      expect((await runs.complete(claimId)).status).toBe(200);
    });
  });

  async function pages(query: string): Promise<Record<string, unknown>[]> {
    const all: Record<string, unknown>[] = [];
    let cursor: string | null = null;
    do {
      const page = await runs.list(`?${query}${cursor === null ? "" : `&cursor=${cursor}`}`);
      expect(page.status).toBe(200);
      all.push(...itemsOf(page));
      cursor = nextCursorOf(page);
    } while (cursor !== null);
    return all;
  }
}
