import { z } from "zod";
import { ANSWER_FORMATS } from "../ask.ts";
import { anyJson, anyObject } from "../fields.ts";
import { PROBLEM_CODES } from "../problem.ts";
import { RUN_STATES } from "../run-views.ts";

const Instant = z.string().meta({ format: "date-time" });
const Text = z.string();
const Count = z.number();
const Sequence = z.number().meta({ description: "A position in the log" });
const Params = z.record(Text, Text);
const Status = z.enum(["pending", "answered", "expired", "cancelled", "failed"]);
const Delivery = z.object({
  state: z.enum(["queued", "sending", "sent", "delivered", "read", "unknown", "failed"]),
  attempts: Count,
  last_error: Text.optional(),
});

export const ProblemReply = z
  .object({
    type: Text,
    title: Text,
    status: Count,
    detail: Text,
    code: z.enum(PROBLEM_CODES),
    errors: z.array(z.object({ path: Text, message: Text })).optional(),
    interaction_id: Text.optional().describe("delivery_failed: the question, which has ended"),
    notification_id: Text.optional().describe(
      "delivery_failed: the notification, which nothing more is tried for",
    ),
    answered_by: Text.optional().describe("already_answered"),
    answered_at: Text.optional().describe("already_answered"),
  })
  .meta({ id: "Problem" });

export const ItemReply = z
  .object({
    interaction_id: Text,
    group_id: Text,
    asker: Text,
    question: Text,
    answer_format: z.enum(ANSWER_FORMATS),
    format_payload: anyObject("options, schema, data, pages or url, by the format"),
    status: Status,
    mode: z.enum(["sync", "async"]),
    created_at: Instant,
    timeout_at: Instant,
    expiry_at: Instant.optional(),
    channel: Text.optional(),
    recipient: Text.optional(),
    audience: Text.optional(),
    media: z.array(anyObject("A media item as asked; inline images by reference")).optional(),
    sensitive: z.boolean(),
    server_verified: z.boolean(),
    metadata: Params.optional(),
    delivery: Delivery.optional(),
    sequence: Sequence,
    resolved_at: Instant.optional(),
    answered_by: Text.optional(),
    answer: anyJson("When answered, and not sensitive").optional(),
  })
  .meta({ id: "Item" });

export const AskedReply = z
  .object({
    interaction_id: Text,
    group_id: Text,
    status: Status,
    mode: z.enum(["sync", "async"]),
    answer_format: z.enum(ANSWER_FORMATS),
    created_at: Instant,
    timeout_at: Instant,
    expiry_at: Instant.optional(),
    link: Text.optional(),
    sequence: Sequence,
    delivery: Delivery.optional(),
  })
  .meta({ id: "Asked" });

export const ResultReply = z
  .object({
    interaction_id: Text,
    status: Status,
    answer: anyJson("The answer, or the marker of an expired question").optional(),
    params: Params.optional(),
    answered_by: Text.optional(),
    answered_at: Instant.optional(),
    reason: Text.optional(),
  })
  .meta({ id: "Result" });

export const ReservationReply = z
  .object({ interaction_id: Text, callback_url: Text, expires_at: Instant })
  .meta({ id: "Reservation" });

export const UploadReply = z.object({ url: Text, content_type: Text, size: Count }).meta({ id: "Upload" });

export const ListReply = z
  .object({
    items: z.array(ItemReply),
    total: Count,
    page: Count.nullable(),
    page_size: Count,
    next_page: Count.nullable(),
    next_cursor: Text.nullable(),
    truncated: z.boolean(),
  })
  .meta({ id: "List" });

export const HistoryReply = z
  .object({
    items: z.array(
      z.looseObject({
        sequence: Sequence,
        type: Text,
        at: Instant,
        status: Status,
        answered_by: Text.optional(),
      }),
    ),
    next_cursor: Text.nullable(),
  })
  .meta({ id: "History" });

export const AnsweredReply = z
  .object({
    interaction_id: Text,
    status: z.literal("answered"),
    answered_by: Text,
    answered_at: Instant,
    sequence: Sequence,
  })
  .meta({ id: "Answered" });

export const CancelledReply = z
  .object({ interaction_id: Text, status: Status, sequence: Sequence })
  .meta({ id: "Cancelled" });

