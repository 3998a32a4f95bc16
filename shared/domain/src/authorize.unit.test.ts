import { describe, expect, it } from "vitest";
import { type Action, type Actor, authorize, type Belonging, type Role, type Verdict } from "./authorize.ts";

const open: Belonging = { interaction_id: "q-1", asker: "ann" };
const toBob: Belonging = { ...open, audience: "bob" };
const toOps: Belonging = { ...open, audience: "group:ops" };

const person = (subject: string, roles: Role[], groups: string[] = []): Actor => ({
  kind: "subject",
  subject,
  roles,
  groups,
});
const asker = person("ann", ["asker"]);
const bob = person("bob", ["answerer"]);
const opsMember = person("eve", ["answerer"], ["ops"]);
const stranger = person("mal", ["answerer"]);
const operator = person("op", ["operator"]);

const run = { driver: "bot", run_id: "r-1" };
const inRun = {
  kind: "subject",
  subject: "ann",
  roles: ["asker"],
  groups: ["ops"],
  run,
} as const satisfies Actor;
const otherRun = { ...run, run_id: "r-2" };
const ofRun: Belonging = { ...toBob, run };
const askedInRun: Belonging = { ...open, asked_in: run };
const toAnn: Belonging = { ...open, asker: "zoe", audience: "ann", run };

const rows: [string, Actor, Action, Belonging, Verdict][] = [
  ["an answerer sees what is addressed to nobody", bob, "see", open, "allowed"],
  ["an answerer answers what is addressed to nobody", bob, "answer", open, "allowed"],
  ["the audience sees it", bob, "see", toBob, "allowed"],
  ["the audience answers it", bob, "answer", toBob, "allowed"],
  ["a group's member answers it", opsMember, "answer", toOps, "allowed"],
  [
    "a subject named like a group is not the group",
    person("group:ops", ["answerer"]),
    "see",
    toOps,
    "hidden",
  ],
  ["for others it does not exist", stranger, "see", toBob, "hidden"],
  ["nor can they answer it", stranger, "answer", toOps, "hidden"],
  ["nor cancel it", stranger, "cancel", toBob, "hidden"],
  ["its asker always sees it", asker, "see", toBob, "allowed"],
  ["its asker does not answer for the audience", asker, "answer", toBob, "forbidden"],
  ["an asker without the role answers nothing", asker, "answer", open, "forbidden"],
  ["its asker cancels it", asker, "cancel", toBob, "allowed"],
  ["its asker reads the result", asker, "read_result", toBob, "allowed"],
  ["who answers does not cancel", bob, "cancel", toBob, "forbidden"],
  ["nor reads the result", bob, "read_result", open, "forbidden"],
  ["an operator may everything", operator, "answer", toBob, "allowed"],
  ["an operator may cancel", operator, "cancel", toOps, "allowed"],
  ["a ticket answers its own question", { kind: "ticket", interactionId: "q-1" }, "answer", toBob, "allowed"],
  ["a ticket opens no other", { kind: "ticket", interactionId: "q-2" }, "answer", open, "hidden"],
  ["an opened door shows what is addressed to nobody", { kind: "anonymous" }, "see", open, "allowed"],
  ["an opened door hides the rest", { kind: "anonymous" }, "see", toBob, "hidden"],
  ["nobody anonymous cancels", { kind: "anonymous" }, "cancel", open, "forbidden"],
  ["another asker's question does not exist for an asker", person("zoe", ["asker"]), "see", open, "hidden"],
  ["a run sees what was asked for it", inRun, "see", ofRun, "allowed"],
  ["a run reads its results", inRun, "read_result", ofRun, "allowed"],
  ["a run takes back what it asked for itself", inRun, "cancel", ofRun, "allowed"],
  ["a run reads what it asked and waited for", inRun, "read_result", askedInRun, "allowed"],
  ["a run answers nothing, its own included", inRun, "answer", ofRun, "forbidden"],
  ["nor what its subject's groups may answer", inRun, "answer", toOps, "forbidden"],
  [
    "a run goes on with what its subject asked before it parked",
    inRun,
    "see",
    { ...open, mode: "sync" },
    "allowed",
  ],
  ["a run sees nothing of which nobody says whose it is", inRun, "see", open, "forbidden"],
  ["nor what another run asked", inRun, "see", { ...open, mode: "sync", asked_in: otherRun }, "forbidden"],
  ["nor what it asked for another run", inRun, "see", { ...open, run: otherRun }, "forbidden"],
  ["nor for another driver's", inRun, "cancel", { ...open, run: { ...run, driver: "b" } }, "forbidden"],
  ["others' questions do not exist for a run, also those to its subject", inRun, "see", toAnn, "hidden"],
  ["a run's own roles widen nothing", { ...inRun, roles: ["operator"] }, "read_result", open, "forbidden"],
];

describe("who may", () => {
  it.each(rows)("%s", (_, actor, action, question, verdict) => {
    expect(authorize(actor, action, question)).toBe(verdict);
  });
});
