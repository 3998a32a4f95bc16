import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Body, converse, faultsOf } from "../support/converse.ts";
import type { RunDeployment } from "../support/deployment.ts";
import { type HeldClaim, openRuns, type Runs } from "../support/runs.ts";
import type { Sent } from "../support/send.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** What the token of a claim opens, and until when. */
export function claimTokenSuite(at: () => RunDeployment): void {
  const { ask, asked, answer, call, item, result } = converse(at);
  let runs: Runs;
  let driver: string;
  beforeAll(async () => {
    runs = await openRuns(at().natsUrl, at().sessionKeys);
    driver = `crew-${crypto.randomUUID()}`;
    await runs.register(driver, "ann");
  });
  afterAll(() => runs.close());

  const asyncBody = (runId: string, more: Body = {}): Body => ({
    ...{ question: "Later?", mode: "async", expiry_at: new Date(Date.now() + 3_600_000).toISOString() },
    ...{ run: { driver, run_id: runId }, ...more },
  });
  async function newClaim(leaseMs?: number): Promise<HeldClaim & { runId: string }> {
    const runId = `run ${crypto.randomUUID()}`;
    return { runId, ...(await runs.claim(driver, runId, leaseMs)) };
  }
  const cancel = (id: string, sent: Sent) =>
    call(`/api/interactions/${id}/cancel`, { method: "POST", ...sent });

  describe("the token of a claim", () => {
    it("asks for its run as the subject it stands for, and reads and cancels what came of it", async () => {
      const { token: key, runId } = await newClaim();
      const id = await asked(asyncBody(runId), { key });
      const other = await asked(asyncBody(runId), { key });
      expect((await item(id, { key })).json).toMatchObject({
        asker: "ann",
        mode: "async",
        status: "pending",
      });
      const waiting = result(id, "?wait=10", { key });
      await answer(id, "yes");
      expect((await waiting).json).toMatchObject({ status: "answered", answer: "yes" });
      expect((await call(`/api/interactions/${id}/events`, { key })).status).toBe(200);
      expect((await cancel(other, { key })).json).toMatchObject({ status: "cancelled" });
    });

    it("reads what was asked for its run by its subject's own key", async () => {
      const { token: key, runId } = await newClaim();
      const id = await asked(asyncBody(runId));
      await answer(id, "yes");
      expect((await result(id, "", { key })).json).toMatchObject({ answer: "yes" });
    });

    it("asks what its run waits for, and is given the answer", async () => {
      const { token: key } = await newClaim();
      const id = `now-${crypto.randomUUID()}`;
      const held = ask({ question: "Now?", id }, { key, headers: { prefer: "wait=20" } });
      await expect.poll(async () => (await item(id)).status).toBe(200);
      await answer(id, "there");
      expect(await held).toMatchObject({ status: 200, json: { status: "answered", answer: "there" } });
      expect((await result(id, "", { key })).json).toMatchObject({ answer: "there" });
      const open = await asked({}, { key });
      expect((await cancel(open, { key })).status).toBe(200);
    });

    it("goes on with what its subject asked before the run parked, and says that it has a sensitive answer", async () => {
      const { token: key } = await newClaim();
      const body = { question: "PIN?", id: `before-${crypto.randomUUID()}`, sensitive: true };
      await asked(body);
      expect((await ask(body, { key })).status).toBe(200);
      await answer(body.id, "4711");
      expect((await result(body.id, "", { key })).json).toMatchObject({ answer: "4711" });
      expect((await call(`/api/interactions/${body.id}/result`, { method: "DELETE", key })).status).toBe(204);
      expect((await result(body.id, "", { key })).status).toBe(404);
    });

    it("uploads, reserves an id, and says what needs no answer", async () => {
      const { token: key } = await newClaim();
      const headers = { "content-type": "image/png" };
      const uploaded = await call("/api/interactions/media", { key, body: new Uint8Array(PNG), headers });
      expect(uploaded.status, uploaded.text).toBe(201);
      const reserved = await call("/api/interactions/reservations", { method: "POST", key });
      expect(reserved.status, reserved.text).toBe(201);
      const said = await call("/api/notifications", { key, json: { message: "Resumed." } });
      expect(said.status, said.text).toBe(202);
    });

    it("asks for no other run, and leaves nothing behind when it tries", async () => {
      const { token: key, runId } = await newClaim();
      const strays: Body[] = [
        asyncBody("another run"),
        asyncBody(runId, { run: { driver: `${driver}x`, run_id: runId } }),
        // What else is wrong is not even looked at.
        asyncBody("another run", { question: "", nope: 1 }),
      ];
      for (const [index, body] of strays.entries()) {
        const id = `stray-${index}-${crypto.randomUUID()}`;
        expect(faultsOf(await ask({ ...body, id }, { key }))).toEqual({
          status: 403,
          code: "forbidden",
          paths: [],
        });
        expect((await item(id)).status).toBe(404);
      }
      const unsaid = asyncBody(runId, { run: { driver } });
      expect(faultsOf(await ask(unsaid, { key }))).toMatchObject({ status: 400, paths: ["/run/run_id"] });
    });

    it("reads and cancels nothing of another run, and what others asked is not there", async () => {
      const [{ token: key }, another] = [await newClaim(), await newClaim()];
      const ofAnother = [
        await asked(asyncBody("another run")),
        await asked(asyncBody(another.runId), { key: another.token }),
        await asked({}, { key: another.token }),
      ];
      const theirs = await asked({ audience: "ann" }, { key: at().keys.otherAsker });
      for (const [id, status] of [...ofAnother.map((each) => [each, 403] as const), [theirs, 404] as const]) {
        const replies = [
          await item(id, { key }),
          await call(`/api/interactions/${id}/events`, { key }),
          await result(id, "?wait=5", { key }),
          await call(`/api/interactions/${id}/result`, { method: "DELETE", key }),
          await cancel(id, { key }),
        ];
        expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => status));
        expect(replies.map((reply) => reply.text).join()).not.toContain("Later?");
        expect((await item(id)).json["status"]).toBe("pending");
      }
    });

    it.each([
      ["list", "GET", "/api/interactions"],
      ["watch", "GET", "/api/interactions/stream"],
      ["read the feed", "GET", "/api/notifications"],
      ["ask who it is", "GET", "/api/me"],
      ["make a link that signs in", "POST", "/api/session/links"],
      ["read the metrics", "GET", "/metrics"],
    ])("does not %s: %s %s is 403", async (_what, method, path) => {
      const { token: key } = await newClaim();
      expect(faultsOf(await call(path, { method, key }))).toMatchObject({ status: 403, code: "forbidden" });
    });

    it("answers nothing, its own questions included", async () => {
      const { token: key, runId } = await newClaim();
      const id = await asked(asyncBody(runId, { audience: "ann" }), { key });
      expect(faultsOf(await answer(id, "me", { key }))).toMatchObject({ status: 403, code: "forbidden" });
      expect((await item(id)).json["status"]).toBe("pending");
    });

    it("is looked at by every service alike once its claim is over: 401", async () => {
      const { token: key, runId, complete } = await newClaim();
      const id = await asked(asyncBody(runId), { key });
      await complete();
      const replies = [
        await ask({ question: "Still?" }, { key }),
        await ask(asyncBody("another run"), { key }),
        await item(id, { key }),
        await result(id, "?wait=5", { key }),
        await call("/api/interactions/media", {
          key,
          body: new Uint8Array(PNG),
          headers: { "content-type": "image/png" },
        }),
        await call("/api/notifications", { key, json: { message: "Still." } }),
        await call("/api/me", { key }),
      ];
      for (const reply of replies) {
        expect(faultsOf(reply)).toMatchObject({ status: 401, code: "unauthenticated" });
      }
      expect((await item(id)).json["status"]).toBe("pending");
    });

    it("dies with the lease, whoever holds it next, and lives on with a heartbeat", async () => {
      const [short, long] = [await newClaim(1_500), await newClaim(1_500)];
      await long.renew(60_000);
      const isIn = async (key: string) => (await call("/api/me", { key })).status === 403;
      await expect.poll(() => isIn(short.token), { timeout: 10_000 }).toBe(false);
      expect(await isIn(long.token)).toBe(true);
      const next = await runs.claim(driver, short.runId);
      expect([await isIn(short.token), await isIn(next.token)]).toEqual([false, true]);
    });

    it("is nothing when any part of it is changed, or when it is another's id", async () => {
      const { token, claimId } = await newClaim();
      const [kid = "", body = "", mac = ""] = token.split(".");
      const asRoot = Buffer.from(JSON.stringify({ claim: claimId, subject: "olga", groups: [] })).toString(
        "base64url",
      );
      const forged = [`${kid}.${asRoot}.${mac}`, `${kid}x.${body}.${mac}`, `${token}A`, claimId];
      for (const key of forged) expect((await call("/api/me", { key })).status).toBe(401);
    });
  });
}
