import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Body, converse, faultsOf, messagesOf } from "../support/converse.ts";
import type { Deployment } from "../support/deployment.ts";
import { openStoreWitness, type StoreWitness } from "../support/store-witness.ts";
import { FITTING_ANSWERS, UNFIT_ANSWERS } from "./answers.ts";

const UNKNOWN = "019f0000-0000-7000-8000-000000000000";

/** What an answer must be, in which order a door refuses, and what is left when it did. */
export function answeringSuite(at: () => Deployment): void {
  const { asked, answer, call, item, result } = converse(at);
  let witness: StoreWitness;
  beforeAll(async () => {
    witness = await openStoreWitness(at().natsUrl);
  });
  afterAll(() => witness.close());
  const byFormat = new Map<string, Promise<string>>();

  /** One question for all the answers it refuses: it must stay open through each. */
  function open(question: Body): Promise<string> {
    const name = JSON.stringify(question);
    const known = byFormat.get(name) ?? asked(question);
    byFormat.set(name, known);
    return known;
  }

  describe("an answer that does not fit is 400, and the question stays open", () => {
    it.each(UNFIT_ANSWERS)("%s", async (_name, question, body, path, word) => {
      const id = await open(question);
      const before = await witness.everything();
      const reply = await call(`/api/interactions/${id}/answer`, { key: at().keys.answerer, json: body });
      expect(faultsOf(reply)).toMatchObject({ status: 400, code: "validation_failed" });
      expect(faultsOf(reply).paths).toContain(path);
      if (word !== undefined) expect(messagesOf(reply)).toContain(word);
      expect(await witness.everything()).toBe(before);
      expect((await item(id)).json["status"]).toBe("pending");
    });

    it("names every fault of a form at once", async () => {
      const id = await asked({
        answer_format: "form",
        schema: {
          type: "object",
          properties: {
            a: { type: "integer" },
            b: { type: "object", properties: { c: { type: "string" } } },
          },
          required: ["z"],
        },
      });
      const reply = await answer(id, { a: "x", b: { c: 1 } });
      expect(faultsOf(reply).paths.toSorted()).toEqual(["/answer/a", "/answer/b/c", "/answer/z"]);
    });
  });

  describe("an answer that fits comes back as it was given", () => {
    it.each(FITTING_ANSWERS)("%s", async (_name, question, value) => {
      const id = await asked(question);
      const reply = await answer(id, value);
      expect(reply.json).toMatchObject({ interaction_id: id, status: "answered", answered_by: "bob" });
      expect(reply.status).toBe(200);
      expect(Object.keys(reply.json)).toHaveLength(5);
      expect((await result(id)).json["answer"]).toEqual(value);
      expect((await item(id)).json["answer"]).toEqual(value);
    });

    it("with its params, up to 16 keys and 2048 bytes", async () => {
      const params = Object.fromEntries(
        Array.from({ length: 16 }, (_, at) => [`k${at % 10}${at > 9 ? "x" : ""}`, "v".repeat(100)]),
      );
      const id = await asked();
      expect(
        (
          await call(`/api/interactions/${id}/answer`, {
            key: at().keys.answerer,
            json: { answer: "x", params },
          })
        ).status,
      ).toBe(200);
      expect((await result(id)).json["params"]).toEqual(params);
    });
  });

  describe("a refusal comes in the contract's order", () => {
    const send = (id: string, json: unknown, key = at().keys.answerer) =>
      call(`/api/interactions/${id}/answer`, { key, json });

    it("401 before 403 before 415 before 413 before malformed JSON", async () => {
      const id = await asked();
      const path = `/api/interactions/${id}/answer`;
      const large = `{"answer":"${"x".repeat(70_000)}`;
      const [textType, jsonType] = ["text/plain", "application/json"].map((type) => ({
        "content-type": type,
      }));
      const asker = at().keys.asker;
      const bob = at().keys.answerer;
      expect((await call(path, { body: large, headers: { ...textType } })).status).toBe(401);
      expect((await call(path, { key: asker, body: large, headers: { ...textType } })).status).toBe(403);
      expect((await call(path, { key: bob, body: large, headers: { ...textType } })).status).toBe(415);
      expect((await call(path, { key: bob, body: large, headers: { ...jsonType } })).status).toBe(413);
      expect((await call(path, { key: bob, body: '{"answer":', headers: { ...jsonType } })).status).toBe(400);
      expect((await item(id)).json["status"]).toBe("pending");
    });

    it("malformed JSON before an unknown question, and that before a wrong body", async () => {
      const path = `/api/interactions/${UNKNOWN}/answer`;
      const sent = { key: at().keys.answerer, headers: { "content-type": "application/json" } };
      expect((await call(path, { ...sent, body: "{" })).status).toBe(400);
      expect(faultsOf(await send(UNKNOWN, { nope: 1 }))).toMatchObject({ status: 404, code: "not_found" });
    });

    it("already answered before a wrong answer, saying who answered and when", async () => {
      const id = await asked({ answer_format: "confirm" });
      const first = await answer(id, true);
      const second = await send(id, { answer: "no", nope: 1 });
      expect(faultsOf(second)).toMatchObject({ status: 409, code: "already_answered" });
      expect(second.json).toMatchObject({ answered_by: "bob", answered_at: first.json["answered_at"] });
    });

    it("cancelled before a wrong answer", async () => {
      const id = await asked();
      await call(`/api/interactions/${id}/cancel`, { method: "POST", key: at().keys.asker });
      expect(faultsOf(await send(id, { answer: 5 }))).toMatchObject({ status: 410, code: "cancelled" });
    });

    it("expired at the deadline, before the end is written", async () => {
      const id = await asked({ timeout_seconds: 0.1 });
      const { timeout_at } = (await item(id)).json;
      while (Date.now() < Date.parse(String(timeout_at)) + 50) await new Promise(setImmediate);
      expect(faultsOf(await send(id, { answer: 5 }))).toMatchObject({ status: 410, code: "expired" });
    });
  });

  describe("one answer counts", () => {
    it("the first, whatever the second says (A-RES-3, A-IDEM-2)", async () => {
      const id = await asked();
      expect((await answer(id, "A")).status).toBe(200);
      expect((await answer(id, "A")).status).toBe(409);
      expect((await answer(id, "B")).status).toBe(409);
      expect((await result(id)).json["answer"]).toBe("A");
    });

    it("of 20 at once exactly one is accepted, and it is the one that stands", async () => {
      const id = await asked();
      const replies = await Promise.all(Array.from({ length: 20 }, (_, each) => answer(id, `v${each}`)));
      const won = replies.findIndex(({ status }) => status === 200);
      expect(replies.filter(({ status }) => status === 409)).toHaveLength(19);
      expect((await result(id)).json["answer"]).toBe(`v${won}`);
    });

    it("a repeat under the same Idempotency-Key is 200 again, other content is a conflict", async () => {
      const id = await asked();
      const headers = { "idempotency-key": `once-${id}` };
      const first = await answer(id, "A", { headers });
      const again = await answer(id, "A", { headers });
      expect([first.status, again.status, again.json]).toEqual([200, 200, first.json]);
      expect((await answer(id, "B", { headers })).status).toBe(409);
      expect((await answer(id, "A", { headers, key: at().keys.operator })).status).toBe(409);
    });

    it("each of two questions with the same words gets its own (A-RES-1, A-RES-5)", async () => {
      const body = { question: "Approve?", answer_format: "confirm" };
      const [a, b] = [await asked(body), await asked(body)];
      await answer(b, false);
      expect((await result(a)).status).toBe(202);
      await answer(a, true);
      expect([(await result(a)).json["answer"], (await result(b)).json["answer"]]).toEqual([true, false]);
    });
  });
}
