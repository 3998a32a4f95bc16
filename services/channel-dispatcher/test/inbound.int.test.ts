import { createTelegramChannel } from "@interlude/channel-telegram";
import { type ProviderRequest, referenceOf, type SendOutcome } from "@interlude/channel-kit";
import { type AskedData, CAPS } from "@interlude/contract";
import { deliveryState } from "@interlude/domain";
import { STREAMS } from "@interlude/event-log";
import {
  accessTable,
  createHttpApp,
  createMetrics,
  type HttpServer,
  recordingLogger,
  startHttpServer,
} from "@interlude/service-kit";
import { startTelegramFake, type TelegramFake } from "@interlude/test-fakes";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { askedOf, openDispatchers } from "./dispatcher-under-test.ts";

const SECRET = "hook-secret";
const ADA = { channel: "telegram", recipient: "1001" };
const BO = { channel: "telegram", recipient: "1002" };

let test: Awaited<ReturnType<typeof openDispatchers>>;
let telegram: TelegramFake;
let server: HttpServer;
const servers: HttpServer[] = [];
/** Once, before whoever has sent a message hears of it. */
let uponSent: ((messageId: string) => Promise<void>) | undefined;
beforeAll(async () => {
  test = await openDispatchers();
  telegram = await startTelegramFake();
  ({ server } = await startProcess());
});

/** A worker with doors of its own. */
async function startProcess() {
  const config = { botToken: telegram.token, webhookSecret: SECRET, apiUrl: telegram.apiUrl };
  const channel = createTelegramChannel({
    ...config,
    recipients: { default: undefined, allowed: undefined },
  });
  async function send(request: ProviderRequest, signal: AbortSignal): Promise<SendOutcome> {
    const outcome = await channel.send(request, signal);
    const upon = request.method === "sendMessage" ? uponSent : undefined;
    if (upon === undefined || outcome.kind !== "sent") return outcome;
    uponSent = undefined;
    await upon(outcome.messageId);
    return outcome;
  }
  const { service, log } = await test.worker([{ ...channel, send }]);
  const access = accessTable();
  if (!access.ok) throw new Error(access.faults.join());
  const app = createHttpApp(service.routes, {
    authenticator: { authenticate: () => Promise.resolve(undefined) },
    access: access.table,
    logger: recordingLogger(),
    metrics: createMetrics(),
    publicOrigin: undefined,
    corsOrigins: [],
    trustedProxies: [],
  });
  const started = await startHttpServer(app, "127.0.0.1", 0);
  servers.push(started);
  return { server: started, log };
}
afterAll(async () => {
  for (const each of servers) await each.stop();
  await test.close();
  await telegram.stop();
});
beforeEach(() => {
  telegram.forgetRequests();
});

let updates = 0;
const nextUpdate = (): number => ++updates;

function post(body: string, secret = SECRET, at = server): Promise<Response> {
  return fetch(`http://127.0.0.1:${at.port}/api/channels/telegram/webhook`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-telegram-bot-api-secret-token": secret },
    body,
  });
}

type Said = { chat: number; text: string; replyTo?: string; update?: number };

function message({ chat, text, replyTo, update = nextUpdate() }: Said): string {
  const to = replyTo === undefined ? {} : { reply_to_message: { message_id: Number(replyTo) } };
  const of = { chat: { id: chat, type: "private" }, from: { id: chat }, date: 1_900_000_000 };
  return JSON.stringify({ update_id: update, message: { message_id: 50_000 + update, text, ...of, ...to } });
}

function tap(chat: number, data: string, update = nextUpdate()): string {
  const query = {
    id: `q${update}`,
    from: { id: chat },
    message: { message_id: 1, chat: { id: chat } },
    data,
  };
  return JSON.stringify({ update_id: update, callback_query: query });
}

async function asked(id: string, rest: Parameters<typeof askedOf>[1]): Promise<string> {
  await test.ask(askedOf(id, rest));
  let shownBy = "";
  await eventually(async () => {
    const { delivery } = await test.stateOf(id);
    expect(deliveryState(delivery)).toBe("sent");
    shownBy = delivery?.delivered?.message_ids.at(-1) ?? "";
  });
  return shownBy;
}

async function untilAnswered(id: string, answered: Partial<Record<string, unknown>>): Promise<void> {
  await eventually(
    async () => {
      expect(await test.stateOf(id)).toMatchObject({ status: "answered", answered });
    },
    { withinMs: 8_000 },
  );
}

async function untilTold(text: string): Promise<void> {
  await eventually(() => {
    expect(JSON.stringify(telegram.requests)).toContain(text);
  });
}

