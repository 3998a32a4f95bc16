import { connect } from "node:net";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectGuarded, externalQuestions, NOT_FOUND, SECRET, seen } from "../support/callback-door.ts";
import { send } from "../support/send.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

let interlude: Interlude;
const { askExternal, itemOf, resultOf } = externalQuestions(() => interlude);

beforeAll(async () => {
  interlude = await startInterlude({
    secrets: { provider: SECRET, other: "another secret" },
    settings: { callback_rate_per_minute: 1_000 },
  });
});

afterAll(() => interlude.stop());

describe("a ticket that leads nowhere", () => {
  it("case 49: is one 404, byte for byte, whether unknown, forged, expired, cancelled or too old", async () => {
    const base = `${interlude.url}/api/interactions/callback`;
    const live = await askExternal();
    const forged = `${live.url.slice(0, -1)}${live.url.endsWith("A") ? "B" : "A"}`;
    const cancelled = await askExternal();
    await send(`${interlude.url}/api/interactions/${cancelled.id}/cancel`, {
      key: interlude.keys.asker,
      json: {},
    });
    const expired = await askExternal({ timeout_seconds: 0.1 });
    await eventually(async () => (await itemOf(expired.id))["status"] === "expired");
    const tickets = ["nonsense", "a.b.c.d", "%E0%A4%A", "x".repeat(300)].map((ticket) => `${base}/${ticket}`);
    const urls = [...tickets, `${base}/${live.id}`, forged, cancelled.url, expired.url];

    const posts = await Promise.all(urls.map((url) => send(url, { json: { a: 1 } })));
    const gets = await Promise.all(urls.map((url) => send(url)));
    for (const reply of [...posts, ...gets]) {
      expect(seen(reply)).toEqual(seen(posts[0] ?? reply));
      expect([reply.status, reply.text]).toEqual([404, NOT_FOUND]);
      expect(reply.headers.get("x-request-id")).toBeNull();
      expectGuarded(reply);
    }
    expect((await itemOf(live.id))["status"]).toBe("pending");
  });

  it("A-GET-3: is the same 404 to a body that would be refused elsewhere", async () => {
    const reply = await send(`${interlude.url}/api/interactions/callback/nonsense`, {
      body: "<xml/>",
      headers: { "content-type": "application/xml", "content-encoding": "gzip" },
    });
    expect([reply.status, reply.text]).toEqual([404, NOT_FOUND]);
  });

  it("A-GET-3: no ticket is a credential, and no id is a ticket", async () => {
    const { id, url } = await askExternal();
    const ticket = url.split("/").at(-1) ?? "";
    const asKey = await send(`${interlude.url}/api/interactions/${id}/answer`, {
      key: ticket,
      json: { answer: {} },
    });
    expect(asKey.status).toBe(401);
    expect((await itemOf(id))["status"]).toBe("pending");
  });
});

