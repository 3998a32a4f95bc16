import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { verifyDelivery, type Verification } from "./verify-delivery.ts";
import { readVerifier } from "./verifier-config.ts";
import { hasSlackSignature } from "./webhook-signature.ts";

const secret = "whsec_current";
const now = 1_767_225_600;
const nowMs = now * 1000 + 700;
const event = '{"id":"evt_1","note":"\\u00e4","event_id":"Ev1"}';
type Fields = readonly (readonly [string, string])[];

const hex = (text: string, key = secret) => createHmac("sha256", key).update(text).digest("hex");
const stripeMac = (t: number | string, key = secret) => hex(`${t}.${event}`, key);
const slackMac = (t: number | string) => `v0=${hex(`v0:${t}:${event}`)}`;

function verify(
  verifier: unknown,
  fields: Fields,
  other: { body?: string; secret?: string } = {},
): Verification {
  const read = readVerifier(verifier);
  if (read === undefined) return expect.fail("no verifier");
  const headers = new Headers();
  for (const [name, value] of fields) headers.append(name, value);
  return verifyDelivery({
    verifier: read,
    secret: other.secret ?? secret,
    headers,
    body: Buffer.from(other.body ?? event),
    nowMs,
  });
}

const github = { name: "github", config: { secret_ref: "S" } };
const stripe = { name: "stripe", config: { secret_ref: "S" } };
const slack = { name: "slack", config: { secret_ref: "S" } };
const shared = { name: "shared_secret", config: { secret_ref: "S", header: "X-Token", id_header: "X-Id" } };

const bad = ["", "abc", "a".repeat(63), "a".repeat(64), "a".repeat(65), "a".repeat(10_240)];

describe("github", () => {
  const header = "X-Hub-Signature-256";
  const good = `sha256=${hex(event)}`;

  it("accepts its signature over the raw bytes, hex in either case, and names the delivery", () => {
    expect(
      verify(github, [
        [header, good],
        ["X-GitHub-Delivery", "d-1"],
      ]),
    ).toEqual({ ok: true, deliveryId: "d-1" });
    expect(verify(github, [[header, `sha256=${hex(event).toUpperCase()}`]])).toEqual({ ok: true });
  });

  it("accepts the provider's published example", () => {
    const value = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    const example = { body: "Hello, World!", secret: "It's a Secret to Everybody" };
    expect(verify(github, [[header, value]], example)).toEqual({ ok: true });
  });

  it("does not take a delivery's id that is empty or boundless", () => {
    expect(
      verify(github, [
        [header, good],
        ["X-GitHub-Delivery", "d".repeat(256)],
      ]),
    ).toEqual({ ok: true });
  });

  it("refuses the same JSON written again", () => {
    expect(verify(github, [[header, good]], { body: JSON.stringify(JSON.parse(event)) })).toEqual({
      ok: false,
    });
  });

  it("signs an empty body too", () => {
    expect(verify(github, [[header, `sha256=${hex("")}`]], { body: "" })).toEqual({ ok: true });
  });

  it.each<[string, Fields]>([
    ["no header", []],
    [
      "the header twice",
      [
        [header, good],
        [header, good],
      ],
    ],
    ["another secret's", [[header, `sha256=${hex(event, "other")}`]]],
    ["no scheme", [[header, hex(event)]]],
    ["another scheme", [[header, `sha1=${hex(event)}`]]],
    ["one digit less", [[header, good.slice(0, -1)]]],
    ["one digit more", [[header, `${good}0`]]],
    ["the old header", [["X-Hub-Signature", good]]],
    ...bad.flatMap((value): [string, Fields][] => [
      [`A-SIG-2: ${value.length} characters`, [[header, value]]],
      [`A-SIG-2: sha256= and ${value.length} characters`, [[header, `sha256=${value}`]]],
    ]),
  ])("refuses %s", (_, fields) => {
    expect(verify(github, fields)).toEqual({ ok: false });
  });
});

