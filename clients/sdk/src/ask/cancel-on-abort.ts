import { InterludeError } from "../errors.ts";
import { onAbort } from "../http/on-abort.ts";
import { pause, reasonOf, scope } from "../http/pause.ts";
import { exchange, interactionPath, type Session } from "../session.ts";

const GIVE_UP_MS = 10_000;
const LOOK_AGAIN_MS = 50;

type Asking = { settled: boolean };

async function cancelOnce(session: Session, id: string, signal: AbortSignal): Promise<number> {
  const reply = await exchange(
    session,
    {
      method: "POST",
      path: interactionPath(id, "/cancel"),
      body: JSON.stringify({ reason: "the asking program gave it up" }),
    },
    { signal, untilMs: Date.now() + GIVE_UP_MS },
  );
  return reply.status;
}

/**
 * Cancels a question that may not have arrived yet: "unknown" counts only once the asking request is over, since
 * until then it may still be stored. Best effort beyond ten seconds; the question then ends at its deadline.
 */
async function withdraw(session: Session, id: string, asking: Asking): Promise<void> {
  const bounds = scope(session.closing);
  const timer = setTimeout(() => {
    bounds.abort(
      new InterludeError({ code: "unreachable", detail: "the question could not be cancelled in time" }),
    );
  }, GIVE_UP_MS);
  try {
    for (;;) {
      const wasSettled = asking.settled;
      if ((await cancelOnce(session, id, bounds.signal)) !== 404 || wasSettled) return;
      await pause(LOOK_AGAIN_MS, bounds.signal);
    }
  } catch {
    // The caller gets the reason for which it aborted, not what became of the attempt to tidy up.
  } finally {
    clearTimeout(timer);
    bounds.release();
  }
}

/**
 * Runs `ask` and, when the caller's signal is aborted, cancels the question before rejecting with the signal's
 * reason. The asking request itself is left to finish meanwhile: cutting it off would leave open whether a
 * question that nobody waits for is on its way.
 */
export async function cancelOnAbort<T>(
  session: Session,
  id: string,
  signal: AbortSignal | undefined,
  ask: (inner: AbortSignal) => Promise<T>,
): Promise<T> {
  const inner = new AbortController();
  if (signal === undefined) return ask(inner.signal);
  signal.throwIfAborted();
  const asking: Asking = { settled: false };
  let takeBack = (): void => undefined;
  const aborted = new Promise<"aborted">((resolve) => {
    takeBack = onAbort(signal, () => {
      resolve("aborted");
    });
  });
  const work = ask(inner.signal).finally(() => {
    asking.settled = true;
  });
  try {
    const first = await Promise.race([work.then((value) => ({ value })), aborted]);
    if (first !== "aborted") return first.value;
    work.catch(() => undefined);
    await withdraw(session.owner ?? session, id, asking);
    signal.throwIfAborted();
    throw reasonOf(signal);
  } finally {
    takeBack();
    inner.abort();
  }
}
