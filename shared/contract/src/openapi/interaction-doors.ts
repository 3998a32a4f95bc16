import { AnswerBodySchema } from "../answer.ts";
import { AskBodySchema } from "../ask-body.ts";
import { ListQuerySchema } from "../list-query.ts";
import { CancelBodySchema, EmptyBodySchema } from "../small-bodies.ts";
import {
  ANSWERER,
  ASKER,
  BODY_PROBLEMS,
  CURSOR,
  type Door,
  IDEMPOTENCY_KEY,
  type Parameter,
  query,
  READER,
  WAIT,
} from "./door.ts";
import * as replies from "./replies.ts";
import { parametersOf } from "./schema.ts";

const PREFER: Parameter = {
  name: "Prefer",
  in: "header",
  description: "`wait=<seconds up to 60>` waits for the answer, `delivered` for the provider",
};
const HTML = { description: "A constant page", type: "text/html" } as const;

/** Asking, reading and answering questions. */
export const INTERACTION_DOORS: readonly Door[] = [
  {
    method: "post",
    path: "/api/interactions",
    summary: "Ask a question",
    access: ASKER,
    parameters: [IDEMPOTENCY_KEY, PREFER],
    body: { schema: AskBodySchema, required: true },
    replies: [
      { status: 201, description: "Asked", schema: replies.AskedReply },
      { status: 200, description: "Asked before, or answered while waiting", schema: replies.ResultReply },
    ],
    problems: [...BODY_PROBLEMS, "idempotency_conflict", "limit_reached", "delivery_failed"],
  },
  {
    method: "get",
    path: "/api/interactions",
    summary: "List questions",
    access: READER,
    parameters: parametersOf(ListQuerySchema),
    replies: [{ status: 200, description: "A page of questions", schema: replies.ListReply }],
    problems: ["validation_failed"],
  },
  {
    method: "post",
    path: "/api/interactions/reservations",
    summary: "Reserve an id and its callback URL",
    access: ASKER,
    body: { schema: EmptyBodySchema },
    replies: [{ status: 201, description: "Reserved", schema: replies.ReservationReply }],
    problems: BODY_PROBLEMS,
  },
  {
    method: "post",
    path: "/api/interactions/media",
    summary: "Upload a file to show",
    access: ASKER,
    body: { types: ["application/octet-stream", "image/*", "video/*", "audio/*"], required: true },
    replies: [{ status: 201, description: "Stored", schema: replies.UploadReply }],
    problems: BODY_PROBLEMS,
  },
  {
    method: "get",
    path: "/api/interactions/media/{mediaId}",
    summary: "Fetch a file by its id",
    access: "public",
    replies: [
      { status: 200, description: "The file", type: "*/*" },
      { status: 206, description: "A part of the file", type: "*/*" },
      { status: 304, description: "Not modified" },
    ],
    problems: ["validation_failed", "not_found", "range_not_satisfiable"],
  },
  {
    method: "get",
    path: "/api/interactions/stream",
    summary: "Follow questions as they are asked and end (server-sent events)",
    access: ANSWERER,
    parameters: [
      query("last_event_id", "Go on after this sequence; the header `Last-Event-ID` wins"),
      { name: "Last-Event-ID", in: "header", description: "Go on after this sequence" },
    ],
    replies: [
      {
        status: 200,
        description: "Events interaction.add, interaction.answered and interaction.removed",
        type: "text/event-stream",
      },
    ],
    problems: [],
  },
  {
    method: "get",
    path: "/api/interactions/callback/{ticket}",
    summary: "The page that a callback link opens; changes nothing",
    access: "public",
    replies: [{ status: 200, ...HTML }],
    problems: ["not_found"],
  },
  {
    method: "post",
    path: "/api/interactions/callback/{ticket}",
    summary: "Answer by a ticket",
    access: "public",
    body: { types: ["application/json", "application/x-www-form-urlencoded"] },
    replies: [{ status: 200, description: "Answered, now or before", schema: replies.CallbackReply }],
    problems: [...BODY_PROBLEMS, "unauthenticated", "not_found"],
  },
  {
    method: "get",
    path: "/api/interactions/{id}",
    summary: "Read a question",
    access: READER,
    replies: [{ status: 200, description: "The question", schema: replies.ItemReply }],
    problems: ["not_found"],
  },
  {
    method: "get",
    path: "/api/interactions/{id}/events",
    summary: "Read what happened to a question",
    access: READER,
    parameters: [CURSOR],
    replies: [{ status: 200, description: "Oldest first", schema: replies.HistoryReply }],
    problems: ["not_found"],
  },
  {
    method: "get",
    path: "/api/interactions/{id}/result",
    summary: "Wait for the end of a question",
    access: ASKER,
    parameters: [WAIT],
    replies: [
      { status: 200, description: "It has ended", schema: replies.ResultReply },
      { status: 202, description: "Still pending", schema: replies.ResultReply },
    ],
    problems: ["validation_failed", "not_found"],
  },
  {
    method: "delete",
    path: "/api/interactions/{id}/result",
    summary: "Acknowledge a sensitive answer, which is then shredded",
    access: ASKER,
    replies: [{ status: 204, description: "Shredded" }],
    problems: ["not_found"],
  },
  {
    method: "post",
    path: "/api/interactions/{id}/answer",
    summary: "Answer a question",
    access: ANSWERER,
    parameters: [IDEMPOTENCY_KEY],
    body: { schema: AnswerBodySchema, required: true },
    replies: [{ status: 200, description: "Answered", schema: replies.AnsweredReply }],
    problems: [...BODY_PROBLEMS, "not_found", "already_answered", "expired", "cancelled", "failed"],
  },
  {
    method: "post",
    path: "/api/interactions/{id}/cancel",
    summary: "Withdraw a question",
    access: ASKER,
    body: { schema: CancelBodySchema },
    replies: [{ status: 200, description: "Cancelled", schema: replies.CancelledReply }],
    problems: [...BODY_PROBLEMS, "not_found", "already_answered", "expired", "cancelled", "failed"],
  },
];
