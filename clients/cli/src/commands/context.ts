import type { Client } from "@interlude/sdk";
import type { Command } from "commander";
import { z } from "zod";
import { openClient } from "../connection.ts";
import { usage } from "../exit-code.ts";
import { type Surroundings, Terminal } from "../terminal.ts";

const Flags = z.object({
  url: z.string().exactOptional(),
  key: z.string().exactOptional(),
  retrySeconds: z.coerce.number().min(0).exactOptional(),
});

export type Context = Readonly<{ around: Surroundings; terminal: Terminal }>;

export function contextOf(command: Command, around: Surroundings): Context {
  const isJson = command.optsWithGlobals()["json"] === true;
  return { around, terminal: new Terminal(around, isJson) };
}

/** The command's own flags, checked; a flag that does not parse is a fault of the command line. */
export function flagsOf<T>(command: Command, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(command.opts());
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `--${issue.path.join(".")}: ${issue.message}`);
  throw usage(faults.join("; "));
}

export async function withClient(
  command: Command,
  around: Surroundings,
  act: (client: Client, context: Context) => Promise<void>,
): Promise<void> {
  const context = contextOf(command, around);
  const flags = Flags.safeParse(command.optsWithGlobals());
  if (!flags.success) throw usage("--retry-seconds takes a number");
  const client = openClient(flags.data, around, context.terminal);
  try {
    await act(client, context);
  } finally {
    await client.close();
  }
}

/** For flags that may be given several times. */
export function collect(value: string, before: string[]): string[] {
  return [...before, value];
}
