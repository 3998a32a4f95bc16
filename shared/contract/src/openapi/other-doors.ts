import { NotificationBodySchema } from "../notification.ts";
import { SessionBodySchema } from "../small-bodies.ts";
import {
  ANSWERER,
  ASKER,
  BODY_PROBLEMS,
  CURSOR,
  type Door,
  IDEMPOTENCY_KEY,
  OPERATOR,
  type Parameter,
  query,
  READER,
} from "./door.ts";
import * as replies from "./replies.ts";

const WEBHOOK = "/api/channels/{channel}/webhook";
const FORM_PAGE = "/api/notifications/form/{token}";
const PAGE = { status: 200, description: "A page", type: "text/html" } as const;

const DELIVERED: Parameter = {
  name: "Prefer",
  in: "header",
  description: "`delivered` waits for the provider, 60 s at most",
};

/** Notifications, channels, sign-in and what a process says of itself. */
export const OTHER_DOORS: readonly Door[] = [
  {
    method: "post",
    path: "/api/notifications",
    summary: "Tell somebody something",
    access: ASKER,
    parameters: [IDEMPOTENCY_KEY, DELIVERED],
    body: { schema: NotificationBodySchema, required: true },
    replies: [
      { status: 202, description: "Recorded", schema: replies.NotifiedReply },
      { status: 200, description: "A repeat of a recorded one", schema: replies.NotifiedReply },
    ],
    problems: [...BODY_PROBLEMS, "idempotency_conflict", "delivery_failed"],
  },
  {
    method: "get",
    path: "/api/notifications",
    summary: "Read the feed, newest first",
    access: ANSWERER,
    parameters: [CURSOR],
    replies: [{ status: 200, description: "Notifications", schema: replies.FeedReply }],
    problems: ["validation_failed"],
  },
  {
    method: "get",
    path: FORM_PAGE,
    summary: "The page of a form that was sent; changes nothing",
    access: "public",
    replies: [PAGE],
    problems: ["not_found"],
  },
  {
    method: "post",
    path: FORM_PAGE,
    summary: "Submit a form that was sent",
    access: "public",
    body: { types: ["application/x-www-form-urlencoded"], required: true },
    replies: [PAGE],
    problems: [...BODY_PROBLEMS, "not_found"],
  },
  {
    method: "get",
    path: "/api/channels",
    summary: "What channels there are",
    access: ANSWERER,
    replies: [{ status: 200, description: "Channels", schema: replies.ChannelsReply }],
    problems: [],
  },
  {
    method: "post",
    path: WEBHOOK,
    summary: "A provider's update, verified by its signature",
    access: "public",
    body: { types: ["application/json", "application/x-www-form-urlencoded"], required: true },
    replies: [{ status: 200, description: "Recorded, now or before" }],
    problems: ["unauthenticated", "not_found", "payload_too_large"],
  },
  {
    method: "get",
    path: WEBHOOK,
    summary: "A provider's handshake",
    access: "public",
    replies: [{ status: 200, description: "The challenge", type: "text/plain" }],
    problems: ["unauthenticated", "not_found"],
  },
  {
    method: "get",
    path: "/api/me",
    summary: "Who one is",
    access: READER,
    replies: [{ status: 200, description: "Subject, roles and groups", schema: replies.MeReply }],
    problems: [],
  },
  {
    method: "post",
    path: "/api/session/links",
    summary: "Make a one-time sign-in link",
    access: OPERATOR,
    replies: [{ status: 201, description: "The link", schema: replies.LinkReply }],
    problems: BODY_PROBLEMS,
  },
  {
    method: "post",
    path: "/api/session",
    summary: "Sign in by a link or a key",
    access: "public",
    body: { schema: SessionBodySchema, required: true },
    replies: [{ status: 200, description: "Signed in, by cookie", schema: replies.MeReply }],
    problems: [...BODY_PROBLEMS, "unauthenticated", "forbidden"],
  },
  {
    method: "delete",
    path: "/api/session",
    summary: "Sign out",
    access: "public",
    replies: [{ status: 204, description: "Signed out" }],
    problems: ["validation_failed", "forbidden"],
  },
  {
    method: "get",
    path: "/api/session/oidc",
    summary: "Begin to sign in by OpenID Connect",
    access: "public",
    parameters: [query("return_to", "The path of the page to go on to; `/` unless given")],
    replies: [
      { status: 302, description: "To the identity provider; to /signin, which says so, when it is away" },
    ],
    problems: ["validation_failed", "not_found"],
  },
  {
    method: "get",
    path: "/api/session/oidc/callback",
    summary: "Finish signing in by OpenID Connect",
    access: "public",
    replies: [{ status: 302, description: "To the inbox; to /signin, which says why, when it was refused" }],
    problems: ["not_found"],
  },
  {
    method: "get",
    path: "/api/openapi.json",
    summary: "This document",
    access: "public",
    replies: [{ status: 200, description: "OpenAPI 3.1", type: "application/json" }],
    problems: [],
  },
  {
    method: "get",
    path: "/healthz",
    summary: "Whether the process lives",
    access: "public",
    replies: [{ status: 200, description: "It does" }],
    problems: [],
  },
  {
    method: "get",
    path: "/readyz",
    summary: "Whether the process can do its work",
    access: "public",
    replies: [{ status: 200, description: "It can, wholly or degraded", schema: replies.ReadyReply }],
    problems: ["unavailable"],
  },
  {
    method: "get",
    path: "/metrics",
    summary: "Prometheus text",
    access: OPERATOR,
    replies: [{ status: 200, description: "Metrics", type: "text/plain" }],
    problems: [],
  },
];
