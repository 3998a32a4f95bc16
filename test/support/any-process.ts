type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Sends to whichever of these processes is there, as a load balancer does. */
export function toAnyProcess(urls: readonly string[]): Fetch {
  let turn = process.pid;
  return async (url, init) => {
    const { pathname, search } = new URL(url);
    let refusal: unknown;
    for (let tries = 0; tries < urls.length; tries += 1) {
      try {
        return await fetch(`${urls[turn++ % urls.length] ?? ""}${pathname}${search}`, init);
      } catch (error) {
        if (!isRefused(error)) throw error;
        refusal = error;
      }
    }
    throw refusal;
  };
}

/** Nobody listens there: nothing of the request has arrived. */
function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";
}
