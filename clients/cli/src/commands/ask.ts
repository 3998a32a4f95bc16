import { randomUUID } from "node:crypto";
import type { Ask, AskCommon, Client, Json } from "@interlude/sdk";
import type { Command } from "commander";
import { z } from "zod";
import { answerText } from "../describe-item.ts";
import { pairs } from "../answer-value.ts";
import { mediaOf, objectOf, optionOf, pagesOf } from "../content-flags.ts";
import { usage } from "../exit-code.ts";
import type { Surroundings } from "../terminal.ts";
import { collect, type Context, flagsOf, withClient } from "./context.ts";

const Flags = z.object({
  format: z.enum(["text", "confirm", "select", "form", "external"]),
  option: z.array(z.string()),
  schema: z.string().optional(),
  data: z.string().optional(),
  pages: z.string().optional(),
  link: z.string().optional(),
  id: z.string().optional(),
  group: z.string().optional(),
  timeout: z.coerce.number("must be a number of seconds").optional(),
  channel: z.string().optional(),
  recipient: z.string().optional(),
  audience: z.string().optional(),
  media: z.string().optional(),
  onMismatch: z.enum(["retry", "bridge"], "must be retry or bridge").optional(),
  mismatchNotice: z.string().optional(),
  metadata: z.array(z.string()),
  sensitive: z.boolean().default(false),
});
type Flags = z.infer<typeof Flags>;

function commonOf(question: string, flags: Flags, id: string, around: Surroundings): AskCommon {
  return {
    question,
    id,
    signal: around.interruption(),
    media: mediaOf(flags.media, around),
    onMismatch: flags.onMismatch,
    mismatchNotice: flags.mismatchNotice,
    groupId: flags.group,
    timeoutSeconds: flags.timeout,
    channel: flags.channel,
    recipient: flags.recipient,
    audience: flags.audience,
    sensitive: flags.sensitive ? true : undefined,
    metadata: flags.metadata.length === 0 ? undefined : pairs(flags.metadata, "--metadata"),
  };
}

function formOf(common: AskCommon, flags: Flags, around: Surroundings): Ask {
  const schema = objectOf(flags.schema, around, "--schema");
  if (schema === undefined) throw usage("a form needs --schema");
  const given = objectOf(flags.data, around, "--data");
  const data = given === undefined ? {} : { data: given };
  // What stands inside `data` is the service's to judge, which names every fault in it.
  return { ...common, ...data, answerFormat: "form", schema, pages: pagesOf(flags.pages, around) };
}

async function answerOf(
  client: Client,
  common: AskCommon,
  flags: Flags,
  around: Surroundings,
): Promise<Json> {
  const options = flags.option.map(optionOf);
  switch (flags.format) {
    case "text":
      return client.askUser({ ...common, options: options.length === 0 ? undefined : options });
    case "confirm":
      return client.askUser({ ...common, answerFormat: "confirm" });
    case "select":
      return client.askUser({ ...common, answerFormat: "select", options });
    case "form":
      return z.json().parse(await client.askUser(formOf(common, flags, around)));
    case "external":
      return client.askExternal(flags.link, {
        ...common,
        schema: objectOf(flags.schema, around, "--schema"),
      });
  }
}

async function print(client: Client, context: Context, id: string, answer: Json): Promise<void> {
  context.terminal.say(answerText(answer));
  if (context.terminal.isJson) context.terminal.document(await client.result(id));
}

export function addAsk(program: Command, around: Surroundings): void {
  program
    .command("ask")
    .description("ask a person, wait, and print the answer; Ctrl-C cancels the question")
    .argument("<question>", "the question, or - to read it from standard input")
    .option("--format <format>", "text, confirm, select, form or external", "text")
    .option("--option <value[=label]>", "an option, or a suggested reply of a text (repeatable)", collect, [])
    .option("--schema <json|@file>", "the form's JSON Schema, or what an external payload must be")
    .option("--data <json|@file>", "the form's prefills and options")
    .option("--pages <json|@file>", "the form's pages")
    .option("--link <template>", "an external question's link, holding {callback_url}")
    .option("--id <id>", "ask again with the same id and content to come back to the same question")
    .option("--group <id>", "the group of questions that it belongs to")
    .option("--timeout <seconds>", "how long an answer is waited for")
    .option("--channel <name>", "slack, telegram, sms, whatsapp or one of your own")
    .option("--recipient <address>", "whom to ask on the channel")
    .option("--audience <subject>", "a subject or group:<name>: who may see and answer it")
    .option("--media <json|@file>", "pictures, files and links: a list of {kind, url, caption?, filename?}")
    .option(
      "--on-mismatch <policy>",
      "of a reply in a chat that does not fit: retry (say so) or bridge (to the route)",
    )
    .option("--mismatch-notice <text>", "what is said of such a reply; {reason} stands for the reason")
    .option("--metadata <name=value>", "opaque, shown with the question (repeatable)", collect, [])
    .option("--sensitive", "the answer is encrypted, shown once, and shredded")
    .action(async (given: string, _options: unknown, command: Command) => {
      await withClient(command, around, async (client, context) => {
        const flags = flagsOf(command, Flags);
        const question = given === "-" ? (await around.readInput()).trimEnd() : given;
        const id = flags.id ?? randomUUID();
        const common = commonOf(question, flags, id, around);
        await print(client, context, id, await answerOf(client, common, flags, around));
        // Printed is delivered; under an id of the caller's own it stays for another ask.
        if (flags.sensitive && flags.id === undefined) await client.acknowledge(id);
      });
    });
}
