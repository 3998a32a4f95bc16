import { describe, expect, it } from "vitest";
import { converse, faultsOf } from "../support/converse.ts";
import type { Deployment } from "../support/deployment.ts";

const UNKNOWN = "019f0000-0000-7000-8000-000000000000";

/** Cancelling, expiring, waiting for and reading what came of a question. */
export function endingSuite(at: () => Deployment): void {
  const { ask, asked, answer, call, item, result } = converse(at);
  const cancel = (id: string, sent: object = {}) =>
    call(`/api/interactions/${id}/cancel`, { method: "POST", key: at().keys.asker, ...sent });

  describe("a question is cancelled", () => {
    it("by its asker, with a reason its asker reads back", async () => {
      const id = await asked();
      const reply = await cancel(id, { json: { reason: "no longer needed" } });
      expect([reply.status, reply.json]).toMatchObject([200, { interaction_id: id, status: "cancelled" }]);
      expect(typeof reply.json["sequence"]).toBe("number");
      expect((await result(id)).json).toMatchObject({ status: "cancelled", reason: "no longer needed" });
    });

    it("by an operator, without a body", async () => {
      expect((await cancel(await asked(), { key: at().keys.operator })).status).toBe(200);
    });

    it.each([
      ["by another asker is 404", "otherAsker", 404],
      ["by an answerer is 403", "answerer", 403],
    ] as const)("%s and changes nothing", async (_name, person, status) => {
      const id = await asked();
      expect((await cancel(id, { key: at().keys[person] })).status).toBe(status);
      expect((await item(id)).json["status"]).toBe("pending");
    });

    it("not once it is answered (409) or cancelled (410)", async () => {
      const [one, other] = [await asked(), await asked()];
      await answer(one, "x");
      await cancel(other);
      expect(faultsOf(await cancel(one))).toMatchObject({ status: 409, code: "already_answered" });
      expect(faultsOf(await cancel(other))).toMatchObject({ status: 410, code: "cancelled" });
    });

    it("not when it is unknown, and not with a reason of 1001 code points", async () => {
      expect((await cancel(UNKNOWN)).status).toBe(404);
      expect(faultsOf(await cancel(await asked(), { json: { reason: "r".repeat(1001) } }))).toMatchObject({
        status: 400,
        paths: ["/reason"],
      });
    });
  });

  describe("a result", () => {
    it("is read by its asker and by operators, and by nobody else", async () => {
      const id = await asked();
      await answer(id, "x");
      expect((await result(id, "", { key: at().keys.operator })).status).toBe(200);
      expect((await result(id, "", { key: at().keys.otherAsker })).status).toBe(404);
      expect((await result(id, "", { key: at().keys.answerer })).status).toBe(403);
      expect(faultsOf(await result(UNKNOWN))).toMatchObject({ status: 404, code: "not_found" });
    });

    it("is 202 until there is one, at once without a wait and after it with one", async () => {
      const id = await asked();
      const reply = await result(id);
      expect([reply.status, reply.json]).toEqual([202, { interaction_id: id, status: "pending" }]);
      const begun = performance.now();
      expect((await result(id, "?wait=0.3")).status).toBe(202);
      expect(performance.now() - begun).toBeGreaterThan(250);
    });

    it.each(["61", "-1", "x", "1e1", "", "NaN", "Infinity"])(
      "with wait=%s is 400 naming wait",
      async (wait) => {
        expect(faultsOf(await result(await asked(), `?wait=${wait}`))).toMatchObject({
          status: 400,
          paths: ["wait"],
        });
      },
    );

    it("holds what was answered, by whom and when, and nothing else", async () => {
      const id = await asked();
      const { answered_at } = (await answer(id, "x")).json;
      expect((await result(id)).json).toEqual({
        interaction_id: id,
        status: "answered",
        answer: "x",
        answered_by: "bob",
        answered_at,
      });
    });

    it("of an expired question is the marker, unlike any answer (A-EXP-1)", async () => {
      const id = await asked({ answer_format: "confirm", timeout_seconds: 0.2 });
      const reply = await result(id, "?wait=5");
      expect(reply.status).toBe(200);
      expect(reply.json).toMatchObject({ status: "expired", answer: { interaction_expired: true } });
    });

    it("wakes 30 waiters of one question with one answer", async () => {
      const id = await asked();
      const waiting = Array.from({ length: 30 }, () => result(id, "?wait=10"));
      await answer(id, "now");
      for (const reply of await Promise.all(waiting)) expect(reply.json["answer"]).toBe("now");
    });
  });

  describe("a caller that waits where it asked", () => {
    const waiting = (body: object, seconds: number) =>
      ask({ question: "Wait?", ...body }, { headers: { prefer: `wait=${seconds}` } });

    it("gets the answer itself", async () => {
      const id = `wait-${crypto.randomUUID()}`;
      const held = waiting({ id }, 10);
      await expect.poll(async () => (await item(id)).status).toBe(200);
      await answer(id, "there");
      expect(await held).toMatchObject({ status: 200, json: { status: "answered", answer: "there" } });
    });

    it("gets the marker when nobody answers in time", async () => {
      expect(await waiting({ timeout_seconds: 0.3 }, 5)).toMatchObject({
        status: 200,
        json: { status: "expired" },
      });
    });

    it("gets its receipt when the wait ends first, told that the wait was kept", async () => {
      const reply = await waiting({}, 0.2);
      expect([reply.status, reply.json["status"], reply.headers.get("preference-applied")]).toEqual([
        201,
        "pending",
        "wait=0.2",
      ]);
    });
  });

  describe("an ask that is repeated", () => {
    it("by the same subject with the same content is the same question, with its present status", async () => {
      const body = { question: "Once?", id: `once-${crypto.randomUUID()}` };
      const first = await ask(body);
      const again = await ask({ id: body.id, question: body.question });
      expect([first.status, again.status]).toEqual([201, 200]);
      expect(again.json).toEqual(first.json);
      await answer(body.id, "x");
      expect((await ask(body)).json).toMatchObject({ interaction_id: body.id, status: "answered" });
      expect(await ask(body, { headers: { prefer: "wait=5" } })).toMatchObject({
        status: 200,
        json: { answer: "x" },
      });
    });

    it("under one Idempotency-Key is one question, and another subject's key is another's", async () => {
      const headers = { "idempotency-key": `key ${crypto.randomUUID()} *>.` };
      const [one, two, other] = [
        await ask({ question: "K?" }, { headers }),
        await ask({ question: "K?" }, { headers }),
        await ask({ question: "K?" }, { headers, key: at().keys.otherAsker }),
      ];
      expect([one.status, two.status, other.status]).toEqual([201, 200, 201]);
      expect(two.json["interaction_id"]).toBe(one.json["interaction_id"]);
      expect(other.json["interaction_id"]).not.toBe(one.json["interaction_id"]);
    });

    it("with other content, or by another subject, is a conflict that tells nothing of the first", async () => {
      const id = `conflict-${crypto.randomUUID()}`;
      await ask({ question: "A secret plan?", id });
      const others = [
        await ask({ question: "Other?", id }),
        await ask({ question: "A secret plan?", id, timeout_seconds: 3600 }),
        await ask({ question: "A secret plan?", id }, { key: at().keys.otherAsker }),
      ];
      for (const reply of others) {
        expect(faultsOf(reply)).toMatchObject({ status: 409, code: "idempotency_conflict" });
        expect(reply.text).not.toContain("secret");
      }
    });

    it("with other content is a conflict even where that content is no valid question", async () => {
      const id = `conflict-${crypto.randomUUID()}`;
      const headers = { "idempotency-key": `key ${crypto.randomUUID()}` };
      await ask({ question: "First?", id });
      await ask({ question: "First?" }, { headers });
      const bad = { question: "", questoin: "typo", media: [{ kind: "image", url: "ftp://a" }] };
      const others = [
        await ask({ ...bad, id }),
        await ask({ id }),
        await ask({ ...bad, id }, { key: at().keys.otherAsker }),
        await ask(bad, { headers }),
      ];
      for (const reply of others) {
        expect(faultsOf(reply)).toMatchObject({ status: 409, code: "idempotency_conflict", paths: [] });
      }
    });

    it("of which nothing is known yet is told what is wrong with it, the key included", async () => {
      const id = `unknown-${crypto.randomUUID()}`;
      const both = { headers: { "idempotency-key": "k" } };
      const refused = [
        [await ask({ question: "", id }), ["/question"]],
        [await ask({ question: "", id: 5 }), ["/id", "/question"]],
        [await ask({ question: "", id: "short" }), ["/id", "/question"]],
        [await ask({ question: "", id }, both), ["/question", "Idempotency-Key"]],
        [
          await ask({ question: "" }, { headers: { "idempotency-key": "k".repeat(256) } }),
          ["/question", "Idempotency-Key"],
        ],
      ] as const;
      for (const [reply, paths] of refused) {
        expect(reply.status).toBe(400);
        expect(faultsOf(reply).paths.toSorted()).toEqual(paths);
      }
      expect((await ask({ question: "Now?", id })).status).toBe(201);
    });

    it("30 times at once is stored once", async () => {
      const body = { question: "Once?", id: `many-${crypto.randomUUID()}` };
      const replies = await Promise.all(Array.from({ length: 30 }, () => ask(body)));
      expect(replies.map(({ status }) => status).toSorted()).toEqual([
        ...Array.from({ length: 29 }, () => 200),
        201,
      ]);
      expect(new Set(replies.map(({ json }) => json["sequence"])).size).toBe(1);
    });

    it("is refused with both an id and a key, or a key of 256 characters", async () => {
      const sent = (key: string) => ({ headers: { "idempotency-key": key } });
      expect(faultsOf(await ask({ question: "?", id: "abcdefgh-both" }, sent("k")))).toMatchObject({
        status: 400,
        paths: ["Idempotency-Key"],
      });
      expect(faultsOf(await ask({ question: "?" }, sent("k".repeat(256))))).toMatchObject({
        status: 400,
        paths: ["Idempotency-Key"],
      });
    });
  });
}
