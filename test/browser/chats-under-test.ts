import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDatabase, startOwnNats, temporaryHome } from "@interlude/testing";
import type { Browser, Locator, Page } from "playwright-core";
import { inject } from "vitest";
import { z } from "zod";
import { startChild } from "../support/child-process.ts";
import { send } from "../support/send.ts";
import { launchBrowser } from "./launch-browser.ts";

export const CHANNELS = ["slack", "telegram", "sms", "whatsapp"] as const;
export type ChannelName = (typeof CHANNELS)[number];
type Body = Readonly<Record<string, unknown>>;

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** `dev --fake-channels` as one starts it, and a browser with the chat page of each stand-in open. */
export type ChatsUnderTest = {
  browser: Browser;
  addresses: Readonly<Record<ChannelName, string>>;
  tab(channel: ChannelName): Page;
  /** The message that holds this text. */
  message(channel: ChannelName, text: string): Locator;
  /** Opens the conversation with this person, or of this group. */
  choose(channel: ChannelName, name: string): Promise<void>;
  type(channel: ChannelName, text: string): Promise<void>;
  ask(body: Body): Promise<string>;
  tell(body: Body): Promise<void>;
  item(id: string): Promise<Body>;
  /** The next thing said that begins with "Thanks", which alone has a route; answered with `reply`. */
  thanked(reply: string): Promise<Body>;
  /** The answer as its asker reads it. */
  answerOf(id: string): Promise<unknown>;
  stop(): Promise<void>;
};

export async function startChats(): Promise<ChatsUnderTest> {
  const home = temporaryHome("chats");
  const [nats, database, browser] = await Promise.all([
    startOwnNats(),
    createDatabase(inject("postgresUrl")),
    launchBrowser(),
  ]);
  const routesFile = join(home, "routes.json");
  writeFileSync(
    routesFile,
    JSON.stringify(
      CHANNELS.map((channel) => ({ channel, match: { text_prefix: "Thanks" }, target: { driver: "host" } })),
    ),
  );
  const dev = startChild(["dev", "--fake-channels"], {
    ...{ INTERLUDE_ROUTES_FILE: routesFile, INTERLUDE_HOME: home, PORT: "0", INTERLUDE_LOG_LEVEL: "error" },
    ...{ NATS_URL: nats.url, DATABASE_URL: database.url },
  });
  await dev.says(/Ctrl-C stops everything/, 60_000);
  const [, url = ""] = await dev.says(/ready: (\S+)/);
  const [, key = ""] = await dev.says(/API key: (\S+)/);
  const addresses = {} as Record<ChannelName, string>;
  const tabs = {} as Record<ChannelName, Page>;
  for (const channel of CHANNELS) {
    addresses[channel] = (await dev.says(new RegExp(`${channel} +(http\\S+)`)))[1] ?? "";
    // A window each: a page that is not in front is slow on purpose.
    const context = await browser.newContext();
    await context.route("https://pictures.example/**", (route) =>
      route.fulfill({ contentType: "image/png", body: PIXEL }),
    );
    tabs[channel] = await context.newPage();
    await tabs[channel].goto(addresses[channel]);
  }
  const post = (path: string, json: Body) => send(url + path, { key, json });
  await post("/api/drivers", { name: "host", checkpointer: { kind: "postgres" } });
  const read = async (path: string) => (await send(url + path, { key })).json;
  return {
    ...{ browser, addresses },
    tab: (channel) => tabs[channel],
    message: (channel, text) => tabs[channel].locator("li.message", { hasText: text }).last(),
    async choose(channel, name) {
      const people = tabs[channel].getByRole("navigation", { name: "Conversations" });
      await people.getByRole("button", { name: new RegExp(`^${name}\\b`) }).click();
      await tabs[channel].getByRole("heading", { name, exact: true }).waitFor();
    },
    async type(channel, text) {
      await tabs[channel].getByRole("textbox", { name: "Message" }).fill(text);
      await tabs[channel].getByRole("button", { name: "Send" }).click();
    },
    async ask(body) {
      const asked = await send(`${url}/api/interactions`, { key, json: { timeout_seconds: 3_600, ...body } });
      if (asked.status !== 201) throw new Error(`${asked.status}: ${asked.text}`);
      return String(asked.json["interaction_id"]);
    },
    async tell(body) {
      const told = await post("/api/notifications", body);
      if (told.status !== 202) throw new Error(`${told.status}: ${told.text}`);
    },
    async thanked(reply) {
      const { json } = await send(`${url}/api/drivers/host/claims?wait=20`, { method: "POST", key });
      await post(`/api/claims/${String(json["claim_id"])}/complete`, { result: reply });
      return z.looseObject({}).parse(json["turn"]);
    },
    item: (id) => read(`/api/interactions/${id}`),
    answerOf: async (id) => (await read(`/api/interactions/${id}/result?wait=10`))["answer"],
    async stop() {
      await browser.close();
      await dev.interrupt();
      await nats.stop();
      await database.drop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
