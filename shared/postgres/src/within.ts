import { ServiceFailure } from "@interlude/kernel";

/**
 * A deadline on this side of the connection: a server that is stopped or cut off neither answers nor
 * closes, and its statement timeout does not run.
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new ServiceFailure("database_unavailable", {
          retry: "later",
          message: `Postgres did not answer in ${ms} ms`,
        }),
      );
    }, ms);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
