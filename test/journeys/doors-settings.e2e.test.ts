import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256Hex } from "@interlude/service-kit";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { converse, faultsOf } from "../support/converse.ts";
import type { Deployment } from "../support/deployment.ts";
import { openStream } from "../support/event-stream.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

const folder = mkdtempSync(join(tmpdir(), "interlude-settings-"));
const doorsFile = join(folder, "doors.json");
const denyFile = join(folder, "deny.json");
let interlude: Interlude;
const at = (): Deployment => ({ ...interlude, natsUrl: interlude.nats.url });
const { ask, answer, result, call, list } = converse(at);

beforeAll(async () => {
  const doors = {
    "GET /api/interactions/:id": "public",
    "POST /api/interactions/:id/answer": "public",
    "GET /api/interactions/:id/events": "closed",
    "GET /api/me": ["operator"],
  };
  writeFileSync(doorsFile, JSON.stringify(doors));
  writeFileSync(denyFile, "[]");
  interlude = await startInterlude({
    settings: { max_concurrent: 2, max_streams: 2, max_waits: 2, answer_timeout_seconds: 7 },
    env: { INTERLUDE_DOORS_FILE: doorsFile, INTERLUDE_DENY_FILE: denyFile },
  });
});

afterAll(async () => {
  await interlude.stop();
  rmSync(folder, { recursive: true, force: true });
});

const byOther = () => ({ key: interlude.keys.otherAsker });

describe("the cap on open questions", () => {
  it("lets exactly 2 of 5 at once in, and says of the others that the limit is reached", async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, (_, each) => ask({ question: `${each}?` })));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(2);
    for (const refused of replies.filter(({ status }) => status !== 201)) {
      expect(faultsOf(refused)).toMatchObject({ status: 429, code: "limit_reached" });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    const [open] = replies.filter(({ status }) => status === 201);
    await answer(String(open?.json["interaction_id"]), "x");
    await eventually(async () => (await ask({ question: "A place again?" })).status === 201);
  });

  it("is a subject's own, and none for operators", async () => {
    expect((await ask({ question: "Mine?" }, byOther())).status).toBe(201);
    for (let each = 0; each < 4; each++) {
      expect((await ask({ question: "Op?" }, { key: interlude.keys.operator })).status).toBe(201);
    }
  });

  it("gives a place back when a deadline passes, and counts no repeat", async () => {
    const body = { id: "capped-question", question: "Short?", timeout_seconds: 0.5 };
    expect((await ask(body, byOther())).status).toBe(201);
    expect((await ask({ question: "Too many?" }, byOther())).status).toBe(429);
    expect((await ask(body, byOther())).status).toBe(200);
    await eventually(async () => (await ask({ question: "Now?" }, byOther())).status === 201);
  });
});

it("a question without a deadline of its own has the configured one", async () => {
  const { json } = await ask({ question: "Default?" }, { key: interlude.keys.operator });
  expect(Date.parse(String(json["timeout_at"])) - Date.parse(String(json["created_at"]))).toBe(7_000);
});

it("a third stream of one subject is 429 with Retry-After, until one ends", async () => {
  const open = (key: string) => openStream(interlude.url, { key });
  const mine = await Promise.all([open(interlude.keys.answerer), open(interlude.keys.answerer)]);
  const third = await call("/api/interactions/stream", { key: interlude.keys.answerer });
  expect(faultsOf(third)).toMatchObject({ status: 429, code: "rate_limited" });
  expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0);
  const others = await Promise.all(
    [interlude.keys.groupAnswerer, ...Array.from({ length: 3 }, () => interlude.keys.operator)].map(open),
  );
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  mine[0].close();
  await eventually(async () => {
    const again = await open(interlude.keys.answerer);
    again.close();
    return again.status === 200;
  });
  for (const stream of [...mine, ...others]) stream.close();
});

it("a third wait of one subject is 429, an ordinary read is not", async () => {
  const own = byOther();
  // What was asked before ends by the configured deadline, and makes room for this one.
  const mineId = await eventually(
    async () => {
      const { status, json } = await ask({ question: "Held?", timeout_seconds: 60 }, own);
      if (status !== 201) throw new TypeError(`asking answered ${status}`);
      return String(json["interaction_id"]);
    },
    { withinMs: 15_000, everyMs: 100 },
  );
  const waits = [result(mineId, "?wait=5", own), result(mineId, "?wait=5", own)];
  await eventually(async () => {
    const { text } = await call("/metrics", { key: interlude.keys.operator });
    return /^interlude_waiting_requests 2$/m.test(text);
  });
  const third = await result(mineId, "?wait=1", own);
  expect(faultsOf(third)).toMatchObject({ status: 429, code: "rate_limited" });
  expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await result(mineId, "", own)).status).toBe(202);
  await answer(mineId, "x");
  for (const reply of await Promise.all(waits)) expect(reply.status).toBe(200);
});

