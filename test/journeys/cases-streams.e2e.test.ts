import { createHash, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { converse } from "../support/converse.ts";
import type { Deployment } from "../support/deployment.ts";
import { openStream } from "../support/event-stream.ts";
import { head, openSocket } from "../support/raw-request.ts";
import type { Reply } from "../support/send.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

let interlude: Interlude;
const at = (): Deployment => ({ ...interlude, natsUrl: interlude.nats.url });
const { ask, asked, answer, call, list } = converse(at);

beforeAll(async () => {
  interlude = await startInterlude({
    settings: { sse_keepalive_seconds: 1, sse_resume_window: 10, max_concurrent: 0 },
  });
});

afterAll(() => interlude.stop());

async function metric(name: string): Promise<number> {
  const { text } = await call("/metrics", { key: interlude.keys.operator });
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
}

const cutStream = async () => {
  const socket = await openSocket(interlude.url);
  socket.write(head("GET /api/interactions/stream", interlude.keys.operator));
  return socket;
};

it("200 streams cut without a goodbye leave nothing behind (A-SSE-2, A-SSE-4)", async () => {
  const sockets = await Promise.all(Array.from({ length: 200 }, cutStream));
  await eventually(async () => (await metric("interlude_open_streams")) === 200);
  for (const socket of sockets) socket.destroy();
  const live = await openStream(interlude.url, { key: interlude.keys.answerer });
  const ids = await Promise.all(Array.from({ length: 50 }, () => asked()));
  for (const id of ids) await live.frameOf(id, "interaction.add");
  await eventually(async () => (await metric("interlude_open_streams")) === 1);
  live.close();
  await eventually(async () => (await metric("interlude_open_streams")) === 0);
});

it("a client that cuts while it resumes is forgotten too", async () => {
  for (let each = 0; each < 30; each++) {
    const socket = await openSocket(interlude.url);
    socket.write(head("GET /api/interactions/stream", interlude.keys.operator, "last-event-id: 45"));
    socket.destroy();
  }
  expect((await list()).status).toBe(200);
  await eventually(async () => (await metric("interlude_open_streams")) === 0);
});

it(
  "a client that does not read is dropped after a bounded buffer, and slows nobody",
  { timeout: 60_000 },
  async () => {
    const before = await metric("interlude_dropped_streams_total");
    const slow = await cutStream();
    slow.pause();
    const quick = await openStream(interlude.url, { key: interlude.keys.answerer });
    await eventually(async () => (await metric("interlude_open_streams")) === 2);
    const question = "x".repeat(8_000);
    const latencies: number[] = [];
    let isDropped = false;
    for (let round = 0; round < 120 && !isDropped; round++) {
      const id = `slow-${round}-${crypto.randomUUID()}`;
      const rest = Array.from({ length: 15 }, (_, each) => ask({ question, id: `${id}-${each}` }));
      const begun = performance.now();
      await ask({ question, id });
      await quick.frameOf(id, "interaction.add");
      latencies.push(performance.now() - begun);
      await Promise.all(rest);
      isDropped = (await metric("interlude_dropped_streams_total")) > before;
    }
    expect(isDropped).toBe(true);
    expect(latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.9)]).toBeLessThan(1_000);
    await eventually(async () => (await metric("interlude_open_streams")) === 1);
    slow.destroy();
    quick.close();
  },
);

it("keeps a quiet stream alive", async () => {
  const stream = await openStream(interlude.url, { key: interlude.keys.answerer });
  await eventually(() => stream.comments.filter((comment) => comment.trim() === "keepalive").length >= 2, {
    withinMs: 6_000,
  });
  expect(stream.frames).toEqual([]);
  stream.close();
});

it("resumes within its window, and tails from the end outside of it", async () => {
  const replies: Reply[] = [];
  for (let each = 0; each < 15; each++) replies.push(await ask({ question: `${each}?` }));
  const sequence = (each: number) => Number(replies[each]?.json["sequence"]);
  const seen = async (after: number) => {
    const stream = await openStream(interlude.url, {
      key: interlude.keys.answerer,
      headers: { "last-event-id": String(after) },
    });
    const live = await asked();
    await stream.frameOf(live, "interaction.add");
    stream.close();
    return stream.frames.length;
  };
  expect(await seen(sequence(7))).toBe(8);
  expect(await seen(sequence(0))).toBe(1);
});

it("a stream ends within 5 s of its credential", async () => {
  const key = `il_${randomBytes(24).toString("base64url")}`;
  const before = readFileSync(interlude.apiKeysFile, "utf8");
  const entries: unknown[] = JSON.parse(before) as unknown[];
  const entry = {
    id: "temp",
    sha256: createHash("sha256").update(key).digest("hex"),
    subject: "tom",
    roles: ["answerer"],
  };
  writeFileSync(interlude.apiKeysFile, JSON.stringify([...entries, entry]));
  await eventually(async () => (await call("/api/me", { key })).status === 200);
  const stream = await openStream(interlude.url, { key });
  writeFileSync(interlude.apiKeysFile, before);
  await eventually(() => stream.isOver(), { withinMs: 6_000 });
  expect((await call("/api/me", { key })).status).toBe(401);
  // Others go on.
  expect((await answer(await asked(), "x")).status).toBe(200);
});

it("what a one-time link opened ends with the key that made the link", async () => {
  const key = `il_${randomBytes(24).toString("base64url")}`;
  const before = readFileSync(interlude.apiKeysFile, "utf8");
  const entries: unknown[] = JSON.parse(before) as unknown[];
  const sha256 = createHash("sha256").update(key).digest("hex");
  const entry = { id: "temp", sha256, subject: "tom", roles: ["operator"] };
  writeFileSync(interlude.apiKeysFile, JSON.stringify([...entries, entry]));
  await eventually(async () => (await call("/api/me", { key })).status === 200);

  const forGuest = { subject: "guest", roles: ["answerer"] };
  const makeLink = async () => {
    const { json } = await call("/api/session/links", { key, json: forGuest });
    return new URL(String(json["url"])).pathname.split("/").at(-1);
  };
  const unused = await makeLink();
  const signedIn = await call("/api/session", { json: { link: await makeLink() } });
  expect(signedIn.json).toMatchObject(forGuest);
  const cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const stream = await openStream(interlude.url, { headers: { cookie } });
  expect(stream.status).toBe(200);

  writeFileSync(interlude.apiKeysFile, before);
  await eventually(() => stream.isOver(), { withinMs: 6_000 });
  expect((await call("/api/me", { headers: { cookie } })).status).toBe(401);
  expect((await call("/api/session", { json: { link: unused } })).status).toBe(401);
});
