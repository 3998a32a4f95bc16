import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, connect, type Driver, type Turn } from "@interlude/sdk";
import { eventually, temporaryHome } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type AllChannels,
  CHAT_CHANNELS,
  type ChatChannel,
  startAllChannels,
} from "../support/all-channels.ts";
import { converse } from "../support/converse.ts";
import { newVisitor } from "../support/visitor.ts";

type Body = Readonly<Record<string, unknown>>;

/** The person's conversation with the app, whom an ask names, and whom an answer is told to be from. */
const PEOPLE: Record<ChatChannel, { chat: string; recipient: string; by: string }> = {
  slack: { chat: "D0ADA", recipient: "D0ADA", by: "channel:slack:U0ADA" },
  telegram: { chat: "1001", recipient: "1001", by: "channel:telegram:1001" },
  sms: { chat: "+15550001001", recipient: "+15550001001", by: "channel:sms:+15550001001" },
  whatsapp: { chat: "15550001001", recipient: "+15550001001", by: "channel:whatsapp:15550001001" },
};
const TAPPED = ["slack", "telegram", "whatsapp"] as const;

let running: AllChannels;
let client: Client;
let driver: Driver;
const turns: Turn[] = [];
const at = () => ({ ...running.interlude, natsUrl: running.interlude.nats.url });
const { call, ask, result, item } = converse(at);

beforeAll(async () => {
  const routesFile = join(temporaryHome("routes"), "routes.json");
  const routes = CHAT_CHANNELS.map((channel) => ({ channel, target: { driver: "desk" } }));
  writeFileSync(routesFile, JSON.stringify(routes));
  running = await startAllChannels({ env: { INTERLUDE_ROUTES_FILE: routesFile } });
  client = connect({ url: running.interlude.url, apiKey: running.interlude.apiKey });
  driver = await client.driver({
    ...{ name: "desk", checkpointer: { kind: "postgres" } },
    turn({ turn }) {
      turns.push(turn);
      return "";
    },
  });
});
afterAll(async () => {
  await driver.stop();
  await client.close();
  await running.stop();
});

function messagesIn(channel: ChatChannel) {
  const { conversations } = running.fakes[channel].person.see();
  return conversations.find(({ id }) => id === PEOPLE[channel].chat)?.messages ?? [];
}

const heard = (channel: ChatChannel) => messagesIn(channel).filter(({ fromApp }) => fromApp);

/** Asks the person, and is back once the message is there: its id, and that of the question. */
async function asked(channel: ChatChannel, body: Body) {
  const { recipient } = PEOPLE[channel];
  const sent = { question: "What now?", channel, recipient, ...body };
  const reply = await ask(sent, { headers: { prefer: "delivered" } });
  expect([reply.status, reply.json]).toMatchObject([201, { delivery: { state: "sent" } }]);
  const message = heard(channel).at(-1);
  if (message === undefined) throw new Error("nothing was heard");
  return { id: String(reply.json["interaction_id"]), message, controls: message.controls ?? [] };
}

async function types(channel: ChatChannel, text: string, replyTo?: string): Promise<void> {
  const context = replyTo === undefined ? {} : { replyTo };
  await running.fakes[channel].person.type({ conversation: PEOPLE[channel].chat, text, ...context });
}

async function taps(channel: ChatChannel, message: string, control: string): Promise<void> {
  await running.fakes[channel].person.tap({ conversation: PEOPLE[channel].chat, message, control });
}

async function expectAnswer(channel: ChatChannel, id: string, answer: unknown, params?: object) {
  const { json } = await result(id, "?wait=10");
  expect(json).toMatchObject({ status: "answered", answer, answered_by: PEOPLE[channel].by });
  expect(json["params"]).toEqual(params);
}

async function expectPending(id: string): Promise<void> {
  expect((await item(id)).json).toMatchObject({ status: "pending" });
}

async function untilHeard(channel: ChatChannel, text: string): Promise<void> {
  await eventually(
    () => {
      expect(heard(channel).at(-1)?.text).toContain(text);
    },
    { withinMs: 10_000 },
  );
}

const CITIES = ["Amsterdam", "Kraków", { value: "lis", label: "Lisbon" }];
const rooms = (count: number) => Array.from({ length: count }, (_, place) => `Room ${place + 1}`);
const select = (options: unknown) => ({ answer_format: "select", options });

describe.each(CHAT_CHANNELS)("by typing over %s is answered", (channel) => {
  it.each<[string, Body, string, unknown, object?]>([
    ["a question", {}, " Wait & see <b> ", "Wait & see <b>"],
    ["a question with suggestions, by other words", { options: ["Later", "Never"] }, "Tomorrow", "Tomorrow"],
    ["yes or no", { answer_format: "confirm" }, "Yes, but hurry", true, { comment: "but hurry" }],
    ["one of three, by its label", select(CITIES), "lisbon", "lis"],
    ["one of eight", select(rooms(8)), "room 3", "Room 3"],
    ["one of 120, by its number", select(rooms(120)), "117", "Room 117"],
    [
      "a question with a picture",
      { media: [{ kind: "image", url: "https://x.example/1.png" }] },
      "Fine",
      "Fine",
    ],
    [
      "a question with files and a link",
      {
        media: [
          { kind: "document", url: "https://x.example/1.pdf", filename: "Offer.pdf" },
          { kind: "video", url: "https://x.example/1.mp4" },
          { kind: "audio", url: "https://x.example/1.mp3" },
          { kind: "link", url: "https://x.example/more", caption: "More" },
        ],
      },
      "Seen",
      "Seen",
    ],
  ])("%s", async (_what, body, typed, answer, params) => {
    const { id } = await asked(channel, body);
    await types(channel, typed);
    await expectAnswer(channel, id, answer, params);
  });
});