it("an ask that waits takes its place among the waits, and a repeat is answered without one", async () => {
  const own = byOther();
  const waiting = (count: number) =>
    eventually(async () => {
      const { text } = await call("/metrics", { key: interlude.keys.operator });
      return new RegExp(`^interlude_waiting_requests ${count}$`, "m").test(text);
    });
  const held = { ...own, headers: { prefer: "wait=20" } };
  await waiting(0);
  await eventually(async () => (await ask({ id: "held-one", question: "One?" }, own)).status === 201);
  const one = ask({ id: "held-one", question: "One?" }, held);
  const two = result("held-one", "?wait=20", own);
  await waiting(2);

  const third = await ask({ id: "held-three", question: "Three?" }, held);
  expect(faultsOf(third)).toMatchObject({ status: 429, code: "rate_limited" });
  expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await call("/api/interactions/held-three", { key: interlude.keys.operator })).status).toBe(404);

  const repeat = await ask({ id: "held-one", question: "One?" }, held);
  expect([repeat.status, repeat.json["status"]]).toEqual([200, "pending"]);
  expect(repeat.headers.get("preference-applied")).toBeNull();

  await answer("held-one", "x");
  expect((await one).json).toMatchObject({ status: "answered", answer: "x" });
  expect((await two).json).toMatchObject({ status: "answered", answer: "x" });
  const after = await ask({ id: "held-one", question: "One?" }, held);
  expect(after.json).toMatchObject({ status: "answered", answer: "x" });
  await waiting(0);
});

describe("the access table is configuration", () => {
  it("an opened door needs no credential, and its actor is anonymous", async () => {
    const { json } = await ask({ question: "Anybody?" }, { key: interlude.keys.operator });
    const id = String(json["interaction_id"]);
    expect((await call(`/api/interactions/${id}`)).json["question"]).toBe("Anybody?");
    const reply = await call(`/api/interactions/${id}/answer`, { json: { answer: "me" } });
    expect(reply.json).toMatchObject({ status: "answered", answered_by: "anonymous" });
  });

  it("what has an audience does not exist for anybody else, by an opened door too", async () => {
    const { json } = await ask({ question: "Only bob?", audience: "bob" }, { key: interlude.keys.operator });
    const id = String(json["interaction_id"]);
    expect((await call(`/api/interactions/${id}`)).status).toBe(404);
    expect((await call(`/api/interactions/${id}/answer`, { json: { answer: "me" } })).status).toBe(404);
    expect((await answer(id, "x")).status).toBe(200);
  });

  it("a closed door is nobody's, and another role's is that role's", async () => {
    const { json } = await ask({ question: "History?" }, { key: interlude.keys.operator });
    expect(
      (
        await call(`/api/interactions/${String(json["interaction_id"])}/events`, {
          key: interlude.keys.operator,
        })
      ).status,
    ).toBe(404);
    expect((await call("/api/me", { key: interlude.keys.asker })).status).toBe(403);
    expect((await call("/api/me", { key: interlude.keys.operator })).status).toBe(200);
  });

  it.each([
    ["an asking door opened", { "POST /api/interactions": "public" }],
    ["a cancelling door opened", { "POST /api/interactions/:id/cancel": "public" }],
    ["a door that is none", { "GET /api/interaction": "closed" }],
    ["a role that is none", { "GET /api/me": ["admin"] }],
  ])("%s refuses to start, naming it", async (_name, doors) => {
    const path = join(folder, `wrong-${crypto.randomUUID()}.json`);
    writeFileSync(path, JSON.stringify(doors));
    const started = startInterlude({ beside: interlude, env: { INTERLUDE_DOORS_FILE: path } });
    await expect(started).rejects.toThrow(Object.keys(doors)[0] ?? "");
  });
});

it("a key or subject disabled since is refused within a second or so, and let in again", async () => {
  const me = () => list("", { key: interlude.keys.groupAnswerer });
  for (const name of ["groupAnswerer", "carol"]) {
    expect((await me()).status).toBe(200);
    writeFileSync(denyFile, JSON.stringify([name]));
    await eventually(async () => (await me()).status === 401);
    writeFileSync(denyFile, "[]");
    await eventually(async () => (await me()).status === 200);
  }
});

it("a broken file changes nothing: what it last said stays in force", async () => {
  const carol = () => list("", { key: interlude.keys.groupAnswerer });
  writeFileSync(denyFile, JSON.stringify(["carol"]));
  await eventually(async () => (await carol()).status === 401);
  writeFileSync(denyFile, "{");
  // Another watched file, changed after it, has been read: so has this one.
  const key = `il_${randomBytes(24).toString("base64url")}`;
  const keys: unknown = JSON.parse(readFileSync(interlude.apiKeysFile, "utf8"));
  const added = { id: "added", sha256: sha256Hex(key), subject: "dora", roles: ["answerer"] };
  writeFileSync(
    interlude.apiKeysFile,
    JSON.stringify([...(Array.isArray(keys) ? (keys as unknown[]) : []), added]),
  );
  await eventually(async () => (await list("", { key })).status === 200);
  expect((await carol()).status).toBe(401);
  writeFileSync(denyFile, "[]");
  await eventually(async () => (await carol()).status === 200);
});
