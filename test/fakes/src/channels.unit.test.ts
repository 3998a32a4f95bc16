import type { Channel, ChannelSetup, Inbound, Variables } from "@interlude/channel-kit";
import { sendingContract } from "@interlude/channel-kit/testing";
import { createSlackChannel, readSlackConfig } from "@interlude/channel-slack";
import { createSmsChannel, readSmsConfig } from "@interlude/channel-sms";
import { createTelegramChannel, readTelegramConfig } from "@interlude/channel-telegram";
import { createWhatsAppChannel, readWhatsAppConfig } from "@interlude/channel-whatsapp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Receiver, startReceiver } from "./core/receiver.ts";
import { type RunningFakes, startFakes } from "./start-fakes.ts";

let receiver: Receiver;
let running: RunningFakes;
let channels: Readonly<Record<"slack" | "telegram" | "sms" | "whatsapp" | "whatsappPages", Channel>>;

function configured<Config>(
  read: (variables: Variables) => ChannelSetup<Config>,
  make: (config: Config) => Channel,
  other: Variables = {},
): Channel {
  const setup = read({ ...running.environment, ...other });
  return setup.state === "set" ? make(setup.config) : expect.fail(JSON.stringify(setup));
}

beforeAll(async () => {
  receiver = await startReceiver();
  running = await startFakes(receiver.url);
  const { telegram } = running.fakes;
  await fetch(`${telegram.apiUrl}/bot${telegram.token}/setWebhook`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: `${receiver.url}/hook`, secret_token: "fake-webhook-secret" }),
  });
  channels = {
    slack: configured(readSlackConfig, (config) => createSlackChannel(config)),
    telegram: configured(readTelegramConfig, (config) => createTelegramChannel(config)),
    sms: configured(readSmsConfig, (config) => createSmsChannel(config, { publicBaseUrl: receiver.url })),
    whatsapp: configured(readWhatsAppConfig, (config) => createWhatsAppChannel(config)),
    whatsappPages: configured(readWhatsAppConfig, (config) => createWhatsAppChannel(config), {
      WHATSAPP_WABA_ID: "",
    }),
  };
});
afterAll(async () => {
  await running.stop();
  await receiver.stop();
});

sendingContract("slack", { channel: () => channels.slack, recipients: ["D0ADA", "C0OPS"] });
sendingContract("telegram", {
  channel: () => channels.telegram,
  recipients: ["1001", "-2001"],
});
sendingContract("sms", { channel: () => channels.sms, recipients: ["+15550001001"] });
sendingContract("whatsapp", { channel: () => channels.whatsapp, recipients: ["15550001001"] });
sendingContract("whatsapp without Flows", {
  channel: () => channels.whatsappPages,
  recipients: ["15550001001"],
});

it("nothing that any channel sent was refused", () => {
  for (const { name, requests } of Object.values(running.fakes)) {
    expect(requests.length, name).toBeGreaterThan(20);
    expect(requests.filter(({ status = 0 }) => status >= 300)).toEqual([]);
  }
});

type Medium = "slack" | "telegram" | "sms" | "whatsapp";
const PEOPLE: readonly (readonly [Medium, string])[] = [
  ["slack", "D0ADA"],
  ["telegram", "1001"],
  ["sms", "+15550001001"],
  ["whatsapp", "15550001001"],
];

describe("what a person writes is read by the channel that wrote to them:", () => {
  it.each(PEOPLE)("%s", async (name, conversation) => {
    const channel = channels[name];
    const { deliveries } = await running.fakes[name].person.type({ conversation, text: "Да 👍 نعم" });
    const read = deliveries.flatMap((delivery): readonly Inbound[] => {
      const { url, method, headers, body = "" } = delivery.attempts[0]?.request ?? expect.fail(name);
      const lower = new Map(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]));
      const webhook = {
        ...{ method, url: new URL(url).pathname, rawBody: Buffer.from(body) },
        headers: { get: (key: string) => lower.get(key.toLowerCase()) ?? null },
      };
      expect(channel.verify(webhook, Date.now())).toEqual({ ok: true });
      expect(channel.verify({ ...webhook, rawBody: Buffer.from(`${body} `) }, Date.now())).toEqual({
        // Telegram signs no body: whoever knows the secret may write anything.
        ok: name === "telegram",
      });
      return channel.parse(webhook).inbound;
    });
    expect(read).toEqual([
      expect.objectContaining({
        kind: "message",
        text: "Да 👍 نعم",
        isDirect: true,
        address: channel.address(conversation),
      }),
    ]);
  });
});

it("stand-ins that are started again give no id a second time, which would be taken for a repeat", async () => {
  const idsOf = async (fakes: RunningFakes["fakes"]): Promise<string[][]> =>
    Promise.all(
      PEOPLE.map(async ([name, conversation]) => {
        const { deliveries } = await fakes[name].person.type({ conversation, text: "hello" });
        const body = deliveries[0]?.attempts[0]?.request.body ?? "";
        const rawBody = Buffer.from(body);
        const webhook = { method: "POST", url: "/", headers: { get: () => null }, rawBody };
        return channels[name].parse(webhook).inbound.flatMap(({ updateId = "" }) => [updateId]);
      }),
    );
  const [first, second] = [
    await startFakes(receiver.url),
    await startFakes(receiver.url, [], Date.now() + 1_000),
  ];
  const [before, after] = [await idsOf(first.fakes), await idsOf(second.fakes)];
  await Promise.all([first.stop(), second.stop()]);
  for (const [index, [name]] of PEOPLE.entries()) {
    expect(after[index], name).toHaveLength(1);
    expect(
      before[index]?.filter((id) => after[index]?.includes(id)),
      name,
    ).toEqual([]);
  }
});
