import { createHmac } from "node:crypto";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  expectGuarded,
  externalQuestions,
  FORM,
  github,
  SECRET,
  seen,
  signed,
} from "../support/callback-door.ts";
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