describe("stripe", () => {
  const header = "Stripe-Signature";
  const at = (t: number | string) => verify(stripe, [[header, `t=${t},v1=${stripeMac(t)}`]]);
  const oneOld = `v1=${stripeMac(now, "whsec_old")}`;
  const oneNew = `v1=${stripeMac(now)}`;

  it.each([
    ["A-SIG-1: the old secret's first", `t=${now},${oneOld},${oneNew}`],
    ["A-SIG-1: the new secret's first", `t=${now},${oneNew},${oneOld}`],
    ["a malformed v1 beside a good one", `t=${now},v1=abc,${oneNew}`],
    ["schemes of another day", `t=${now},v0=${stripeMac(now)},v2=x,${oneNew}`],
    ["upper-case hex", `t=${now},v1=${stripeMac(now).toUpperCase()}`],
    ["the time last", `${oneNew},t=${now}`],
  ])("accepts %s", (_, value) => {
    expect(verify(stripe, [[header, value]])).toEqual({ ok: true, deliveryId: "evt_1" });
  });

  it("A-SIG-3: accepts up to 300 s away, in both directions, and no more", () => {
    for (const away of [0, 299, 300, -299, -300]) expect(at(now + away).ok).toBe(true);
    for (const away of [301, -301, 3600, -3600]) expect(at(now + away)).toEqual({ ok: false });
  });

  it("keeps to a tolerance of its own", () => {
    const strict = { name: "stripe", config: { secret_ref: "S", tolerance_seconds: 10 } };
    const value = (t: number): Fields => [[header, `t=${t},v1=${stripeMac(t)}`]];
    expect(verify(strict, value(now - 10)).ok).toBe(true);
    expect(verify(strict, value(now - 11)).ok).toBe(false);
  });

  it.each([
    "abc",
    "",
    nowMs,
    `${now}.0`,
    `+${now}`,
    `-${now}`,
    `0x${now.toString(16)}`,
    "1e9",
    `${now}s`,
    "NaN",
    " ",
  ])("A-SIG-3: refuses the correctly signed time %j", (t) => {
    expect(at(t)).toEqual({ ok: false });
  });

  it.each<[string, Fields]>([
    ["A-SIG-1: v0 alone", [[header, `t=${now},v0=${stripeMac(now)}`]]],
    ["two times", [[header, `t=${now},t=${now},${oneNew}`]]],
    ["no time", [[header, oneNew]]],
    ["the old secret's alone", [[header, `t=${now},${oneOld}`]]],
    ["no header", []],
    [
      "the header twice",
      [
        [header, `t=${now},${oneNew}`],
        [header, `t=${now},${oneNew}`],
      ],
    ],
    ...bad.flatMap((value): [string, Fields][] => [
      [`A-SIG-2: ${value.length} characters`, [[header, value]]],
      [`A-SIG-2: v1 of ${value.length} characters`, [[header, `t=${now},v1=${value}`]]],
    ]),
  ])("refuses %s", (_, fields) => {
    expect(verify(stripe, fields)).toEqual({ ok: false });
  });

  it.each(["[]", "null", "{", '{"id":7}', "7", ""])(
    "accepts the signed body %j, which names no delivery",
    (body) => {
      const value = `t=${now},v1=${hex(`${now}.${body}`)}`;
      expect(verify(stripe, [[header, value]], { body })).toEqual({ ok: true });
    },
  );
});