/** What has come in and is being decided. */
async function lookedAt(): Promise<number> {
  let open = 0;
  for await (const { num_ack_pending } of test.log.manager.consumers.list(STREAMS.inbound)) {
    open += num_ack_pending;
  }
  return open;
}

const stored = async (): Promise<number> =>
  (await test.log.manager.streams.info(STREAMS.inbound)).state.messages;

describe("what is not the provider's", () => {
  it.each([
    ["forged", 401, () => post(message({ chat: 1001, text: "yes" }), "guess")],
    ["without a secret", 401, () => post(message({ chat: 1001, text: "yes" }), "")],
    ["over 3 MiB", 413, () => post("x".repeat(CAPS.WEBHOOK_MAX_BYTES + 1))],
  ])("%s gets a constant %i, and nothing is kept of it", async (_, status, send) => {
    const before = await stored();
    const first = await send();
    const second = await send();
    expect([first.status, second.status]).toEqual([status, status]);
    const text = await first.text();
    expect(await second.text()).toBe(text);
    if (status === 413) expect(JSON.parse(text)).toMatchObject({ status, code: "payload_too_large" });
    else expect(text).toBe("");
    expect(await stored()).toBe(before);
  });

  it.each(["", "{", "null", "[]", '{"update_id":"x"}', '{"update_id":1,"message":{"text":"‏🙂"}}'])(
    "can be %j, which is acknowledged and comes to nothing",
    async (body) => {
      const before = await stored();
      expect((await post(body)).status).toBe(200);
      expect(await stored()).toBe(before);
    },
  );

  it("is nobody's where there is no such channel", async () => {
    const url = `http://127.0.0.1:${server.port}/api/channels/pigeon/webhook`;
    const refused = await fetch(url, { method: "POST", body: "{}" });
    expect([refused.status, refused.headers.get("content-type")]).toEqual([404, "application/problem+json"]);
    expect(await refused.json()).toMatchObject({ status: 404, code: "not_found" });
  });
});

describe("a person", () => {
  it("answers by a tap, once however often it is delivered", async () => {
    await asked("tapped", ADA);
    const update = tap(1001, "tapped:yes");
    for (let times = 0; times < 3; times++) expect((await post(update)).status).toBe(200);
    await untilAnswered("tapped", { answer: true, answered_by: "channel:telegram:1001", via: "channel" });
  });

  it("answers by words in reply, with what they say behind them", async () => {
    const shownBy = await asked("typed", ADA);
    await asked("other", ADA);
    await post(message({ chat: 1001, text: " YES , but later", replyTo: shownBy }));
    await untilAnswered("typed", { answer: true, params: { comment: "but later" } });
    expect((await test.stateOf("other")).status).toBe("pending");
    await test.decide("other", { type: "Cancel", cancelledBy: "asker", nowMs: Date.now() });
  });

  it("who does not say which question they mean is asked to, and answers none", async () => {
    const shownBy = await asked("one", BO);
    await asked("two", BO);
    await post(message({ chat: 1002, text: "yes" }));
    await untilTold("Please reply to the message");
    expect((await test.stateOf("one")).status).toBe("pending");
    expect((await test.stateOf("two")).status).toBe("pending");
    await post(message({ chat: 1002, text: "no", replyTo: shownBy }));
    await untilAnswered("one", { answer: false });
    // The place of the first is free once its end has been seen.
    await eventually(async () => {
      await post(message({ chat: 1002, text: "yes" }));
      expect((await test.stateOf("two")).status).toBe("answered");
    });
  });

  it("whose reply does not fit is told what would, and answers then", async () => {
    const select: Pick<AskedData, "answer_format" | "format_payload"> = {
      answer_format: "select",
      format_payload: { options: ["Red", { value: "b", label: "Blue" }] },
    };
    const shownBy = await asked("colour", { ...ADA, ...select });
    const unfit = message({ chat: 1001, text: "green", replyTo: shownBy });
    for (let times = 0; times < 3; times++) expect((await post(unfit)).status).toBe(200);
    await untilTold("Please reply with one of the options");
    expect(await test.stateOf("colour")).toMatchObject({ status: "pending", delivery: { mismatched: {} } });
    await post(message({ chat: 1001, text: "blue", replyTo: shownBy }));
    await untilAnswered("colour", { answer: "b" });
    // What was delivered three times was told once.
    const told = telegram.requests.filter((request) => JSON.stringify(request).includes("Please reply with"));
    expect(told).toHaveLength(1);
  });

  it.each(["late", `late-${"x".repeat(59)}`])("who taps too late is told how %s ended", async (id) => {
    await asked(id, ADA);
    await test.decide(id, { type: "Cancel", cancelledBy: "asker", nowMs: Date.now() });
    await eventually(() => {
      expect(telegram.requests.map(({ operation }) => operation)).toContain("editMessageText");
    });
    await post(tap(1001, `${referenceOf(id)}:yes`));
    await eventually(() => {
      const told = telegram.requests.filter(({ operation }) => operation === "answerCallbackQuery");
      expect(JSON.stringify(told)).toContain("This question was cancelled.");
    });
  });

  it.each(["in reply", "by a tap"])(
    "A-IDEM-1: answers %s while the provider's word that the question was sent is still on its way",
    async (how) => {
      const id = how === "in reply" ? "outrun-reply" : "outrun-tap";
      uponSent = async (shownBy) => {
        const said = message({ chat: 1002, text: "no", replyTo: shownBy });
        expect((await post(how === "in reply" ? said : tap(1002, `${id}:no`))).status).toBe(200);
        // It is being looked at before whoever sent the question hears that it was sent.
        await eventually(async () => {
          expect(await lookedAt()).toBeGreaterThan(0);
        });
      };
      await test.ask(askedOf(id, BO));
      await untilAnswered(id, { answer: false });
      expect(uponSent).toBeUndefined();
    },
  );

  it.each(["9", "999", "\u00b2", "-1", "x"])(
    "who sends the choice %j, which the question has not, answers nothing",
    async (choice) => {
      const id = `choice-${choice.codePointAt(0) ?? 0}-${choice.length}`;
      const format_payload = { options: ["Red", "Blue"] };
      const shownBy = await asked(id, { ...BO, answer_format: "select", format_payload });
      expect((await post(tap(1002, `${id}:${choice}`))).status).toBe(200);
      await post(message({ chat: 1002, text: "red", replyTo: shownBy }));
      await untilAnswered(id, { answer: "Red" });
    },
  );

  it("cannot answer what was asked of another", async () => {
    await asked("mine", ADA);
    await post(tap(1002, "mine:yes"));
    await eventually(() => {
      expect(telegram.requests.map(({ operation }) => operation)).toContain("answerCallbackQuery");
    });
    expect((await test.stateOf("mine")).status).toBe("pending");
  });
});

