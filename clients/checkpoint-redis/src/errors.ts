export type CheckpointErrorCode =
  /** The configuration names no thread or checkpoint, or names it by something that is no text. */
  | "config_invalid"
  /** The server is too old, a cluster, or may evict what it was given to keep. */
  | "server_unfit"
  /** The server did not answer in time; whether it did what it was told is not known. */
  | "server_away"
  /** The server or the client answered with something that this package did not store. */
  | "record_unreadable";

/** What this package refuses by itself; what Redis refuses is thrown as the client throws it. */
export class CheckpointError extends Error {
  override readonly name = "CheckpointError";
  readonly code: CheckpointErrorCode;

  constructor(code: CheckpointErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
