import type { StreamFrame } from "@interlude/sdk";
import type { Command } from "commander";
import { z } from "zod";
import { itemLine } from "../describe-item.ts";
import { safeLine } from "../safe-text.ts";
import type { Surroundings } from "../terminal.ts";
import { flagsOf, withClient } from "./context.ts";

const COLUMNS = 110;
const Flags = z.object({
  lastEventId: z.string().optional(),
  count: z.coerce.number().int().min(1).optional(),
});

function frameLine(frame: StreamFrame, columns: number): string {
  if (frame.type === "add") return `+ ${itemLine(frame.item, columns - 2, Date.now())}`;
  const by = frame.answeredBy === undefined ? "" : ` by ${frame.answeredBy}`;
  return `- ${safeLine(`${frame.interactionId}  ${frame.status}${by}`)}`;
}

export function addStream(program: Command, around: Surroundings): void {
  program
    .command("stream")
    .description("follow questions as they come and go, until Ctrl-C; with --json one document a line")
    .option("--last-event-id <id>", "begin after this frame instead of now")
    .option("--count <frames>", "end after so many frames")
    .action(async (_options: unknown, command: Command) => {
      await withClient(command, around, async (client, { terminal }) => {
        const { lastEventId, count } = flagsOf(command, Flags);
        let seen = 0;
        for await (const frame of client.stream({ lastEventId, signal: around.interruption() })) {
          terminal.say(frameLine(frame, around.columns ?? COLUMNS));
          terminal.document(frame);
          seen += 1;
          if (seen === count) break;
        }
      });
    });
}
