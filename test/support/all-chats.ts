import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, temporaryHome } from "@interlude/testing";
import { expect } from "vitest";
import { type AllChannels, CHAT_CHANNELS, type ChatChannel, startAllChannels } from "./all-channels.ts";

/** A person on each of them, as `recipient` and as the conversation of the chat page. */
export const ADA: Readonly<Record<ChatChannel, string>> = {
  slack: "D0ADA",
  telegram: "1001",
  sms: "+15550001001",
  whatsapp: "15550001001",
};

/** All channels; what people say goes to the driver `echo`, and what it says comes back. */
export function startAllChats(env: Readonly<Record<string, string>> = {}): Promise<AllChannels> {
  const routesFile = join(temporaryHome("routes"), "routes.json");
  const target = { driver: "echo" };
  const routes = CHAT_CHANNELS.map((channel) => ({ channel, target, reply: "result.say" }));
  writeFileSync(routesFile, JSON.stringify(routes));
  return startAllChannels({ env: { INTERLUDE_ROUTES_FILE: routesFile, ...env } });
}

export function messagesIn({ fakes }: AllChannels, channel: ChatChannel, conversation = ADA[channel]) {
  const { conversations } = fakes[channel].person.see();
  return conversations.find(({ id }) => id === conversation)?.messages ?? [];
}

/** The message with this text, once the person sees it. */
export async function shown(chats: AllChannels, channel: ChatChannel, text: string, conversation?: string) {
  let found = messagesIn(chats, channel, conversation).at(-1);
  await eventually(() => {
    found = messagesIn(chats, channel, conversation).findLast(
      (each) => each.fromApp && each.text.includes(text),
    );
    expect(found).toBeDefined();
  });
  if (found === undefined) return expect.fail(`nobody sees ${text}`);
  return found;
}

/** The provider tells once more what it told last. */
export async function redeliver({ fakes }: AllChannels, channel: ChatChannel): Promise<void> {
  const response = await fetch(new URL("/_fake/webhooks/redeliver", fakes[channel].apiUrl), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  expect(response.ok, await response.text()).toBe(true);
}
