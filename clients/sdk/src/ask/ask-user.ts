import { InterludeError, invalid } from "../errors.ts";
import { call, interactionPath, type Session } from "../session.ts";
import { parsedBy } from "../standard-schema.ts";
import { fieldsOf, text } from "../wire/fields.ts";
import type { AskCommon, AskExternal, Reservation } from "./ask.ts";
import { ASK_FIELDS, contractBody, jsonText } from "./ask-body.ts";
import { askUntilEnded } from "./await-end.ts";
import { cancelOnAbort } from "./cancel-on-abort.ts";
import { freshId } from "./fresh-id.ts";

/** Fields of an ask that are this client's business, or are put into the body by hand. */
const OWN = ["id", "signal", "reservation"];
const ACKNOWLEDGE_MS = 5_000;

function refuseAsync(ask: AskCommon): void {
  if (ask.mode !== "async") return;
  throw new InterludeError({
    code: "validation_failed",
    detail:
      "An async question belongs to a durable run: its answer comes to the run's driver, not to this call",
    errors: [
      { path: "/mode", message: "async needs a run; ask with mode sync, or from inside a driver's run" },
    ],
  });
}

/** Tells the service that the answer has arrived, so that it can be shredded now instead of in a day. */
export async function acknowledge(session: Session, id: string, untilMs?: number): Promise<void> {
  await call(session, { method: "DELETE", path: interactionPath(id, "/result") }, { untilMs });
}

async function acknowledgeQuietly(session: Session, id: string): Promise<void> {
  try {
    await acknowledge(session, id, Date.now() + ACKNOWLEDGE_MS);
  } catch {
    // The service shreds it by itself within a day; the answer in hand is worth more than this.
  }
}

async function run(
  session: Session,
  ask: AskCommon,
  body: object,
  id: string,
  schema: unknown,
): Promise<unknown> {
  const prepared = {
    id,
    body: jsonText({ id, ...body }),
    overChannel: ask.channel !== undefined,
    timeoutSeconds: ask.timeoutSeconds,
  };
  const answered = await cancelOnAbort(session, id, ask.signal, (signal) =>
    askUntilEnded(session, prepared, signal),
  );
  const answer = await parsedBy(schema, answered.answer, id);
  // Whoever named the question may come back for its answer after a crash; otherwise nobody can.
  if (ask.sensitive === true && ask.id === undefined) await acknowledgeQuietly(session, id);
  return answer;
}

export async function askUser(
  session: Session,
  ask: AskCommon & { readonly schema?: unknown },
): Promise<unknown> {
  refuseAsync(ask);
  const body = contractBody(ask, ASK_FIELDS, OWN);
  return run(session, ask, body, ask.id ?? freshId(), ask.schema);
}

export async function reserve(session: Session, signal?: AbortSignal): Promise<Reservation> {
  const request = { method: "POST", path: "api/interactions/reservations", body: "{}" } as const;
  const reply = await call(session, request, { signal });
  const fields = fieldsOf(reply.body, "reservation");
  return {
    interactionId: text(fields, "interaction_id"),
    callbackUrl: text(fields, "callback_url"),
    expiresAt: text(fields, "expires_at"),
  };
}

export type LinkMaker = string | ((callbackUrl: string) => string | Promise<string>);

/**
 * A template is filled by the service. A function gets a reserved callback address first, and what it throws goes
 * to the caller: a reservation stores nothing, so nothing has been asked then.
 */
export async function askExternal(
  session: Session,
  link: LinkMaker | undefined,
  ask: AskExternal,
): Promise<unknown> {
  refuseAsync(ask);
  const body = { ...contractBody(ask, ASK_FIELDS, OWN), answer_format: "external" };
  if (typeof link !== "function") {
    if (ask.reservation !== undefined) throw invalid("/reservation", "needs a function that makes the link");
    const linked = link === undefined ? body : { ...body, link };
    return run(session, ask, linked, ask.id ?? freshId(), ask.schema);
  }
  if (ask.id !== undefined) {
    throw invalid(
      "/id",
      "is the reservation's where a function makes the link; keep the reservation instead",
    );
  }
  const reservation = ask.reservation ?? (await reserve(session, ask.signal));
  const made = await link(reservation.callbackUrl);
  const named = ask.reservation === undefined ? ask : { ...ask, id: reservation.interactionId };
  return run(session, named, { ...body, link: made }, reservation.interactionId, ask.schema);
}
