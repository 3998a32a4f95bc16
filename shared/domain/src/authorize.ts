import type { AskedData, RunName } from "@interlude/contract";

export const ROLES = ["asker", "answerer", "operator"] as const;
export type Role = (typeof ROLES)[number];

/** Who acts: a person or program with a credential, or the holder of a question's ticket. */
export type Actor =
  | {
      kind: "subject";
      subject: string;
      roles: readonly Role[];
      groups: readonly string[];
      /** The run that its credential, a claim's token, is good for alone. */
      run?: RunName;
    }
  | { kind: "anonymous" }
  | { kind: "ticket"; interactionId: string };

export type Action = "see" | "answer" | "cancel" | "read_result";

/** What a question tells of who may do what with it. */
export type Belonging = Pick<AskedData, "interaction_id" | "asker" | "audience"> &
  Partial<Pick<AskedData, "mode" | "run" | "asked_in">>;

/** `hidden`: for this actor the question does not exist (404); `forbidden`: it may be seen, not acted on (403). */
export type Verdict = "allowed" | "forbidden" | "hidden";

const GROUP = "group:";

/** Is the actor one of those the question is addressed to? A question without audience is for every answerer. */
function isAddressed(actor: Extract<Actor, { kind: "subject" }>, audience: string | undefined): boolean {
  if (audience === undefined) return actor.roles.includes("answerer");
  // The prefix decides: a subject that is called like a group is not that group.
  if (audience.startsWith(GROUP)) return actor.groups.includes(audience.slice(GROUP.length));
  return audience === actor.subject;
}

/** The one rule of who may; every door asks it before the decider, and lists render it as a query. */
export function authorize(actor: Actor, action: Action, question: Belonging): Verdict {
  if (actor.kind === "ticket") return actor.interactionId === question.interaction_id ? "allowed" : "hidden";
  // Anonymous actors exist where a deployment opened a door: they meet only what is addressed to nobody.
  if (actor.kind === "anonymous") {
    if (question.audience !== undefined) return "hidden";
    return action === "see" || action === "answer" ? "allowed" : "forbidden";
  }
  if (actor.run !== undefined) return authorizeInRun(actor, actor.run, action, question);
  if (actor.roles.includes("operator")) return "allowed";

  const isAsker = actor.subject === question.asker;
  const addressed = isAddressed(actor, question.audience);
  if (!isAsker && !addressed) return "hidden";

  switch (action) {
    case "see":
      return "allowed";
    case "answer":
      return addressed ? "allowed" : "forbidden";
    case "cancel":
    case "read_result":
      return isAsker ? "allowed" : "forbidden";
  }
}

/**
 * A claim's token is for going on with one run, and answers nothing. What its subject asked and waits for, in no
 * run that is known, may have been asked by this one before it first parked: it is asked again when it goes on.
 */
function authorizeInRun(
  { subject }: Extract<Actor, { kind: "subject" }>,
  run: RunName,
  action: Action,
  question: Belonging,
): Verdict {
  if (question.asker !== subject) return "hidden";
  const of = question.run ?? question.asked_in;
  const isOwn =
    of === undefined ? question.mode === "sync" : of.driver === run.driver && of.run_id === run.run_id;
  return isOwn && action !== "answer" ? "allowed" : "forbidden";
}
