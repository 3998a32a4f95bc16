import { z } from "zod";

/** What an operator may tune, with the contract's defaults; also read as `INTERLUDE_<UPPER_SNAKE>`. */
export const Settings = z.strictObject({
  answer_timeout_seconds: z.coerce.number().min(0.1).max(2_592_000).default(3_600),
  max_concurrent: z.coerce.number().int().min(0).default(1_000),
  max_streams: z.coerce.number().int().min(0).default(20),
  max_waits: z.coerce.number().int().min(0).default(1_000),
  max_parked: z.coerce.number().int().min(0).default(1_000_000),
  max_queued: z.coerce.number().int().min(1).default(20),
  delivery_attempts: z.coerce.number().int().min(1).default(3),
  delivery_backoff_seconds: z.coerce.number().min(0).default(1),
  retention_days: z.coerce.number().int().min(0).default(90),
  inbound_retention_days: z.coerce.number().int().min(1).default(30),
  sse_keepalive_seconds: z.coerce.number().min(0.1).max(15).default(15),
  sse_resume_window: z.coerce.number().int().min(0).default(100_000),
  remembered_questions_mb: z.coerce.number().min(0).default(32),
  callback_rate_per_minute: z.coerce.number().int().min(1).default(60),
  resume_lease_seconds: z.coerce.number().int().min(1).default(60),
  resume_attempts: z.coerce.number().int().min(1).default(10),
  remote_media: z.enum(["load", "ask", "never"]).default("load"),
  page_language: z.string().default("en"),
});
export type Settings = Readonly<z.infer<typeof Settings>>;

/** File first, then the environment over it. @throws ZodError naming every setting that is wrong. */
export function readSettings(
  file: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): Settings {
  const merged: Record<string, unknown> = { ...file };
  for (const name of Object.keys(Settings.shape)) {
    const value = environment[`INTERLUDE_${name.toUpperCase()}`];
    if (value !== undefined && value !== "") merged[name] = value;
  }
  return Settings.parse(merged);
}
