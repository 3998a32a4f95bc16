/** Everything that can break outside the domain. `docs/errors.md` lists exactly these. */
export const FAILURE_CODES = [
  "append_contended",
  "log_unavailable",
  "log_full",
  "log_unfit",
  "database_unavailable",
  "database_unfit",
  "object_missing",
  "clock_unknown",
  "event_unreadable",
  "secret_missing",
  "identity_provider_unavailable",
  "configuration_invalid",
  "server_unobtainable",
  "server_failed",
  "port_taken",
  "disk_full",
  "home_damaged",
  "invariant_broken",
] as const;

export type FailureCode = (typeof FAILURE_CODES)[number];

export type FailureOptions = {
  retry: "later" | "never";
  context?: Readonly<Record<string, string | number>>;
  cause?: unknown;
  message?: string;
};

/** Something broke; a refusal is not a failure. `retry` is what the consumer loop acts on. */
export class ServiceFailure extends Error {
  override readonly name = "ServiceFailure";
  readonly code: FailureCode;
  readonly retry: "later" | "never";
  readonly context: Readonly<Record<string, string | number>>;

  constructor(code: FailureCode, options: FailureOptions) {
    super(options.message ?? code, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.retry = options.retry;
    this.context = options.context ?? {};
  }
}

/** The place where a failure becomes a JetStream verdict. */
export function settle(
  message: { nak(delayMs?: number): void; term(reason?: string): void },
  error: unknown,
): void {
  if (error instanceof ServiceFailure && error.retry === "never") message.term(error.code);
  else message.nak(5_000);
}
