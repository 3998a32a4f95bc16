import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Channel, WebhookDelivery } from "@interlude/channel-kit";
import { channelContract, sendingContract } from "@interlude/channel-kit/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openChannel } from "./index.ts";
import { isSigned, sign } from "./signature.ts";

const SECRET = "desk-secret";
const DESK = "https://desk.example/people/ada";

function open(variables: Record<string, string>): Channel {
  const setup = openChannel(variables, { language: "en" });
  return "config" in setup ? setup.config : expect.fail(JSON.stringify(setup));
}
const make = () => open({ WEBHOOK_SECRET: SECRET, WEBHOOK_ALLOWED_ORIGINS: "https://desk.example" });

/** The texts of a message, in the order in which a person reads them. */
const readable = (_method: string, body: object): string => {
  const { text = "", options = [] } = body as { text?: string; options?: { label: string }[] };
  return [text, ...options.map(({ label }) => label)].join("\n");
};

channelContract("webhook", { make, recipient: DESK, readable });

/** What a desk would be: it takes what is signed and whole, and gives each message an id. */
let desk: Server;
let origin = "";
let received: { signature: string; body: Record<string, unknown> }[] = [];
let status = 200;
beforeAll(async () => {
  desk = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const raw = Buffer.concat(chunks);
      const signature = String(request.headers["webhook-signature"]);
      received.push({ signature, body: JSON.parse(raw.toString("utf8")) as Record<string, unknown> });
      const isTaken = status === 200 && isSigned(SECRET, signature, raw, Date.now());
      response.writeHead(isTaken ? 200 : status === 200 ? 401 : status, { location: "/elsewhere" });
      response.end(JSON.stringify(isTaken ? { id: `m${received.length}` } : { reason: "not taken" }));
    });
  }).listen(0, "127.0.0.1");
  await once(desk, "listening");
  origin = `http://127.0.0.1:${(desk.address() as AddressInfo).port}`;
});
afterAll(async () => {
  desk.close();
  await once(desk, "close");
});
beforeEach(() => {
  received = [];
  status = 200;
});
const atDesk = () => open({ WEBHOOK_SECRET: SECRET, WEBHOOK_ALLOWED_ORIGINS: origin });

describe("on a desk", () => {
  sendingContract("webhook", {
    channel: () => {
      const channel = atDesk();
      // The address of the desk is known only once it listens.
      const there = (request: Parameters<Channel["send"]>[0]) => ({
        ...request,
        body: { ...request.body, to: `${origin}/ada` },
      });
      return {
        ...channel,
        check: (content) => channel.check({ ...content, recipient: `${origin}/ada` }),
        checkNotification: (content) => channel.checkNotification({ ...content, recipient: `${origin}/ada` }),
        send: (request, signal) => channel.send(there(request), signal),
      };
    },
    recipients: [DESK],
  });

  it.each([
    [400, { kind: "rejected", reason: "not taken" }],
    [302, { kind: "rejected", reason: "redirected with http 302" }],
    [429, { kind: "rate_limited" }],
    [503, { kind: "unknown" }],
  ])("an answer of %i is told as what it is, once", async (answered, outcome) => {
    status = answered;
    const request = { method: "POST", body: { to: `${origin}/ada`, kind: "notice", text: "hi" } };
    expect(await atDesk().send(request, new AbortController().signal)).toMatchObject(outcome);
    expect(received).toHaveLength(1);
  });
});

describe("whom the channel writes to", () => {
  it.each([
    ["https://desk.example/anyone", []],
    ["https://desk.example.evil.example/", ["/recipient"]],
    ["https://evil.example/?https://desk.example", ["/recipient"]],
    ["http://desk.example/", ["/recipient"]],
    ["https://desk.example:8443/", ["/recipient"]],
    ["ada", ["/recipient"]],
    [undefined, ["/recipient"]],
  ])("%s: faults at %j", (recipient, paths) => {
    const content = {
      format: "confirm",
      question: "Go?",
      ...(recipient === undefined ? {} : { recipient }),
    } as const;
    expect(
      make()
        .check(content)
        .map(({ path }) => path),
    ).toEqual(paths);
  });

  it("is looked at again when it is sent: what was asked before the list changed stays here", async () => {
    const request = { method: "POST", body: { to: `${origin}/ada`, text: "hi" } };
    const outcome = await make().send(request, new AbortController().signal);
    expect(outcome).toMatchObject({ kind: "rejected" });
    expect(received).toEqual([]);
  });
});

describe("what comes back", () => {
  const NOW_MS = 1_800_000_000_000;
  const reply = { id: "r1", conversation: DESK, from: "ada", text: " Да 👍 ", reply_to: "m1" };
  const delivery = (
    body: string,
    signature: string | null = sign(SECRET, body, NOW_MS),
  ): WebhookDelivery => ({
    method: "POST",
    url: "/api/channels/webhook/webhook",
    headers: { get: (name) => (name === "webhook-signature" ? signature : null) },
    rawBody: Buffer.from(body),
  });

  it("is taken when it is signed, fresh and whole", () => {
    const body = JSON.stringify(reply);
    const ok = (given: WebhookDelivery, nowMs = NOW_MS) => make().verify(given, nowMs).ok;
    expect(ok(delivery(body))).toBe(true);
    expect(ok(delivery(body), NOW_MS + 299_000)).toBe(true);
    expect(ok(delivery(body), NOW_MS + 301_000)).toBe(false);
    expect(ok(delivery(body), NOW_MS - 301_000)).toBe(false);
    expect(ok(delivery(body, sign("another", body, NOW_MS)))).toBe(false);
    expect(ok({ ...delivery(body), rawBody: Buffer.from(`${body} `) })).toBe(false);
    expect(ok(delivery(body, null))).toBe(false);
  });

  it("is a person's message, with its text as it was typed", () => {
    expect(make().parse(delivery(JSON.stringify(reply))).inbound).toEqual([
      {
        ...{ kind: "message", updateId: "r1", messageId: "r1", from: "ada", isDirect: true },
        ...{ address: DESK, text: " Да 👍 ", replyTo: "m1" },
      },
    ]);
  });

  it.each(["", "{}", "[]", '{"id":"r1"}', '{"id":"r1","conversation":"desk","from":"ada"}'])(
    "is ignored when it is no reply: %s",
    (body) => {
      expect(make().parse(delivery(body)).inbound).toEqual([{ kind: "ignored", reason: "no reply" }]);
    },
  );
});

describe("the variables of the channel", () => {
  it.each([
    [{}, { state: "unset" }],
    [{ WEBHOOK_SECRET: "s" }, { state: "half_set", missing: ["WEBHOOK_ALLOWED_ORIGINS"] }],
    [{ WEBHOOK_SECRET: "s", WEBHOOK_ALLOWED_ORIGINS: "desk.example" }, { state: "invalid" }],
  ])("%j is %j", (variables, state) => {
    expect(openChannel(variables, { language: "en" })).toMatchObject(state);
  });
});
