import type { Command } from "commander";
import { z } from "zod";
import { answerFor, pairs } from "../answer-value.ts";
import { safeLine } from "../safe-text.ts";
import type { Surroundings } from "../terminal.ts";
import { collect, flagsOf, withClient } from "./context.ts";

const AnswerFlags = z.object({ field: z.array(z.string()), param: z.array(z.string()) });

/** A final line break is the shell's, not the answer's. */
function withoutFinalBreak(text: string): string {
  return text.replace(/\r?\n$/, "");
}

export function addAnswer(program: Command, around: Surroundings): void {
  program
    .command("answer")
    .description("answer a question")
    .argument("<id>")
    .argument("[value]", "yes or no; an option or its number; a form as JSON; - reads it from standard input")
    .option("--field <name=value>", "one field of a form, typed by its schema (repeatable)", collect, [])
    .option("--param <name=value>", "said beside the answer, such as comment=… (repeatable)", collect, [])
    .action(async (id: string, value: string | undefined, _options: unknown, command: Command) => {
      await withClient(command, around, async (client, { terminal }) => {
        const flags = flagsOf(command, AnswerFlags);
        const text = value === "-" ? withoutFinalBreak(await around.readInput()) : value;
        const answer = answerFor(await client.get(id), text, flags.field);
        const params = flags.param.length === 0 ? undefined : pairs(flags.param, "--param");
        const answered = await client.answer(id, answer, { params });
        terminal.say(`answered by ${safeLine(answered.answeredBy)}`);
        terminal.document(answered);
      });
    });
}

export function addCancel(program: Command, around: Surroundings): void {
  program
    .command("cancel")
    .description("cancel a question of one's own")
    .argument("<id>")
    .option("--reason <text>", "told to the program that asked")
    .action(async (id: string, _options: unknown, command: Command) => {
      await withClient(command, around, async (client, { terminal }) => {
        const { reason } = flagsOf(command, z.object({ reason: z.string().optional() }));
        const cancelled = await client.cancel(id, { reason });
        terminal.say(cancelled.status);
        terminal.document(cancelled);
      });
    });
}
