import { createHmac } from "node:crypto";
import { connect } from "node:net";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askOverChannel } from "../support/channel-question.ts";
import { type Reply, send } from "../support/send.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

const SECRET = "a secret of the provider";
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const NOT_FOUND = '{"error":"not found"}';

let interlude: Interlude;

beforeAll(async () => {
  interlude = await startInterlude({
    secrets: { provider: SECRET, other: "another secret" },
    settings: { callback_rate_per_minute: 1_000 },
  });
});

afterAll(() => interlude.stop());

type External = { id: string; url: string };

async function askExternal(fields: Record<string, unknown> = {}): Promise<External> {
  const { url, keys } = interlude;
  const json = {
    question: "Pay?",
    answer_format: "external",
    link: "https://pay.example/?return={callback_url}",
    ...fields,
  };
  const asked = await send(`${url}/api/interactions`, { key: keys.asker, json });
  expect(asked.text, asked.text).toContain("interaction_id");
  const link = new URL(String(asked.json["link"]));
  return { id: String(asked.json["interaction_id"]), url: link.searchParams.get("return") ?? "" };
}

const github = { name: "github", config: { secret_ref: "provider" } };

function signed(body: string, delivery: string, secret = SECRET): Record<string, string> {
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  return {
    "content-type": "application/json",
    "x-hub-signature-256": `sha256=${signature}`,
    "x-github-delivery": delivery,
  };
}

async function itemOf(id: string): Promise<Record<string, unknown>> {
  const { url, keys } = interlude;
  return (await send(`${url}/api/interactions/${id}`, { key: keys.asker })).json;
}

async function resultOf(id: string): Promise<Record<string, unknown>> {
  const { url, keys } = interlude;
  return (await send(`${url}/api/interactions/${id}/result`, { key: keys.asker })).json;
}

function expectGuarded({ headers }: Reply): void {
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  const csp = headers.get("content-security-policy") ?? "";
  expect(csp).toContain("default-src 'none'");
  expect(csp).not.toContain("unsafe-inline");
}

/** All of a reply that its receiver sees, but for the date. */
function seen({ status, text, headers }: Reply): unknown {
  return [status, text, [...headers].filter(([name]) => name !== "date")];
}

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

