import type { Route } from "./route.ts";

/** What composing is about: a service is a list of routes and a life. */
export interface Service {
  readonly name: string;
  readonly routes: readonly Route[];
  start(): Promise<void>;
  /** Stops taking work, finishes what it holds. */
  stop(): Promise<void>;
  /** Is it able to do its work? `degraded` says which part is away while the rest goes on. */
  health(): { status: "ok" | "degraded" | "down"; reason?: string };
}