export const CallbackReply = z
  .object({ interaction_id: Text.optional(), status: z.enum(["answered", "already_answered"]) })
  .meta({ id: "CallbackAnswered" });

export const NotifiedReply = z.object({ notification_id: Text }).meta({ id: "Notified" });

export const FeedReply = z
  .object({
    items: z.array(z.looseObject({ notification_id: Text, message: Text })),
    next_cursor: Text.nullable(),
  })
  .meta({ id: "Feed" });

export const MeReply = z
  .object({ subject: Text, roles: z.array(Text), groups: z.array(Text) })
  .meta({ id: "Me" });

export const LinkReply = z.object({ url: Text, expires_at: Instant }).meta({ id: "SignInLink" });

export const DriverReply = z
  .object({
    name: Text,
    checkpointer: z.object({ kind: z.enum(["postgres", "redis"]), retention_seconds: Count.optional() }),
    deliver: z.object({ url: Text, secret_ref: Text }).optional(),
  })
  .meta({ id: "Driver" });

export const ParkReply = z.object({ park_id: Text, remaining: Count }).meta({ id: "Park" });

export const RunReply = z
  .object({
    driver: Text,
    run_id: Text,
    park_id: Text,
    state: z.enum(RUN_STATES),
    remaining: Count,
    attempts: Count,
    kind: z.literal("turn").optional(),
    reason: Text.optional(),
    owner: Text,
    total: Count,
    parked_at: Instant,
    updated_at: Instant.optional(),
  })
  .meta({ id: "Run" });

export const RunQuestionsReply = z
  .object({
    items: z.array(
      z.object({
        interaction_id: Text,
        status: z.enum([...Status.options, "purged"]),
        question: Text.optional(),
        answer_format: Text.optional(),
        timeout_at: Instant.optional(),
        answered_by: Text.optional(),
        reason: Text.optional(),
        at: Instant.optional(),
      }),
    ),
    next_cursor: Text.nullable(),
  })
  .meta({ id: "RunQuestions" });

export const RunHistoryReply = z
  .object({
    items: z.array(
      z.looseObject({ sequence: Sequence, type: Text, at: Instant, park_id: Text, reason: Text.optional() }),
    ),
    truncated: z.boolean(),
  })
  .meta({ id: "RunHistory" });

export const RunsReply = z
  .object({ items: z.array(RunReply), next_cursor: Text.nullable() })
  .meta({ id: "Runs" });

const Resolution = z
  .object({
    interaction_id: Text,
    status: z.enum(["answered", "expired", "cancelled", "failed"]),
    answer: anyJson("The answer, or the marker of an expired question").optional(),
    params: Params.optional(),
    reason: Text.optional(),
    answered_by: Text.optional(),
    at: Instant,
  })
  .meta({ id: "Resolution" });

export const ClaimReply = z
  .object({
    claim_id: Text,
    kind: z.enum(["resume", "turn"]),
    fencing: Count,
    lease_seconds: Count,
    token: Text,
    continuation: z
      .object({
        run_id: Text,
        park_id: Text,
        identity: z.object({ subject: Text, groups: z.array(Text) }),
        resolutions: z.array(Resolution).optional(),
        resolutions_url: Text.optional(),
      })
      .optional(),
    turn: z
      .object({
        turn_id: Text,
        run_id: Text,
        channel: Text,
        thread: Text,
        from: Text,
        text: Text,
        params: Params.optional(),
        media: z
          .array(
            z.object({
              kind: Text,
              url: Text.optional(),
              id: Text.optional(),
              content_type: Text.optional(),
            }),
          )
          .optional(),
        at: Instant,
      })
      .optional(),
  })
  .meta({ id: "Claim" });

export const ClaimStateReply = z
  .object({
    claim_id: Text,
    state: z.enum(RUN_STATES),
    lease_until: Instant.optional(),
    retry_at: Instant.optional(),
  })
  .meta({ id: "ClaimState" });

export const ResolutionsReply = z
  .object({ items: z.array(Resolution), next_cursor: Text.nullable() })
  .meta({ id: "Resolutions" });

export const ChannelsReply = z
  .array(
    z.object({
      name: Text,
      capabilities: anyObject("What it can show and send"),
      health: anyJson("How it is"),
    }),
  )
  .meta({ id: "Channels" });

export const ReadyReply = z
  .looseObject({ status: Text, parts: anyObject("By part").optional() })
  .meta({ id: "Ready" });
