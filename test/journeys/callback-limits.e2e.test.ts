import { afterAll, beforeAll, expect, it } from "vitest";
import { askOverChannel } from "../support/channel-question.ts";
import { send } from "../support/send.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

const PER_MINUTE = 5;

let interlude: Interlude;

beforeAll(async () => {
  interlude = await startInterlude({
    settings: { callback_rate_per_minute: PER_MINUTE },
    env: { INTERLUDE_TRUSTED_PROXIES: "127.0.0.1" },
  });
});

afterAll(() => interlude.stop());

/** Statuses of one request more than is allowed, from one address. */
async function statusesFrom(address: string, path = "nonsense"): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n <= PER_MINUTE; n++) {
    const reply = await send(`${interlude.url}/api/interactions/callback/${path}`, {
      json: {},
      headers: { "x-forwarded-for": address },
    });
    statuses.push(reply.status);
  }
  return statuses;
}

const FULL = [...Array<number>(PER_MINUTE).fill(404), 429];

it("case 56: bad tickets are counted by the address they come from", async () => {
  expect(await statusesFrom("192.0.2.1")).toEqual(FULL);
  expect(await statusesFrom("192.0.2.2")).toEqual(FULL);
});

it("an IPv6 client is its /64", async () => {
  expect(await statusesFrom("2001:db8:0:1::1")).toEqual(FULL);
  expect((await statusesFrom("2001:db8:0:1:ffff::2"))[0]).toBe(429);
  expect((await statusesFrom("2001:db8:0:2::1"))[0]).toBe(404);
});

it("a refused one says when to come again, and is constant", async () => {
  await statusesFrom("192.0.2.3");
  const reply = await send(`${interlude.url}/api/interactions/callback/other`, {
    headers: { "x-forwarded-for": "192.0.2.3" },
  });
  expect([reply.status, reply.text]).toEqual([429, '{"error":"too many requests"}']);
  expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(Number(reply.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  expect(reply.headers.get("cache-control")).toBe("no-store");
  expect(reply.headers.get("x-request-id")).toBeNull();
});

it("a live ticket is counted for itself: an address full of bad ones does not stop it", async () => {
  const { callbackUrl } = await askOverChannel(interlude, { answer_format: "confirm" });
  const headers = { "x-forwarded-for": "192.0.2.4" };
  await statusesFrom("192.0.2.4");
  const statuses: number[] = [];
  for (let n = 0; n <= PER_MINUTE; n++) {
    statuses.push((await send(callbackUrl, { json: { answer: 1 }, headers })).status);
  }
  expect(statuses).toEqual([...Array<number>(PER_MINUTE).fill(400), 429]);
});

it("A-GET-2: pages are counted apart, so that a scanner uses up nobody's answer", async () => {
  const { callbackUrl } = await askOverChannel(interlude, { answer_format: "confirm" });
  for (let n = 0; n < PER_MINUTE; n++) expect((await send(callbackUrl)).status).toBe(200);
  expect((await send(callbackUrl)).status).toBe(429);
  expect((await send(callbackUrl, { json: { answer: true } })).status).toBe(200);
});
