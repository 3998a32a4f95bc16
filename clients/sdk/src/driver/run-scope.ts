import type { AskCommon, AskExternal } from "../ask/ask.ts";
import { askExternal, askUser, type LinkMaker, reserve } from "../ask/ask-user.ts";
import { invalid } from "../errors.ts";
import { scope as signalScope } from "../http/pause.ts";
import type { Suspended, SuspendedRun } from "../suspended.ts";
import { uploadMedia } from "../writing.ts";
import { derivedId } from "./ask-ids.ts";
import { type Belonging, collectAsks } from "./collected-asks.ts";
import { commitPark, type Committing } from "./commit-park.ts";
import type { InRun, Run } from "./driver.ts";

type AnyAsk = InRun<AskCommon> & { readonly schema?: unknown };
type AnyExternal = InRun<AskExternal>;

export type RunScope = Readonly<{
  run: Run;
  /** Parks the run if anything was asked for later. */
  end(check?: (ids: readonly string[]) => void): Promise<SuspendedRun | undefined>;
}>;

export function openRunScope(to: Committing, seed?: string): RunScope {
  const { driver, runId, session, signal } = to;
  const belonging: Belonging = { driver, runId, seed };
  const collected = collectAsks(belonging);

  const askNow = async <A extends InRun<AskCommon>>(
    ask: A,
    work: (prepared: A) => Promise<unknown>,
  ): Promise<unknown> => {
    if (ask.key !== undefined && ask.id !== undefined) throw invalid("/key", "is instead of an id");
    const id = ask.key === undefined ? ask.id : await derivedId("key", driver, runId, ask.key);
    // Whoever must not go on with the run must not wait for its answers either.
    const either = signalScope(signal, ask.signal);
    try {
      return await work({ ...ask, key: undefined, id, signal: either.signal });
    } finally {
      either.release();
    }
  };

  const run = {
    runId,
    signal,
    askUser: (ask: AnyAsk) =>
      ask.mode === "async" ? collected.add(ask) : askNow(ask, (prepared) => askUser(session, prepared)),
    askExternal: (link: LinkMaker | undefined, ask: AnyExternal) =>
      ask.mode === "async"
        ? askExternalLater(link, ask)
        : askNow(ask, (prepared) => askExternal(session, link, prepared)),
    uploadMedia: (bytes: Parameters<Run["uploadMedia"]>[0], options?: { contentType?: string | undefined }) =>
      uploadMedia(session, bytes, options?.contentType),
  };

  const askExternalLater = async (link: LinkMaker | undefined, ask: AnyExternal): Promise<Suspended> => {
    if (typeof link !== "function") {
      if (ask.reservation !== undefined)
        throw invalid("/reservation", "needs a function that makes the link");
      return collected.add(ask, { answer_format: "external", ...(link === undefined ? {} : { link }) });
    }
    if (ask.id !== undefined || ask.key !== undefined) {
      const path = ask.id === undefined ? "/key" : "/id";
      throw invalid(
        path,
        "is the reservation's where a function makes the link; keep the reservation instead",
      );
    }
    const reservation = ask.reservation ?? (await reserve(session, signal));
    const made = await link(reservation.callbackUrl);
    const named = ask.reservation === undefined ? ask : { ...ask, id: reservation.interactionId };
    return collected.add(named, { answer_format: "external", link: made }, reservation.interactionId);
  };

  return {
    // As in the client: an answer of a format has its type.
    run: run as never,
    async end(check) {
      const asks = await collected.close();
      if (asks.length === 0) return undefined;
      check?.(asks.map(({ id }) => id));
      return commitPark(to, asks);
    },
  };
}
