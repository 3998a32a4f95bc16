import { ServiceFailure, within as withinMs } from "@interlude/kernel";

/**
 * A deadline on this side of the connection: a server that is stopped or cut off neither answers nor
 * closes, and its statement timeout does not run.
 */
export function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const message = `Postgres did not answer in ${ms} ms`;
  return withinMs(ms, work, () => new ServiceFailure("database_unavailable", { retry: "later", message }));
}
