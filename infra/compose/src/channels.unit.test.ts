import { describe, expect, it } from "vitest";
import { channelConfig, openChannels } from "./channels.ts";

const SLACK = { SLACK_BOT_TOKEN: "xoxb-secret-token", SLACK_SIGNING_SECRET: "signing-secret" };
const TELEGRAM = { TELEGRAM_BOT_TOKEN: "1:abc", TELEGRAM_WEBHOOK_SECRET: "hook" };
const TWILIO = { TWILIO_ACCOUNT_SID: "AC1", TWILIO_AUTH_TOKEN: "token", TWILIO_FROM: "+15550001111" };
const WHATSAPP = {
  ...{ WHATSAPP_ACCESS_TOKEN: "token", WHATSAPP_APP_SECRET: "secret" },
  ...{ WHATSAPP_PHONE_NUMBER_ID: "1", WHATSAPP_VERIFY_TOKEN: "verify" },
};

const open = (variables: Record<string, string>) =>
  openChannels(channelConfig(variables, []), { language: "en" });

describe("channels from the environment", () => {
  it("are none where nothing is set", async () => {
    const { channels, misconfigured } = await open({ SLACK_BOT_TOKEN: "", PATH: "/bin" });
    expect([channels.size, misconfigured.size]).toEqual([0, 0]);
  });

  it("are each registered under the name that questions use", async () => {
    const { channels, misconfigured } = await open({ ...SLACK, ...TELEGRAM, ...TWILIO, ...WHATSAPP });
    expect([...channels.keys()]).toEqual(["slack", "telegram", "sms", "whatsapp"]);
    for (const [name, channel] of channels) expect(channel.name).toBe(name);
    expect(misconfigured.size).toBe(0);
  });

  it("that are half set are told of by what is missing, and the rest stands", async () => {
    const { channels, misconfigured } = await open({ ...TELEGRAM, SLACK_BOT_TOKEN: "xoxb-secret-token" });
    expect([...channels.keys()]).toEqual(["telegram"]);
    expect([...misconfigured]).toEqual([["slack", "SLACK_SIGNING_SECRET not set"]]);
  });

  it("that have only a recipient are half set too", async () => {
    const { misconfigured } = await open({ SMS_DEFAULT_RECIPIENT: "+15550002222" });
    expect(misconfigured.get("sms")).toContain("TWILIO_ACCOUNT_SID");
  });

  it("that are set wrongly are told of without the value", async () => {
    const { channels, misconfigured } = await open({ ...TWILIO, TWILIO_FROM: "secret number" });
    expect(channels.size).toBe(0);
    expect(misconfigured.get("sms")).toMatch(/^TWILIO_FROM must be a phone number/);
    expect(misconfigured.get("sms")).not.toContain("secret number");
  });

  it("take no other variable with them", () => {
    const environment = { ...SLACK, TWILIO_FROM: "1", NATS_URL: "nats://x", HOME: "/", PAGER_URL: "u" };
    const { variables } = channelConfig(environment, []);
    expect(Object.keys(variables).toSorted()).toEqual([
      "SLACK_BOT_TOKEN",
      "SLACK_SIGNING_SECRET",
      "TWILIO_FROM",
    ]);
  });
});