describe("a verifier", () => {
  it("case 55: refuses with one constant 401, live and answered, and consumes nothing", async () => {
    const { id, url } = await askExternal({ verifier: github });
    const body = '{"ok":true}';
    const wrong = [
      { "content-type": "application/json" },
      signed(body, "d-1", "another secret"),
      ...["", "abc", "a".repeat(63), "a".repeat(65), "a".repeat(10_000)].map((text) => ({
        ...signed(body, "d-1"),
        "x-hub-signature-256": `sha256=${text}`,
      })),
    ];
    const first = await send(url, { body, headers: wrong[0] ?? {} });
    expect([first.status, first.text]).toEqual([401, '{"error":"not verified"}']);
    expectGuarded(first);
    for (const headers of wrong) expect(seen(await send(url, { body, headers }))).toEqual(seen(first));
    expect((await itemOf(id))["status"]).toBe("pending");

    expect((await send(url, { body, headers: signed(body, "case-55") })).json["status"]).toBe("answered");
    for (const headers of wrong) expect(seen(await send(url, { body, headers }))).toEqual(seen(first));
    const again = await send(url, { body, headers: signed(body, "case-55") });
    expect(again.text).toBe('{"status":"already_answered"}');
  });

  it("verifies the raw bytes, before the body is looked at", async () => {
    const { id, url } = await askExternal({ verifier: github });
    const unsigned = await send(url, { body: "{", headers: { "content-type": "text/plain" } });
    expect(unsigned.status).toBe(401);
    const broken = await send(url, { body: "{", headers: signed("{", "raw-1") });
    expect(broken.status).toBe(400);
    const spaced = '{ "a" : 1 }\n';
    expect((await send(url, { body: spaced, headers: signed(spaced, "raw-2") })).status).toBe(200);
    expect((await resultOf(id))["answer"]).toEqual({ a: 1 });
  });

  it("case 55: that signs the body takes no query for one", async () => {
    const { id, url } = await askExternal({ verifier: github });
    const reply = await send(`${url}?approved=true`, { method: "POST", headers: signed("", "empty-1") });
    expect(reply.status).toBe(400);
    expect((await itemOf(id))["status"]).toBe("pending");
  });

  it("a missing secret is a constant 503, and the delivery counts when it comes again", async () => {
    const { id, url } = await askExternal({ verifier: github });
    const body = '{"later":1}';
    interlude.writeSecrets({ other: "another secret" });
    const missing = await eventually(
      async () => {
        const reply = await send(url, { body: "x", headers: signed("y", "missing") });
        expect([reply.status, reply.text]).toEqual([503, '{"error":"unavailable"}']);
        return reply;
      },
      { withinMs: 10_000 },
    );
    expect(missing.headers.get("retry-after")).toBe("1");
    expectGuarded(missing);
    expect((await send(url, { body, headers: signed(body, "later-1") })).status).toBe(503);
    interlude.writeSecrets({ provider: SECRET, other: "another secret" });
    await eventually(
      async () => (await send(url, { body, headers: signed(body, "later-1") })).json["status"] === "answered",
      { withinMs: 10_000 },
    );
    expect((await resultOf(id))["answer"]).toEqual({ later: 1 });
  });

  it("a delivery answers one question: replayed to another one it changes nothing", async () => {
    const [one, two] = [await askExternal({ verifier: github }), await askExternal({ verifier: github })];
    const body = '{"once":1}';
    expect((await send(one.url, { body, headers: signed(body, "once-1") })).json["status"]).toBe("answered");
    const replayed = await send(two.url, { body, headers: signed(body, "once-1") });
    expect([replayed.status, replayed.text]).toEqual([200, '{"status":"already_answered"}']);
    expect((await itemOf(two.id))["status"]).toBe("pending");
    expect((await send(two.url, { body, headers: signed(body, "once-2") })).json["status"]).toBe("answered");
  });

  it("a delivery that was refused is not used up", async () => {
    const schema = { type: "object", required: ["a"] };
    const [one, two] = [
      await askExternal({ verifier: github, schema }),
      await askExternal({ verifier: github }),
    ];
    expect((await send(one.url, { body: "{}", headers: signed("{}", "refused-1") })).status).toBe(400);
    expect((await send(two.url, { body: "{}", headers: signed("{}", "refused-1") })).json["status"]).toBe(
      "answered",
    );
  });

  it("shared_secret: the secret in its header lets a query answer; an id counts once", async () => {
    const config = { secret_ref: "provider", header: "X-Token", id_header: "X-Id" };
    const verifier = { name: "shared_secret", config };
    const [one, two] = [await askExternal({ verifier }), await askExternal({ verifier })];
    const headers = { "x-token": SECRET, "x-id": "7" };
    expect((await send(`${one.url}?a=1`, { method: "POST", headers: { "x-token": "no" } })).status).toBe(401);
    expect((await send(`${one.url}?a=1`, { method: "POST", headers })).json["status"]).toBe("answered");
    expect((await resultOf(one.id))["answer"]).toEqual({ a: "1" });
    expect((await send(`${two.url}?a=1`, { method: "POST", headers })).json["status"]).toBe(
      "already_answered",
    );
  });

  it("slack: what is signed as fields is read from its payload field", async () => {
    const { id, url } = await askExternal({
      verifier: { name: "slack", config: { secret_ref: "provider" } },
    });
    const body = "payload=%7B%22text%22%3A%22**bold**+~x~%22%7D";
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const mac = createHmac("sha256", SECRET).update(`v0:${timestamp}:${body}`).digest("hex");
    const headers = { ...FORM, "x-slack-request-timestamp": timestamp, "x-slack-signature": `v0=${mac}` };
    const reply = await send(url, { body, headers });
    expect([reply.status, reply.json]).toEqual([200, { interaction_id: id, status: "answered" }]);
    expect((await resultOf(id))["answer"]).toEqual({ text: "**bold** ~x~" });
  });

  it("A-SIG-1, A-SIG-3: stripe takes either of two v1 values, and no old time", async () => {
    const verifier = { name: "stripe", config: { secret_ref: "provider" } };
    const body = '{"id":"evt_1"}';
    const mac = (t: string, secret: string) =>
      createHmac("sha256", secret).update(`${t}.${body}`).digest("hex");
    const now = Math.floor(Date.now() / 1_000);
    const { id, url } = await askExternal({ verifier });
    const post = (header: string) =>
      send(url, { body, headers: { "content-type": "application/json", "stripe-signature": header } });
    for (const t of [String(now - 3_600), String(now + 3_600), "abc", "", String(now * 1_000)]) {
      expect((await post(`t=${t},v1=${mac(t, SECRET)}`)).status).toBe(401);
    }
    const t = String(now);
    expect((await post(`t=${t},v0=${mac(t, SECRET)}`)).status).toBe(401);
    expect((await itemOf(id))["status"]).toBe("pending");
    expect((await post(`t=${t},v1=${mac(t, "old")},v1=${mac(t, SECRET)}`)).json["status"]).toBe("answered");
  });
});