describe("a thousand updates, repeated and out of order", () => {
  it("leave each question with the first answer that was kept for it", async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `storm-${index}`);
    for (const id of ids) await asked(id, BO);
    const firsts = ids.map((id, index) => tap(1002, `${id}:${index % 2 === 0 ? "yes" : "no"}`));
    const seconds = ids.map((id, index) => tap(1002, `${id}:${index % 2 === 0 ? "no" : "yes"}`));
    const each = [...firsts, ...seconds];
    const all = Array.from({ length: 1_000 }, (_, index) => each[(index * 7) % each.length] ?? "");
    const before = await stored();
    await Promise.all(firsts.map((body) => post(body)));
    for (let from = 0; from < all.length; from += 50) {
      const statuses = await Promise.all(
        all.slice(from, from + 50).map(async (body) => (await post(body)).status),
      );
      expect(new Set(statuses)).toEqual(new Set([200]));
    }
    expect((await stored()) - before).toBe(each.length);
    for (const [index, id] of ids.entries()) {
      await untilAnswered(id, { answer: index % 2 === 0 });
      const events = await test.store.readAll(id);
      expect(events.filter(({ entry }) => "type" in entry && entry.type === "answered")).toHaveLength(1);
    }
  }, 60_000);
});

describe("two processes", () => {
  it("A-CHAT-1, A-CHAT-3: take one update at the same time, and again after one could not keep it, as one", async () => {
    const second = await startProcess();
    await asked("both", ADA);
    const update = tap(1001, "both:no", 70_001);
    const statuses = await Promise.all(
      [server, second.server].map(async (at) => (await post(update, SECRET, at)).status),
    );
    expect(statuses).toEqual([200, 200]);
    await untilAnswered("both", { answer: false });

    await asked("kept-late", ADA);
    const lost = tap(1001, "kept-late:yes", 70_002);
    await second.log.close();
    expect((await post(lost, SECRET, second.server)).status).toBe(503);
    expect((await test.stateOf("kept-late")).status).toBe("pending");
    expect((await post(lost)).status).toBe(200);
    await untilAnswered("kept-late", { answer: true });
    expect((await post(lost)).status).toBe(200);
    // What the process that lost its log held comes back once its leases are over.
    await eventually(
      async () => {
        expect(await lookedAt()).toBe(0);
      },
      { withinMs: 40_000 },
    );
    const acknowledged = telegram.requests.map(({ fields }) => fields["callback_query_id"]);
    expect(acknowledged.filter((id) => id === "q70001" || id === "q70002")).toEqual(["q70001", "q70002"]);
  }, 60_000);
});
