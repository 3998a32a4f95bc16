import type { Notification } from "@interlude/sdk";
import type { Command } from "commander";
import { z } from "zod";
import { mediaOf, objectOf, optionOf, pagesOf } from "../content-flags.ts";
import { safeLine } from "../safe-text.ts";
import type { Surroundings } from "../terminal.ts";
import { collect, flagsOf, withClient } from "./context.ts";

const Flags = z.object({
  channel: z.string().optional(),
  recipient: z.string().optional(),
  audience: z.string().optional(),
  option: z.array(z.string()),
  media: z.string().optional(),
  schema: z.string().optional(),
  data: z.string().optional(),
  pages: z.string().optional(),
  idempotencyKey: z.string().optional(),
  delivered: z.boolean().optional(),
});
type Flags = z.infer<typeof Flags>;

function notificationOf(message: string, flags: Flags, around: Surroundings): Notification {
  const { channel, recipient, audience, idempotencyKey, delivered } = flags;
  const data = objectOf(flags.data, around, "--data");
  return {
    ...{ message, channel, recipient, audience, idempotencyKey, delivered },
    options: flags.option.length === 0 ? undefined : flags.option.map(optionOf),
    media: mediaOf(flags.media, around),
    schema: objectOf(flags.schema, around, "--schema"),
    // What stands inside `data` is the service's to judge, which names every fault in it.
    ...(data === undefined ? {} : { data }),
    pages: pagesOf(flags.pages, around),
  };
}

export function addNotify(program: Command, around: Surroundings): void {
  program
    .command("notify")
    .description("say something that needs no answer: over a channel, or in the inbox's feed")
    .argument("<message>", "the message, or - to read it from standard input")
    .option("--channel <name>", "slack, telegram, sms, whatsapp or one of your own")
    .option("--recipient <address>", "whom to tell on the channel")
    .option("--audience <subject>", "a subject or group:<name>: who sees it in the feed")
    .option("--option <value[=label]>", "a reply to tap, on a channel (repeatable)", collect, [])
    .option("--media <json|@file>", "pictures, files and links: a list of {kind, url, caption?, filename?}")
    .option("--schema <json|@file>", "a form that nobody waits for, on a channel")
    .option("--data <json|@file>", "the form's prefills and options")
    .option("--pages <json|@file>", "the form's pages")
    .option("--delivered", "wait until the channel's provider has taken it, or did not")
    .option("--idempotency-key <key>", "tell again with the same key and content without telling twice")
    .action(async (given: string, _options: unknown, command: Command) => {
      await withClient(command, around, async (client, { terminal }) => {
        const flags = flagsOf(command, Flags);
        const message = given === "-" ? (await around.readInput()).trimEnd() : given;
        const sent = await client.notifyUser(notificationOf(message, flags, around));
        terminal.say(safeLine(sent.notificationId));
        terminal.document(sent);
      });
    });
}