describe("a question asked over a channel", () => {
  it("case 54: takes {answer}, typed by its format, and never the query", async () => {
    const { id, callbackUrl } = await askOverChannel(interlude, {
      answer_format: "select",
      format_payload: { options: ["a", { value: "b", label: "B" }] },
    });
    for (const json of [{}, { answer: "c" }, { answer: "B" }, { answer: 1 }, { answer: "a", extra: 1 }, []]) {
      expect((await send(callbackUrl, { json })).status).toBe(400);
    }
    expect((await send(`${callbackUrl}?answer=a`, { method: "POST" })).status).toBe(400);
    expect((await send(callbackUrl, { body: "answer=a", headers: FORM })).status).toBe(415);
    expect((await send(callbackUrl, { json: { answer: "b" } })).json).toEqual({
      interaction_id: id,
      status: "answered",
    });
    expect((await resultOf(id))["answer"]).toBe("b");
  });

  it("case 54: an empty body is the yes of a confirm", async () => {
    const { id, callbackUrl } = await askOverChannel(interlude, { answer_format: "confirm" });
    expect((await send(callbackUrl, { method: "POST" })).status).toBe(200);
    expect((await resultOf(id))["answer"]).toBe(true);
  });

  it.each([
    ["answer=true", true],
    ["answer=false", false],
  ])("a confirm's page posts %s, and is answered with a page", async (body, answer) => {
    const { id, callbackUrl } = await askOverChannel(interlude, { answer_format: "confirm" });
    expect((await send(callbackUrl, { body: "answer=maybe", headers: FORM })).status).toBe(400);
    const reply = await send(callbackUrl, { body, headers: FORM });
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expectGuarded(reply);
    expect((await resultOf(id))["answer"]).toBe(answer);
    expect(seen(await send(callbackUrl))).toEqual(seen(reply));
    const again = await send(callbackUrl, { body, headers: FORM });
    expect([again.status, again.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect((await resultOf(id))["answer"]).toBe(answer);
  });

  it("a person who is signed in to the inbox answers on the page too", async () => {
    const { callbackUrl } = await askOverChannel(interlude, { answer_format: "confirm" });
    const signedIn = await send(`${interlude.url}/api/session`, { json: { key: interlude.keys.answerer } });
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    // A page without referrer sends its form from the origin "null".
    const headers = { ...FORM, cookie, origin: "null" };
    expect((await send(callbackUrl, { body: "answer=true", headers })).status).toBe(200);
  });
});

describe("a page", () => {
  const AGENTS = ["SkypeUriPreview Preview/0.5", "Slackbot-LinkExpanding 1.0", "Mozilla/5.0"];

  it("A-GET-1, A-GET-2, case 58: is the same bytes for everybody and every question, and changes nothing", async () => {
    const [one, two] = [
      await askOverChannel(interlude, { answer_format: "confirm" }),
      await askOverChannel(interlude, { answer_format: "confirm", question: "Another?" }),
    ];
    const queries = ["", "?approved=true&answer=yes", "?answer=true"];
    const urls = [one, two].flatMap(({ callbackUrl }) => queries.map((query) => `${callbackUrl}${query}`));
    const replies = await Promise.all(
      urls.flatMap((url) => AGENTS.map((agent) => send(url, { headers: { "user-agent": agent } }))),
    );
    for (const reply of replies) {
      expect(seen(reply)).toEqual(seen(replies[0] ?? reply));
      expect(reply.status).toBe(200);
      expectGuarded(reply);
    }
    for (const { callbackUrl } of [one, two]) await send(callbackUrl, { method: "HEAD" });
    for (const { id } of [one, two]) expect((await itemOf(id))["status"]).toBe("pending");
    expect((await send(one.callbackUrl, { json: { answer: true } })).status).toBe(200);
  });

  it("case 58: an external one confirms by posting to its own address, query and all", async () => {
    const { id, url } = await askExternal();
    const page = await send(`${url}?order=%22%3E%3Cscript%3E&n=1`);
    expect(page.status).toBe(200);
    expect(page.text).toContain('<form method="post">');
    expect(page.text).not.toContain("action=");
    // Case 60: nothing of the request stands in the page.
    expect(seen(page)).toEqual(seen(await send(url, { headers: { "x-any": "reflected?" } })));
    expect((await itemOf(id))["status"]).toBe("pending");
    const posted = await send(`${url}?order=1&n=2`, { body: "", headers: FORM });
    expect([posted.status, posted.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect((await resultOf(id))["answer"]).toEqual({ order: "1", n: "2" });
  });

  it("HEAD has the headers of GET and no body", async () => {
    const { url } = await askExternal();
    const [got, head] = [await send(url), await send(url, { method: "HEAD" })];
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers.get("content-security-policy")).toBe(got.headers.get("content-security-policy"));
  });

  it("case 59: for text and select says to reply where the message came, without a form", async () => {
    for (const answer_format of ["text", "select"] as const) {
      const { callbackUrl } = await askOverChannel(interlude, {
        answer_format,
        format_payload: { options: ["a"] },
      });
      const page = await send(callbackUrl);
      expect(page.status).toBe(200);
      expect(page.text).not.toContain("<form");
    }
  });

  it("case 59: is the constant 404 where a verifier is bound, open and answered", async () => {
    const { url } = await askExternal({ verifier: github });
    const before = await send(url);
    expect([before.status, before.text]).toEqual([404, NOT_FOUND]);
    await send(url, { body: "{}", headers: signed("{}", "page-1") });
    expect(seen(await send(url))).toEqual(seen(before));
  });
});
