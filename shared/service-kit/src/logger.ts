import { pino } from "pino";

/** Structured lines: a constant message, and fields. Never a secret, an answer or a ticket. */
export interface Logger {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

export function createLogger(options: { service: string; level: string }): Logger {
  const base = pino({ level: options.level, base: { service: options.service } });
  const write =
    (level: "info" | "warn" | "error") =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      base[level](fields, message);
    };
  return { info: write("info"), warn: write("warn"), error: write("error") };
}

/** For tests that read what was logged. */
export function recordingLogger(): Logger & { lines: { level: string; message: string; fields: unknown }[] } {
  const lines: { level: string; message: string; fields: unknown }[] = [];
  const write =
    (level: string) =>
    (message: string, fields: unknown = {}) => {
      lines.push({ level, message, fields });
    };
  return { lines, info: write("info"), warn: write("warn"), error: write("error") };
}