describe("slack", () => {
  const [signature, time] = ["X-Slack-Signature", "X-Slack-Request-Timestamp"];
  const at = (t: number | string) =>
    verify(slack, [
      [signature, slackMac(t)],
      [time, String(t)],
    ]);

  it("accepts its signature and names the event", () => {
    expect(at(now)).toEqual({ ok: true, deliveryId: "Ev1" });
  });

  it("accepts the provider's published example", () => {
    const body =
      "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar" +
      "&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=" +
      "&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN" +
      "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
    const headers = {
      signature: "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
      timestamp: "1531420618",
    };
    const signed = { secret: "8f742231b10e8888abcd99yyyzzz85a5", body: Buffer.from(body) };
    expect(hasSlackSignature(headers, signed, { nowMs: 1531420618_000, toleranceSeconds: 300 })).toBe(true);
  });

  it("an interaction, which has no id, is known by its signature", () => {
    const body = "payload=%7B%7D";
    const mac = `v0=${hex(`v0:${now}:${body}`)}`;
    const fields: Fields = [
      [signature, mac.toUpperCase().replace("V0", "v0")],
      [time, `${now}`],
    ];
    expect(verify(slack, fields, { body })).toEqual({ ok: true, deliveryId: mac });
  });

  it("A-SIG-3: accepts up to 300 s away, in both directions, and no more", () => {
    for (const away of [299, 300, -299, -300]) expect(at(now + away).ok).toBe(true);
    for (const away of [301, -301, 3600, -3600]) expect(at(now + away)).toEqual({ ok: false });
  });

  it.each(["abc", "", nowMs, `${now}.0`, `+${now}`, "1e9"])("A-SIG-3: refuses the signed time %j", (t) => {
    expect(at(t)).toEqual({ ok: false });
  });

  it.each<[string, Fields]>([
    ["no time", [[signature, slackMac(now)]]],
    ["no signature", [[time, `${now}`]]],
    [
      "another time than the signed one",
      [
        [signature, slackMac(now)],
        [time, `${now + 1}`],
      ],
    ],
    [
      "the time twice",
      [
        [signature, slackMac(now)],
        [time, `${now}`],
        [time, `${now}`],
      ],
    ],
    [
      "the signature twice",
      [
        [signature, slackMac(now)],
        [signature, slackMac(now)],
        [time, `${now}`],
      ],
    ],
    [
      "version 1",
      [
        [signature, slackMac(now).replace("v0", "v1")],
        [time, `${now}`],
      ],
    ],
    ...bad.flatMap((value): [string, Fields][] => [
      [
        `A-SIG-2: ${value.length} characters`,
        [
          [signature, value],
          [time, `${now}`],
        ],
      ],
      [
        `A-SIG-2: v0= and ${value.length} characters`,
        [
          [signature, `v0=${value}`],
          [time, `${now}`],
        ],
      ],
    ]),
  ])("refuses %s", (_, fields) => {
    expect(verify(slack, fields)).toEqual({ ok: false });
  });
});

describe("a shared secret", () => {
  it("is accepted in its header, whose name has no case, and names the delivery where a header does", () => {
    expect(
      verify(shared, [
        ["x-tOKEN", secret],
        ["x-id", "7"],
      ]),
    ).toEqual({ ok: true, deliveryId: "7" });
    expect(verify(shared, [["X-Token", secret]])).toEqual({ ok: true });
  });

  it("does not depend on the body", () => {
    expect(verify(shared, [["X-Token", secret]], { body: "" }).ok).toBe(true);
  });

  it("beyond ASCII is compared as the bytes on the wire", () => {
    const wire = Buffer.from("clé-secrète", "utf8").toString("latin1");
    expect(verify(shared, [["X-Token", wire]], { secret: "clé-secrète" }).ok).toBe(true);
  });

  it.each<[string, Fields]>([
    ["missing", []],
    [
      "sent twice",
      [
        ["X-Token", secret],
        ["X-Token", secret],
      ],
    ],
    ["in another case", [["X-Token", secret.toUpperCase()]]],
    ["cut short", [["X-Token", secret.slice(0, -1)]]],
    ["with more behind it", [["X-Token", `${secret}x`]]],
    ["in another header", [["Authorization", secret]]],
    ...bad.map((value): [string, Fields] => [`A-SIG-2: ${value.length} characters`, [["X-Token", value]]]),
  ])("is refused when %s", (_, fields) => {
    expect(verify(shared, fields)).toEqual({ ok: false });
  });

  it("is not a character that only ends in the same byte", () => {
    const verifier = readVerifier(shared);
    if (verifier === undefined) return expect.fail("no verifier");
    const headers = { get: () => "\u0161" };
    expect(verifyDelivery({ verifier, secret: "a", headers, body: Buffer.alloc(0), nowMs })).toEqual({
      ok: false,
    });
  });
});

describe("an empty secret", () => {
  const empty = { secret: "" };

  it("signs for nobody", () => {
    const stripeField = `t=${now},v1=${hex(`${now}.${event}`, "")}`;
    expect(verify(github, [["X-Hub-Signature-256", `sha256=${hex(event, "")}`]], empty).ok).toBe(false);
    expect(verify(stripe, [["Stripe-Signature", stripeField]], empty).ok).toBe(false);
    expect(verify(shared, [["X-Token", ""]], empty).ok).toBe(false);
  });
});
