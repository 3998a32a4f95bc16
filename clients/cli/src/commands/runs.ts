import type { Client, RunQuestion, RunStatus } from "@interlude/sdk";
import type { Command } from "commander";
import { z } from "zod";
import { runHistoryLine, runLine, runQuestionLine, runText } from "../describe-run.ts";
import type { Surroundings } from "../terminal.ts";
import { flagsOf, withClient } from "./context.ts";

const COLUMNS = 110;

const ListFlags = z.object({
  state: z.enum(["parked", "resuming", "resumed", "failed"]).optional(),
  driver: z.string().optional(),
  interaction: z.string().optional(),
  limit: z.coerce.number("must be a number").int().min(1),
});
const ShowFlags = z.object({
  park: z.string().optional(),
  limit: z.coerce.number("must be a number").int().min(1),
});

function addRunsList(runs: Command, around: Surroundings): void {
  runs
    .command("list")
    .description("list runs, newest first: one's own, and for operators everybody's")
    .option("--state <state>", "parked, resuming, resumed or failed")
    .option("--driver <name>", "only this driver's")
    .option("--interaction <id>", "only runs that are parked on this question")
    .option("--limit <count>", "at most so many", "50")
    .action(async (_options: unknown, command: Command) => {
      await withClient(command, around, async (client, { terminal }) => {
        const { state, driver, interaction, limit } = flagsOf(command, ListFlags);
        const items: RunStatus[] = [];
        let cursor: string | undefined;
        do {
          const page = await client.listRuns({ state, driver, interactionId: interaction, cursor });
          items.push(...page.items);
          cursor = page.nextCursor;
        } while (cursor !== undefined && items.length < limit);
        const goesOn = cursor !== undefined || items.length > limit;
        const shown = items.slice(0, limit);
        const nowMs = Date.now();
        for (const run of shown) terminal.say(runLine(run, around.columns ?? COLUMNS, nowMs));
        if (goesOn) terminal.note(`the first ${shown.length}; there are more (--limit)`);
        terminal.document({ items: shown, truncated: goesOn });
      });
    });
}

type Questions = { items: RunQuestion[]; truncated: boolean };

async function questionsOf(client: Client, run: RunStatus, limit: number): Promise<Questions> {
  const items: RunQuestion[] = [];
  // Those that are waited for first: they are what somebody can do something about.
  for (const state of ["waiting", "ended"] as const) {
    let cursor: string | undefined;
    do {
      const query = { state, parkId: run.parkId, cursor };
      const page = await client.runQuestions(run.driver, run.runId, query);
      items.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== undefined && items.length < limit);
    if (cursor !== undefined || items.length > limit) break;
  }
  const shown = items.slice(0, limit);
  return { items: shown, truncated: items.length > limit || shown.length < (run.total ?? shown.length) };
}

function addRunsShow(runs: Command, around: Surroundings): void {
  runs
    .command("show")
    .description("show one run: what it waits for, what has arrived, and what happened to it")
    .argument("<driver>")
    .argument("<run>")
    .option("--park <id>", "an older park of the run instead of its newest")
    .option("--limit <count>", "at most so many questions", "50")
    .action(async (driver: string, runId: string, _options: unknown, command: Command) => {
      await withClient(command, around, async (client, { terminal }) => {
        const { park, limit } = flagsOf(command, ShowFlags);
        const run = await client.getRun(driver, runId, park);
        const [questions, history] = [
          await questionsOf(client, run, limit),
          await client.runHistory(driver, runId),
        ];
        terminal.say(runText(run));
        const columns = around.columns ?? COLUMNS;
        if (questions.items.length > 0) terminal.say("questions:");
        for (const question of questions.items) terminal.say(runQuestionLine(question, columns));
        if (questions.truncated)
          terminal.note(`${questions.items.length} of ${run.total ?? 0} questions (--limit)`);
        terminal.say("history:");
        for (const entry of history.items) terminal.say(`  ${runHistoryLine(entry)}`);
        terminal.document({ ...run, questions, history });
      });
    });
}

function addRunsReplay(runs: Command, around: Surroundings): void {
  runs
    .command("replay")
    .description("let a resume that has failed be tried again, with all its attempts before it")
    .argument("<driver>")
    .argument("<run>")
    .action(async (driver: string, runId: string, _options: unknown, command: Command) => {
      await withClient(command, around, async (client, { terminal }) => {
        const run = await client.replayRun(driver, runId);
        terminal.say(`${run.state}: a worker of the driver may go on with it`);
        terminal.document(run);
      });
    });
}

export function addRuns(program: Command, around: Surroundings): void {
  const runs = program.command("runs").description("list, show and replay runs that wait for people");
  addRunsList(runs, around);
  addRunsShow(runs, around);
  addRunsReplay(runs, around);
}
