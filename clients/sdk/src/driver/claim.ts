import { isJson } from "../json.ts";
import {
  count,
  type Fields,
  fieldsOf,
  list,
  oneOf,
  optionalText,
  present,
  text,
  textRecord,
  texts,
} from "../wire/fields.ts";
import type { Resolution, Resumption, Turn, TurnMedia } from "./driver.ts";

type AnyClaim = Readonly<{ claimId: string; fencing: number; leaseSeconds: number; token: string }>;

/** The resolutions themselves, or where their pages are. */
export type Continuation = Readonly<{
  runId: string;
  parkId: string;
  identity: Resumption["identity"];
  resolutions?: readonly Resolution[] | undefined;
  resolutionsUrl?: string | undefined;
}>;

/** What a worker was given to do, for as long as its lease holds. */
export type Claim =
  | (AnyClaim & Readonly<{ kind: "resume"; continuation: Continuation }>)
  | (AnyClaim & Readonly<{ kind: "turn"; turn: Turn }>);

const ENDS = ["answered", "expired", "cancelled", "failed"] as const;

export function resolutionOf(value: unknown): Resolution {
  const fields = fieldsOf(value, "resolution");
  const answer = fields["answer"];
  return present({
    interactionId: text(fields, "interaction_id"),
    status: oneOf(fields, "status", ENDS),
    answer: isJson(answer) ? answer : undefined,
    params: textRecord(fields, "params"),
    reason: optionalText(fields, "reason"),
    answeredBy: optionalText(fields, "answered_by"),
    at: text(fields, "at"),
  });
}

function continuationOf(value: unknown): Continuation {
  const fields = fieldsOf(value, "continuation");
  const identity = fieldsOf(fields["identity"], "identity");
  return present({
    runId: text(fields, "run_id"),
    parkId: text(fields, "park_id"),
    identity: { subject: text(identity, "subject"), groups: texts(identity, "groups") },
    resolutions:
      fields["resolutions"] === undefined ? undefined : list(fields, "resolutions").map(resolutionOf),
    resolutionsUrl: optionalText(fields, "resolutions_url"),
  });
}

function turnMediaOf(value: unknown): TurnMedia {
  const fields = fieldsOf(value, "media");
  return present({
    kind: text(fields, "kind"),
    url: optionalText(fields, "url"),
    id: optionalText(fields, "id"),
    contentType: optionalText(fields, "content_type"),
  });
}

function turnOf(value: unknown): Turn {
  const fields: Fields = fieldsOf(value, "turn");
  return present({
    turnId: text(fields, "turn_id"),
    runId: text(fields, "run_id"),
    channel: text(fields, "channel"),
    thread: text(fields, "thread"),
    from: text(fields, "from"),
    text: text(fields, "text"),
    params: textRecord(fields, "params"),
    media: fields["media"] === undefined ? undefined : list(fields, "media").map(turnMediaOf),
    at: text(fields, "at"),
  });
}

export function claimOf(value: unknown): Claim {
  const fields = fieldsOf(value, "claim");
  const common = {
    claimId: text(fields, "claim_id"),
    fencing: count(fields, "fencing"),
    leaseSeconds: count(fields, "lease_seconds"),
    token: text(fields, "token"),
  };
  const kind = oneOf(fields, "kind", ["resume", "turn"]);
  return kind === "turn"
    ? { ...common, kind, turn: turnOf(fields["turn"]) }
    : { ...common, kind, continuation: continuationOf(fields["continuation"]) };
}

export function runOf(claim: Claim): string {
  return claim.kind === "turn" ? claim.turn.runId : claim.continuation.runId;
}
