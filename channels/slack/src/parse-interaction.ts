import { type Inbound, parseOptionToken, type SubmittedField } from "@interlude/channel-kit";
import { sha256Base64Url } from "@interlude/kernel";
import { z } from "zod";
import { isDirect } from "./address.ts";
import { FORM_CALLBACK } from "./modal.ts";

const Actions = z.object({
  type: z.literal("block_actions"),
  user: z.object({ id: z.string().min(1) }),
  trigger_id: z.string(),
  container: z.object({ channel_id: z.string().min(1), message_ts: z.string().min(1) }),
  actions: z
    .array(
      z.object({
        value: z.string().optional(),
        selected_option: z.object({ value: z.string() }).nullish(),
        action_ts: z.string().optional(),
      }),
    )
    .min(1),
});

const Value = z.object({
  type: z.string(),
  value: z.string().nullish(),
  selected_date: z.string().nullish(),
  selected_option: z.object({ value: z.string() }).nullish(),
  selected_options: z.array(z.object({ value: z.string() })).nullish(),
});
type Value = z.infer<typeof Value>;

const Submission = z.object({
  type: z.literal("view_submission"),
  user: z.object({ id: z.string().min(1) }),
  view: z.object({
    callback_id: z.literal(FORM_CALLBACK),
    private_metadata: z.string(),
    state: z.object({ values: z.record(z.string(), z.record(z.string(), Value)) }),
  }),
});

/** Slack's times are seconds with microseconds, in text. */
export function slackTime(ts: string | undefined): { atMs?: number } {
  return ts !== undefined && /^\d{1,12}\.\d{1,9}$/.test(ts) ? { atMs: Math.trunc(Number(ts) * 1_000) } : {};
}

/** What one input holds; undefined for one that was left as it was: that is no empty text. */
function valueOf(place: number, input: Value): SubmittedField | undefined {
  if (input.type === "checkboxes") {
    return { place, text: String((input.selected_options ?? []).length > 0) };
  }
  const chosen = input.selected_option?.value;
  if (chosen !== undefined) return /^\d{1,3}$/.test(chosen) ? { place, choice: Number(chosen) } : undefined;
  const text = input.selected_date ?? input.value;
  return text === null || text === undefined ? undefined : { place, text };
}

function fieldsOf(values: z.infer<typeof Submission>["view"]["state"]["values"]): SubmittedField[] {
  return Object.entries(values).flatMap(([blockId, inputs]) => {
    const place = /^field_(\d{1,3})$/.exec(blockId)?.[1];
    const [input] = Object.values(inputs);
    const field = place === undefined || input === undefined ? undefined : valueOf(Number(place), input);
    return field === undefined ? [] : [field];
  });
}

function parseSubmission(submitted: z.infer<typeof Submission>, updateId: string): Inbound {
  const [reference = "", address = ""] = submitted.view.private_metadata.split(" ");
  if (reference === "" || address === "") return { kind: "ignored", updateId, reason: "a form of nobody" };
  const fields = fieldsOf(submitted.view.state.values);
  return { kind: "submission", updateId, address, from: submitted.user.id, reference, fields };
}

function parseTap(tapped: z.infer<typeof Actions>, updateId: string): Inbound {
  const { user, container, actions, trigger_id } = tapped;
  const [action] = actions;
  const token = parseOptionToken(action?.selected_option?.value ?? action?.value ?? "");
  if (token === undefined) return { kind: "ignored", updateId, reason: "a tap on no button of ours" };
  return {
    kind: "tap",
    updateId,
    address: container.channel_id,
    from: user.id,
    messageId: container.message_ts,
    isDirect: isDirect(container.channel_id),
    ...token,
    acknowledge: { trigger_id },
    ...slackTime(action?.action_ts),
  };
}

/** Interactions have no id; their bytes, which hold a time and a trigger of their own, are one. */
export function parseInteraction(payload: unknown, raw: string): Inbound {
  const updateId = sha256Base64Url(raw);
  const actions = Actions.safeParse(payload);
  if (actions.success) return parseTap(actions.data, updateId);
  const submission = Submission.safeParse(payload);
  if (submission.success) return parseSubmission(submission.data, updateId);
  return { kind: "ignored", updateId, reason: "an interaction of another kind" };
}