describe.each(TAPPED)("by tapping over %s is answered", (channel) => {
  it.each<[string, Body, string, unknown, object?]>([
    ["a suggestion", { options: ["Later", "Never"] }, "Later", "Later", { reply_id: "Later" }],
    ["yes or no", { answer_format: "confirm" }, "No", false],
    ["one of three", select(CITIES), "Lisbon", "lis"],
    ["one of eight", select(rooms(8)), "Room 7", "Room 7"],
  ])("%s", async (_what, body, tap, answer, params) => {
    const { id, message } = await asked(channel, body);
    await taps(channel, message.id, tap);
    await expectAnswer(channel, id, answer, params);
  });

  it("and 120 are too many to tap", async () => {
    const { id, controls } = await asked(channel, select(rooms(120)));
    expect(controls).toEqual([]);
    await types(channel, "Room 118");
    await expectAnswer(channel, id, "Room 118");
  });
});

const FORM = {
  question: "How was it?",
  answer_format: "form",
  schema: {
    type: "object",
    required: ["stars"],
    properties: {
      stars: { title: "Stars", type: "integer", minimum: 1, maximum: 5 },
      note: { title: "Note", type: "string" },
    },
  },
};

/** The address of a page that a message leads to. */
function pageOf({ text, controls = [] }: { text: string; controls?: readonly { url?: string }[] }): string {
  return controls.at(-1)?.url ?? /https?:\/\/\S+/.exec(text)?.[0] ?? "";
}

describe.each(CHAT_CHANNELS)("over %s", (channel) => {
  it("words to a form or a link are told where it is answered, and there it is", async () => {
    const form = await asked(channel, FORM);
    await types(channel, "five stars");
    await untilHeard(channel, "form");
    await expectPending(form.id);
    if (form.controls[0]?.kind === "tap") {
      await taps(channel, form.message.id, "Fill in the form");
      const open = running.fakes[channel].person.see().form;
      const named = (open?.fields ?? []).map((field, place): [string, string] => [
        field.id,
        ["4", "Well"][place] ?? "",
      ]);
      await running.fakes[channel].person.submit({ form: open?.id ?? "", values: Object.fromEntries(named) });
      await expectAnswer(channel, form.id, { stars: 4, note: "Well" });
    } else {
      const posted = await newVisitor().visit(pageOf(form.message), { stars: "4", note: "Well" });
      expect(posted.status).toBe(200);
      expect((await result(form.id, "?wait=10")).json).toMatchObject({ answer: { stars: 4, note: "Well" } });
    }

    const external = await asked(channel, { question: "Have you paid?", answer_format: "external" });
    await types(channel, "yes I have");
    await untilHeard(channel, "link");
    await expectPending(external.id);
    const done = await fetch(pageOf(external.message), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ paid: 12 }),
    });
    expect(done.status).toBe(200);
    expect((await result(external.id, "?wait=10")).json).toMatchObject({ answer: { paid: 12 } });
  });

  it("what does not fit is told what would, once, and what fits then is the answer", async () => {
    const { id } = await asked(channel, select(CITIES));
    await types(channel, "Berlin");
    await untilHeard(channel, "Please reply with one of the options");
    const before = heard(channel).length;
    await running.fakes[channel].webhooks.redeliver();
    await expectPending(id);
    await types(channel, "kraków");
    await expectAnswer(channel, id, "Kraków");
    expect(heard(channel)).toHaveLength(before);
  });

  it("the asker's own notice is told with the reason in its place, and nothing else replaced", async () => {
    const notice = "Hm ($& {other}): {reason}";
    const { id } = await asked(channel, { answer_format: "confirm", mismatch_notice: notice });
    await types(channel, "perhaps");
    await untilHeard(channel, "Hm ($& {other}): the reply is neither yes nor no");
    await types(channel, "no");
    await expectAnswer(channel, id, false);
  });

  it("with bridge what does not fit goes to the driver without a notice, and what fits is the answer", async () => {
    const bridge = { on_mismatch: "bridge", mismatch_notice: "never said" };
    const { id } = await asked(channel, { ...select(CITIES), ...bridge });
    const before = heard(channel).length;
    await types(channel, "where is Berlin?");
    await untilTurn(channel, "where is Berlin?");
    await expectPending(id);
    expect(heard(channel)).toHaveLength(before);
    await types(channel, "amsterdam");
    await expectAnswer(channel, id, "Amsterdam");
  });

  it("a reply to a question that is over goes to the driver", async () => {
    const { id, message } = await asked(channel, { answer_format: "confirm" });
    await call(`/api/interactions/${id}/cancel`, { key: running.interlude.keys.asker, json: {} });
    const context = channel === "sms" ? undefined : message.id;
    await types(channel, "sorry, too late?", context);
    await untilTurn(channel, "sorry, too late?");
    expect((await item(id)).json).toMatchObject({ status: "cancelled" });
  });
});

async function untilTurn(channel: ChatChannel, text: string): Promise<void> {
  await eventually(
    () => {
      expect(turns.filter((turn) => turn.channel === channel).at(-1)).toMatchObject({ text });
    },
    { withinMs: 10_000 },
  );
}
