import { type Client, connect, type Driver, type Turn } from "@interlude/sdk";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { send } from "../support/send.ts";
import { type AllChannels, CHAT_CHANNELS, type ChatChannel } from "../support/all-channels.ts";
import { ADA, messagesIn, redeliver, shown, startAllChats } from "../support/all-chats.ts";

/** A picture of one point. */
const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let chats: AllChannels;
let client: Client;
let driver: Driver;
const turns: Turn[] = [];
beforeAll(async () => {
  chats = await startAllChats();
  client = connect({ url: chats.interlude.url, apiKey: chats.interlude.apiKey });
  driver = await client.driver({
    ...{ name: "echo", checkpointer: { kind: "postgres" } },
    turn: ({ turn }) => {
      turns.push(turn);
    },
  });
});
afterAll(async () => {
  await driver.stop();
  await client.close();
  await chats.stop();
});
beforeEach(() => {
  turns.length = 0;
});

/** What is said after it is a turn behind everything that was said before. */
async function untilHeard(channel: ChatChannel, last: string): Promise<void> {
  await chats.fakes[channel].person.type({ conversation: ADA[channel], text: last });
  await eventually(() => {
    expect(turns.at(-1)?.text).toBe(last);
  });
}

const FORM = {
  schema: {
    type: "object",
    properties: {
      city: { type: "string", title: "City" },
      nights: { type: "integer", title: "Nights", minimum: 1 },
      region: { type: "string", title: "Region" },
    },
    required: ["city", "nights"],
  },
  data: {
    values: { city: "Graz" },
    options: { region: [{ value: "st", label: "Styria" }, { value: "w" }] },
  },
  pages: [
    { title: "Where", properties: ["city", "region"] },
    { title: "How long", properties: ["nights"] },
  ],
};

describe("a form that nobody waits for, told with the SDK", () => {
  it.each(["slack", "whatsapp"] as const)(
    "is one of %s's own, prefilled, and is said once when it fits",
    async (channel) => {
      const { person } = chats.fakes[channel];
      await client.notifyUser({
        message: `Where to, ${channel}?`,
        channel,
        recipient: ADA[channel],
        ...FORM,
      });
      const { id: message } = await shown(chats, channel, `Where to, ${channel}?`);
      await person.tap({ conversation: ADA[channel], message, control: "Fill in the form" });
      const put: Record<string, string> = { City: "Wien", Nights: "2" };
      const asked: string[] = [];
      // One page after the other, as the medium shows them.
      for (let page = 0; page < 2; page++) {
        const form = person.see().form;
        if (form === undefined) break;
        const fields = form.fields.map(({ id, label, value }) => ({
          id,
          label: label.replace(/ .*$/, ""),
          value,
        }));
        asked.push(...fields.map(({ label, value }) => (value === undefined ? label : `${label} ${value}`)));
        const values = fields.flatMap(({ id, label }) =>
          put[label] === undefined ? [] : [[id, put[label]]],
        );
        const sent = await person.submit({
          form: form.id,
          values: Object.fromEntries(values) as Record<string, string>,
        });
        expect(sent.errors).toBeUndefined();
      }
      expect(asked).toEqual(["City Graz", "Region", "Nights"]);
      await redeliver(chats, channel);
      await untilHeard(channel, "that was all");
      expect(turns.map(({ text }) => text)).toEqual(["City: Wien\nNights: 2", "that was all"]);
    },
  );

  it.each(["telegram", "sms"] as const)(
    "is a page over %s by the rules of every page, and is said once a view",
    async (channel) => {
      await client.notifyUser({
        message: `Where to, ${channel}?`,
        channel,
        recipient: ADA[channel],
        ...FORM,
      });
      const message = await shown(chats, channel, `Where to, ${channel}?`);
      const found = message.controls?.[0]?.url ?? /http\S+/.exec(message.text)?.[0] ?? "";
      expect(found).toContain("/api/notifications/form/");
      const html = await (await fetch(found)).text();
      expect(html).toContain('value="Graz"');
      for (const text of ["Where", "How long", "Styria"]) expect(html).toContain(text);
      const url = new URL((/action="([^"]+)"/.exec(html)?.[1] ?? "").replaceAll("&amp;", "&"), found);
      const post = (fields: Record<string, string>) =>
        fetch(url, { method: "POST", body: new URLSearchParams(fields) });
      for (const [fields, fault] of [
        [{ city: "Wien", nights: "0" }, "nights"],
        [{ city: "Wien", nights: "2", region: "st", extra: "x" }, "extra"],
        [{ city: "Wien", nights: "2", region: "nowhere" }, "region"],
      ] as const) {
        const refused = await post(fields);
        expect(refused.status, fault).toBe(400);
        expect(await refused.text()).toContain('role="alert"');
      }
      expect((await post({ city: "Wien", nights: "2", region: "st" })).status).toBe(200);
      expect((await post({ city: "Wien", nights: "2", region: "st" })).status).toBe(200);
      await untilHeard(channel, "that was all");
      expect(turns.map(({ text }) => text)).toEqual(["City: Wien\nRegion: st\nNights: 2", "that was all"]);
    },
  );

  it("may be given as a schema of zod", async () => {
    const schema = z.object({ size: z.enum(["s", "m"]), note: z.string().optional() });
    await client.notifyUser({ message: "Which size?", channel: "sms", recipient: ADA.sms, schema });
    const { text } = await shown(chats, "sms", "Which size?");
    const html = await (await fetch(/http\S+/.exec(text)?.[0] ?? "")).text();
    expect(html).toContain("<select");
  });
});

