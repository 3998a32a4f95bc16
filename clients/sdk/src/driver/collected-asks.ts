import type { AskCommon } from "../ask/ask.ts";
import { ASK_FIELDS, contractBody, jsonText } from "../ask/ask-body.ts";
import { freshId } from "../ask/fresh-id.ts";
import { InterludeError, invalid } from "../errors.ts";
import { Suspended } from "../suspended.ts";
import { derivedId } from "./ask-ids.ts";
import type { InRun } from "./driver.ts";

/** An async question that is to be stored once its run's function has returned. */
export type CollectedAsk = Readonly<{
  id: string;
  /** Whether the id would be the same if all of this happened again. */
  isNamed: boolean;
  body: string;
  expiryMs: number;
  expiryAt: string;
  overChannel: boolean;
}>;

/** Where a question belongs; `seed` is there when the same function may run again for the same reason. */
export type Belonging = Readonly<{ driver: string; runId: string; seed?: string | undefined }>;

const OWN = ["id", "key", "signal", "reservation"];
const WITH_OFFSET = /(?:[Zz]|[+-]\d\d:\d\d)$/;

function deadlineOf(expiryAt: Date | string | undefined): { expiryMs: number; expiryAt: string } {
  if (expiryAt === undefined)
    throw invalid("/expiry_at", "is required: a run that waits without an end never ends");
  const ms = expiryAt instanceof Date ? expiryAt.getTime() : Date.parse(expiryAt);
  const isSaid = expiryAt instanceof Date || WITH_OFFSET.test(expiryAt);
  if (Number.isNaN(ms) || !isSaid) throw invalid("/expiry_at", "must be a date, or RFC 3339 with an offset");
  return { expiryMs: ms, expiryAt: new Date(ms).toISOString() };
}

function refuseWhatOnlyASyncAskHas(ask: AskCommon): void {
  if (ask.timeoutSeconds !== undefined)
    throw invalid("/timeout_seconds", "is for sync; async ends at expiry_at");
  if (ask.signal !== undefined)
    throw invalid("/signal", "is for sync; an async question is cancelled by its id");
}

/** The asks of one scope, each with an id of its own. */
export type CollectedAsks = Readonly<{
  add(ask: InRun<AskCommon>, extra?: object, id?: string): Promise<Suspended>;
  /** Takes no more from now on. */
  close(): Promise<readonly CollectedAsk[]>;
}>;

export function collectAsks(belonging: Belonging): CollectedAsks {
  const collected: Promise<CollectedAsk | undefined>[] = [];
  const seen = new Map<string, number>();
  let isClosed = false;

  const idOf = (ask: InRun<AskCommon>, content: string): Promise<string> | string => {
    const { driver, runId, seed } = belonging;
    if (ask.id !== undefined && ask.key !== undefined) throw invalid("/key", "is instead of an id");
    if (ask.id !== undefined) return ask.id;
    if (ask.key !== undefined) return derivedId("key", driver, runId, ask.key);
    if (seed === undefined) return freshId();
    const nth = (seen.get(content) ?? 0) + 1;
    seen.set(content, nth);
    return derivedId("content", driver, runId, seed, nth, content);
  };

  return {
    async add(ask, extra = {}, id) {
      if (isClosed) throw scopeEnded();
      refuseWhatOnlyASyncAskHas(ask);
      const deadline = deadlineOf(ask.expiryAt);
      const run = { driver: belonging.driver, run_id: belonging.runId };
      const body = { ...contractBody(ask, ASK_FIELDS, OWN), ...extra, run };
      const given = id ?? idOf(ask, jsonText(body));
      const isDerived = id === undefined && belonging.seed !== undefined;
      const isNamed = ask.id !== undefined || ask.key !== undefined || isDerived;
      const whole = (named: string): CollectedAsk => ({
        id: named,
        isNamed,
        body: jsonText({ id: named, ...body }),
        ...deadline,
        overChannel: ask.channel !== undefined,
      });
      const work = Promise.resolve(given).then(whole);
      // A fault is its caller's to know, who may go on without this question.
      collected.push(work.catch(() => undefined));
      return new Suspended((await work).id, deadline.expiryAt);
    },
    async close() {
      isClosed = true;
      return distinct((await Promise.all(collected)).filter((ask) => ask !== undefined));
    },
  };
}

/** The same question twice is one question. */
function distinct(asks: readonly CollectedAsk[]): readonly CollectedAsk[] {
  const byId = new Map<string, CollectedAsk>();
  for (const ask of asks) {
    const known = byId.get(ask.id);
    if (known !== undefined && known.body !== ask.body) {
      throw new InterludeError({
        code: "idempotency_conflict",
        detail: "Two questions of this run were given the same id or key",
        interactionId: ask.id,
      });
    }
    byId.set(ask.id, ask);
  }
  return [...byId.values()];
}

function scopeEnded(): InterludeError {
  return new InterludeError({
    code: "closed",
    detail: "The function that was given this run has returned: await every ask inside of it",
  });
}
