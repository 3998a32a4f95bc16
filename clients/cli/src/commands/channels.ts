import type { Command } from "commander";
import { z } from "zod";
import { channelLine } from "../describe-channel.ts";
import { safeLine } from "../safe-text.ts";
import type { Surroundings } from "../terminal.ts";
import { flagsOf, withClient } from "./context.ts";

const TestFlags = z.object({ to: z.string().optional(), message: z.string().optional() });

function addChannelsList(channels: Command, around: Surroundings): void {
  channels
    .command("list")
    .description("list the channels, whether each works, and what it can do")
    .action(async (_options: unknown, command: Command) => {
      await withClient(command, around, async (client, { terminal }) => {
        const items = await client.channels();
        for (const channel of items) terminal.say(channelLine(channel));
        if (items.length === 0) terminal.note("no channel is configured");
        terminal.document({ items });
      });
    });
}

function addChannelsTest(channels: Command, around: Surroundings): void {
  channels
    .command("test")
    .description("send a person a message that needs no answer")
    .argument("<channel>")
    .option("--to <recipient>", "whom; without it, the channel's default recipient")
    .option("--message <text>", "what to say")
    .action(async (channel: string, _options: unknown, command: Command) => {
      await withClient(command, around, async (client, { terminal }) => {
        const { to, message } = flagsOf(command, TestFlags);
        const told = message ?? `This is a test of the channel ${channel}. There is nothing to do.`;
        const sent = await client.notifyUser({ message: told, channel, recipient: to, delivered: true });
        terminal.say(`sent over ${safeLine(channel)}: ${safeLine(sent.notificationId)}`);
        terminal.document(sent);
      });
    });
}

export function addChannels(program: Command, around: Surroundings): void {
  const channels = program.command("channels").description("list the channels, and try one");
  addChannelsList(channels, around);
  addChannelsTest(channels, around);
}