describe("an external question", () => {
  it("case 50: takes the whole JSON object, and the query is not looked at", async () => {
    const { id, url } = await askExternal();
    const reply = await send(`${url}?a=1`, { json: { paid: true, amount: 3.5, none: null } });
    expect([reply.status, reply.json]).toEqual([200, { interaction_id: id, status: "answered" }]);
    expectGuarded(reply);
    expect(await resultOf(id)).toMatchObject({
      answer: { paid: true, amount: 3.5, none: null },
      answered_by: "external-callback",
    });
    const history = await send(`${interlude.url}/api/interactions/${id}/events`, {
      key: interlude.keys.asker,
    });
    expect(history.text).toContain('"via":"callback"');
  });

  it("case 50: takes the query of an empty body, repeated names as lists", async () => {
    const { id, url } = await askExternal();
    expect((await send(`${url}?a=1&t=x&t=y&n=`, { method: "POST" })).status).toBe(200);
    expect((await resultOf(id))["answer"]).toEqual({ a: "1", t: ["x", "y"], n: "" });
  });

  it("A-RES-4: takes no parameter at all as {}, which is an answer", async () => {
    const { id, url } = await askExternal();
    expect((await send(url, { method: "POST" })).status).toBe(200);
    expect(await resultOf(id)).toMatchObject({ status: "answered", answer: {} });
  });

  it.each(["null", "false", "0", '""', "[]", '"x"', "{", '{"a":1}{', '{"__proto__":1}', '{"a":"\\ud800"}'])(
    "A-RES-4, A-HTTP-3: refuses %s with 400 and stays open",
    async (body) => {
      const { id, url } = await askExternal();
      const reply = await send(url, { body, headers: { "content-type": "application/json" } });
      expect([reply.status, reply.headers.get("content-type")]).toEqual([400, "application/problem+json"]);
      expect(reply.json["errors"]).toHaveLength(1);
      expectGuarded(reply);
      expect((await itemOf(id))["status"]).toBe("pending");
      expect((await send(url, { json: {} })).status).toBe(200);
    },
  );

  it("case 51: by its schema an answer is refused, naming the place, and the right one is taken after", async () => {
    const schema = { type: "object", properties: { amount: { const: 12 } }, required: ["amount"] };
    const { id, url } = await askExternal({ schema });
    const refused = await send(url, { json: { amount: 13 } });
    expect(refused.status).toBe(400);
    expect(refused.json["errors"]).toMatchObject([{ path: "/amount" }]);
    expect((await send(url, { json: { amount: 12 } })).status).toBe(200);
    expect((await resultOf(id))["answer"]).toEqual({ amount: 12 });
  });

  it("refuses the expired marker, which is no answer", async () => {
    const { url } = await askExternal();
    const refused = await send(url, { json: { interaction_expired: true } });
    expect([refused.status, refused.json["errors"]]).toMatchObject([400, [{ path: "" }]]);
  });

  it("case 52: says already_answered after success, also after the deadline", async () => {
    const { id, url } = await askExternal({ timeout_seconds: 1 });
    expect((await send(url, { json: { first: true } })).status).toBe(200);
    const deadline = Date.parse(String((await itemOf(id))["timeout_at"]));
    await eventually(() => Date.now() > deadline + 100);
    for (const json of [{ first: true }, { second: true }]) {
      const again = await send(url, { json });
      expect([again.status, again.text]).toEqual([200, '{"status":"already_answered"}']);
      expect(again.headers.get("x-request-id")).toBeNull();
      expectGuarded(again);
    }
    expect((await resultOf(id))["answer"]).toEqual({ first: true });
  });

  it("A-IDEM-2: of many callbacks at once exactly one is told that it answered", async () => {
    const { id, url } = await askExternal();
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => send(url, { json: { n } })));
    const winners = replies.flatMap((reply, n) => (reply.json["status"] === "answered" ? [n] : []));
    expect(winners).toHaveLength(1);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await resultOf(id))["answer"]).toEqual({ n: winners[0] });
  });

  it("case 57: its ticket answers whatever the audience", async () => {
    const { id, url } = await askExternal({ audience: "group:finance" });
    expect((await send(url, { json: {} })).status).toBe(200);
    expect(await resultOf(id)).toMatchObject({ answered_by: "external-callback" });
  });

  it.each([
    ["text/plain", "x"],
    ["application/x-www-form-urlencoded", "a=1"],
    ["application/vnd.api+json", "{}"],
    ["application/json; charset=latin1", "{}"],
  ])("takes no body of type %s", async (type, body) => {
    const { id, url } = await askExternal();
    const reply = await send(url, { body, headers: { "content-type": type } });
    expect([reply.status, reply.json["code"]]).toEqual([415, "unsupported_media_type"]);
    expectGuarded(reply);
    expect((await itemOf(id))["status"]).toBe("pending");
  });

  it("A-HTTP-4: takes no compressed body, and inflates none", async () => {
    const { id, url } = await askExternal();
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    expect((await send(url, { body: "{}", headers })).status).toBe(415);
    expect((await itemOf(id))["status"]).toBe("pending");
  });
});

describe("sizes", () => {
  it("case 53: a query or body over 64 KiB is 413, before the ticket is looked at", async () => {
    const { id, url } = await askExternal();
    const body = JSON.stringify({ a: "x".repeat(65_536) });
    const headers = { "content-type": "application/json" };
    const nowhere = `${interlude.url}/api/interactions/callback/nonsense`;
    const replies = [
      await send(url, { body, headers }),
      await send(`${url}?a=${"x".repeat(65_536)}`, { method: "POST" }),
      await send(`${url}?a=${"x".repeat(65_536)}`),
      await send(nowhere, { body, headers }),
    ];
    for (const reply of replies) {
      expect(reply.status).toBe(413);
      expectGuarded(reply);
    }
    expect((await itemOf(id))["status"]).toBe("pending");
  });

  it("a query of nearly 64 KiB is still an answer", async () => {
    const { id, url } = await askExternal();
    const a = "x".repeat(65_500);
    expect((await send(`${url}?a=${a}`, { method: "POST" })).status).toBe(200);
    expect((await resultOf(id))["answer"]).toEqual({ a });
  });

  it("A-HTTP-1: a body without length is counted as it comes, and cut at the cap", async () => {
    const { id, url } = await askExternal();
    const { written, head } = await sendWithoutLength(new URL(url), 50_000_000);
    expect(head).toContain(" 413 ");
    expect(written).toBeLessThan(20_000_000);
    expect((await itemOf(id))["status"]).toBe("pending");
    expect((await send(url, { json: {} })).status).toBe(200);
  });
});

/** Sends chunks until the server has answered or closed; says how many bytes the connection took. */
function sendWithoutLength(url: URL, upTo: number): Promise<{ written: number; head: string }> {
  return new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname);
    let head = "";
    const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
    const push = () => {
      while (head === "" && socket.bytesWritten < upTo && socket.write(chunk));
    };
    socket.on("data", (data) => {
      head += data.toString("latin1");
    });
    socket.on("drain", push);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      resolve({ written: socket.bytesWritten, head });
    });
    socket.write(
      `POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    push();
  });
}