describe.each(CHAT_CHANNELS)("media told with the SDK over %s", (channel) => {
  it("reach the person, as themselves or as links, with an inline picture served by us", async () => {
    await client.notifyUser({
      ...{ message: `See ${channel}.`, channel, recipient: ADA[channel] },
      media: [
        { kind: "image", url: PIXEL, caption: "A point" },
        { kind: "document", url: "https://files.example/offer.pdf", filename: "offer.pdf" },
        { kind: "link", url: "https://wiki.example/page", caption: "Background" },
      ],
    });
    await shown(chats, channel, `See ${channel}.`);
    const sent = JSON.stringify(chats.fakes[channel].requests);
    expect(sent).toMatch(/\/api\/interactions\/media\/[\w-]{43}/);
    for (const text of ["https://files.example/offer.pdf", "https://wiki.example/page", "A point"]) {
      expect(sent).toContain(text);
    }
  });
});

it("what the SDK does not know, or the service refuses, is an error with the field's name", async () => {
  const typo = { message: "x", recipent: "1" };
  await expect(client.notifyUser(typo)).rejects.toMatchObject({ errors: [{ path: "/recipent" }] });
  const refused = client.notifyUser({ message: "x", options: ["a"] });
  await expect(refused).rejects.toMatchObject({
    ...{ code: "validation_failed", status: 400 },
    errors: [{ path: "/options" }],
  });
});

describe("a notification whose sender waits for the provider", () => {
  const notify = (json: Record<string, unknown>, key: string) =>
    send(`${chats.interlude.url}/api/notifications`, {
      key: chats.interlude.apiKey,
      json,
      headers: { prefer: "delivered", "idempotency-key": key },
    });

  it.each(CHAT_CHANNELS)("is told of once it has been taken, over %s", async (channel) => {
    const json = { message: `Taken ${channel}`, channel, recipient: ADA[channel] };
    const { status } = await notify(json, `taken-${channel}`);
    expect([status, messagesIn(chats, channel).at(-1)?.text]).toEqual([202, `Taken ${channel}`]);
    expect((await notify(json, `taken-${channel}`)).status).toBe(200);
  });

  it("is 502 with its id and the reason when it was refused, and so is every repeat", async () => {
    const json = { message: "Nobody is there", channel: "telegram", recipient: "4242" };
    for (const reply of [await notify(json, "refused"), await notify(json, "refused")]) {
      expect(reply.status).toBe(502);
      const { code, detail, notification_id: id } = reply.json;
      expect([code, detail, typeof id]).toEqual([
        "delivery_failed",
        expect.stringContaining("chat not found"),
        "string",
      ]);
    }
    await expect(
      client.notifyUser({ message: "Nor there", channel: "telegram", recipient: "4242", delivered: true }),
    ).rejects.toMatchObject({ code: "delivery_failed" });
  });

  it("is told of at once when it goes to the inbox", async () => {
    expect((await notify({ message: "For the feed" }, "feed")).status).toBe(202);
  });
});
