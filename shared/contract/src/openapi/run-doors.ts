import { CompleteBodySchema, DriverBodySchema, FailBodySchema, ParkBodySchema } from "../run-bodies.ts";
import { EmptyBodySchema } from "../small-bodies.ts";
import { ASKER, BODY_PROBLEMS, CURSOR, type Door, IDEMPOTENCY_KEY, query, WAIT } from "./door.ts";
import * as replies from "./replies.ts";

const RUN = "/api/runs/{driver}/{run_id}";
const PARK = query("park_id", "One park of the run; without it the newest");
const CLAIM = "/api/claims/{claim_id}";

/** Drivers, parked runs and the claims that resume them. */
export const RUN_DOORS: readonly Door[] = [
  {
    method: "post",
    path: "/api/drivers",
    summary: "Register a durable driver",
    access: ASKER,
    body: { schema: DriverBodySchema, required: true },
    replies: [
      { status: 201, description: "Registered", schema: replies.DriverReply },
      { status: 200, description: "Repeated or changed", schema: replies.DriverReply },
    ],
    problems: [...BODY_PROBLEMS, "not_found", "idempotency_conflict"],
  },
  {
    method: "post",
    path: "/api/drivers/{name}/claims",
    summary: "Take the next resume or turn",
    access: ASKER,
    parameters: [WAIT, IDEMPOTENCY_KEY],
    body: { schema: EmptyBodySchema },
    replies: [
      { status: 200, description: "A claim", schema: replies.ClaimReply },
      { status: 204, description: "Nothing to do" },
    ],
    problems: [...BODY_PROBLEMS, "not_found"],
  },
  {
    method: "post",
    path: `${RUN}/park`,
    summary: "Park a run until its questions have ended",
    access: ASKER,
    body: { schema: ParkBodySchema, required: true },
    replies: [{ status: 201, description: "Parked, now or before", schema: replies.ParkReply }],
    problems: [...BODY_PROBLEMS, "not_found", "idempotency_conflict", "lease_lost"],
  },
  {
    method: "get",
    path: "/api/runs",
    summary: "List parked runs",
    access: ASKER,
    parameters: [
      query("state", "parked, resuming, resumed or failed"),
      query("driver", "Of this driver"),
      query("interaction_id", "Parked on this question"),
      CURSOR,
    ],
    replies: [{ status: 200, description: "Runs", schema: replies.RunsReply }],
    problems: ["validation_failed"],
  },
  {
    method: "get",
    path: RUN,
    summary: "Read a run",
    access: ASKER,
    parameters: [PARK],
    replies: [{ status: 200, description: "The run", schema: replies.RunReply }],
    problems: ["validation_failed", "not_found"],
  },
  {
    method: "get",
    path: `${RUN}/questions`,
    summary: "Page through the questions of a park",
    access: ASKER,
    parameters: [query("state", "waiting or ended; without it both"), PARK, CURSOR],
    replies: [{ status: 200, description: "Its questions", schema: replies.RunQuestionsReply }],
    problems: ["validation_failed", "not_found"],
  },
  {
    method: "get",
    path: `${RUN}/events`,
    summary: "Read a run's history",
    access: ASKER,
    replies: [{ status: 200, description: "What happened, oldest first", schema: replies.RunHistoryReply }],
    problems: ["not_found"],
  },
  {
    method: "post",
    path: `${RUN}/replay`,
    summary: "Resume a failed run again",
    access: ASKER,
    body: { schema: EmptyBodySchema },
    replies: [{ status: 200, description: "Resuming", schema: replies.RunReply }],
    problems: [...BODY_PROBLEMS, "not_found", "idempotency_conflict"],
  },
  {
    method: "post",
    path: `${CLAIM}/heartbeat`,
    summary: "Keep a claim's lease",
    access: ASKER,
    body: { schema: EmptyBodySchema },
    replies: [{ status: 200, description: "Kept", schema: replies.ClaimStateReply }],
    problems: [...BODY_PROBLEMS, "not_found", "lease_lost"],
  },
  {
    method: "post",
    path: `${CLAIM}/complete`,
    summary: "Finish a claim",
    access: ASKER,
    body: { schema: CompleteBodySchema },
    replies: [{ status: 200, description: "Completed, now or before", schema: replies.ClaimStateReply }],
    problems: [...BODY_PROBLEMS, "not_found", "lease_lost"],
  },
  {
    method: "post",
    path: `${CLAIM}/fail`,
    summary: "Give a claim up",
    access: ASKER,
    body: { schema: FailBodySchema, required: true },
    replies: [{ status: 200, description: "Given up, now or before", schema: replies.ClaimStateReply }],
    problems: [...BODY_PROBLEMS, "not_found", "lease_lost"],
  },
  {
    method: "get",
    path: `${CLAIM}/resolutions`,
    summary: "Page through a claim's resolutions",
    access: ASKER,
    parameters: [CURSOR],
    replies: [{ status: 200, description: "Resolutions", schema: replies.ResolutionsReply }],
    problems: ["validation_failed", "not_found", "lease_lost"],
  },
];
