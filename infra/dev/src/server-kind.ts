import type { Launch } from "./program.ts";

/** What one sort of server needs to be run by this library; everything else is the same for all. */
export interface ServerKind {
  readonly name: "nats" | "postgres" | "redis";
  /** Everything the server keeps on disk. */
  readonly folder: string;
  /** Fast and orderly; the server's own way to end well. */
  readonly stopSignal: NodeJS.Signals;
  /** Ends without tidying up, for the moment nobody is left to wait. */
  readonly dropSignal: NodeJS.Signals;
  /** Prepares the data (once) and says how the server is started on that port. */
  prepare(port: number, serverName: string): Promise<Launch>;
  /** True when the server that was started so takes work; another server on that port does not count. */
  answers(server: { pid: number; port: number; serverName: string }): Promise<boolean>;
  /** A living process that uses this folder, found by what the server itself left there. */
  strayPid(): number | undefined;
  /** A refusal to start that goes away by itself, such as a predecessor's children still ending. */
  isPassing(log: string): boolean;
  url(port: number): string;
  /** Removes what the stopped server left outside its folder. */
  tidyUp(): void;
}
