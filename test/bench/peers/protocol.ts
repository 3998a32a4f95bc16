import { z } from "zod";

/** Which contender a process is, and what it stands on. */
export const Contestant = z.discriminatedUnion("name", [
  z.object({ name: z.literal("interlude"), url: z.string(), apiKey: z.string() }),
  z.object({ name: z.literal("dbos"), databaseUrl: z.string() }),
  z.object({ name: z.literal("langgraph"), databaseUrl: z.string() }),
  z.object({ name: z.literal("graphile-worker"), databaseUrl: z.string() }),
  z.object({ name: z.literal("restate"), program: z.string(), folder: z.string() }),
]);
export type Contestant = z.infer<typeof Contestant>;

/** What such a process is told to do, one thing at a time. */
export const Command = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("latency"), callers: z.number(), waves: z.number() }),
  z.object({ kind: z.literal("rate"), callers: z.number(), seconds: z.number() }),
  z.object({ kind: z.literal("hold"), runs: z.number() }),
]);
export type Command = z.infer<typeof Command>;

export const Reply = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready"), serverPid: z.number().optional() }),
  z.object({ kind: z.literal("done"), value: z.number() }),
  z.object({ kind: z.literal("failed"), message: z.string() }),
]);
export type Reply = z.infer<typeof Reply>;
