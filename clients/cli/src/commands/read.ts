import type { Item } from "@interlude/sdk";
import type { Command } from "commander";
import { z } from "zod";
import { itemLine, itemText } from "../describe-item.ts";
import { safeLine } from "../safe-text.ts";
import type { Surroundings } from "../terminal.ts";
import { flagsOf, withClient } from "./context.ts";

const ListFlags = z.object({
  status: z.enum(["pending", "answered", "expired", "cancelled", "failed", "all"]).optional(),
  format: z.enum(["text", "confirm", "select", "form", "external"]).optional(),
  channel: z.string().optional(),
  group: z.string().optional(),
  audience: z.string().optional(),
  asker: z.string().optional(),
  search: z.string().optional(),
  sort: z.enum(["created_at", "-created_at", "deadline"]).optional(),
  limit: z.coerce.number("must be a number").int().min(1),
});

const PAGE_MAX = 200;
const COLUMNS = 110;

export function addList(program: Command, around: Surroundings): void {
  program
    .command("list")
    .description("list questions: those waiting for an answer, unless --status says otherwise")
    .option("--status <status>", "pending, answered, expired, cancelled, failed or all")
    .option("--format <format>", "only this answer format")
    .option("--channel <name>", "only questions asked over this channel")
    .option("--group <id>", "only this group")
    .option("--audience <subject>", "only this audience")
    .option("--asker <subject>", "only this asker's")
    .option("--search <text>", "only questions with these words")
    .option("--sort <order>", "created_at, -created_at or deadline")
    .option("--limit <count>", "at most so many", "50")
    .action(async (_options: unknown, command: Command) => {
      await withClient(command, around, async (client, { terminal }) => {
        const { format, group, search, limit, ...filter } = flagsOf(command, ListFlags);
        const query = {
          ...filter,
          answerFormat: format,
          groupId: group,
          q: search,
          pageSize: Math.min(limit, PAGE_MAX),
        };
        const items: Item[] = [];
        let [total, truncated] = [0, false];
        for await (const page of client.pages(query)) {
          items.push(...page.items.slice(0, limit - items.length));
          ({ total, truncated } = page);
          if (items.length >= limit) break;
        }
        const nowMs = Date.now();
        for (const item of items) terminal.say(itemLine(item, around.columns ?? COLUMNS, nowMs));
        if (items.length < total) terminal.note(`${items.length} of ${total}${truncated ? " or more" : ""}`);
        terminal.document({ items, total, truncated });
      });
    });
}

export function addShow(program: Command, around: Surroundings): void {
  program
    .command("show")
    .description("show one question, and with --events its history")
    .argument("<id>")
    .option("--events", "its history, oldest first")
    .action(async (id: string, _options: unknown, command: Command) => {
      await withClient(command, around, async (client, { terminal }) => {
        const item = await client.get(id);
        const wantsEvents = flagsOf(command, z.object({ events: z.boolean().default(false) })).events;
        const history = wantsEvents ? { items: await client.events(id) } : undefined;
        terminal.say(itemText(item));
        for (const { at, type, status, answeredBy } of history?.items ?? []) {
          const by = answeredBy === undefined ? "" : ` by ${answeredBy}`;
          terminal.say(safeLine(`${at}  ${type}  ${status}${by}`));
        }
        terminal.document(history === undefined ? item : { item, items: history.items });
      });
    });
}
