import {
  type Inbound,
  type InboundSubmission,
  parseOptionToken,
  type SubmittedField,
} from "@interlude/channel-kit";
import { sha256Base64Url } from "@interlude/kernel";
import { z } from "zod";
import { isDirect } from "./address.ts";
import { BACK } from "./blocks.ts";
import { readMetadata } from "./form-metadata.ts";
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

const View = z.object({
  id: z.string().min(1).exactOptional(),
  hash: z.string().exactOptional(),
  callback_id: z.literal(FORM_CALLBACK),
  private_metadata: z.string(),
  state: z.object({ values: z.record(z.string(), z.record(z.string(), Value)) }),
});
const user = z.object({ id: z.string().min(1) });

const Submission = z.object({ type: z.literal("view_submission"), user, view: View });

const Back = z.object({
  type: z.literal("block_actions"),
  user,
  view: View,
  actions: z.tuple([z.object({ action_id: z.literal(BACK) })]),
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

function fieldsOf(values: z.infer<typeof View>["state"]["values"]): SubmittedField[] {
  return Object.entries(values).flatMap(([blockId, inputs]) => {
    const place = /^field_(\d{1,3})$/.exec(blockId)?.[1];
    const [input] = Object.values(inputs);
    const field = place === undefined || input === undefined ? undefined : valueOf(Number(place), input);
    return field === undefined ? [] : [field];
  });
}

type Sent = Readonly<{ user: { id: string }; view: z.infer<typeof View> }>;

/** What stands in a form of ours, and whose it is. */
function parseForm({ user: { id: from }, view }: Sent, updateId: string): InboundSubmission | undefined {
  const about = readMetadata(view.private_metadata);
  if (about === undefined) return undefined;
  const fields = fieldsOf(view.state.values);
  return {
    ...{ kind: "submission", updateId, from, ...about, fields },
    ...(view.id === undefined ? {} : { view: view.id }),
  };
}

function parseBack(pressed: Sent, updateId: string): Inbound | undefined {
  const form = parseForm(pressed, updateId);
  const { id: view_id, hash } = pressed.view;
  if (form?.step === undefined || view_id === undefined || hash === undefined) return undefined;
  return { ...form, step: { ...form.step, back: { view_id, hash } } };
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
  const nobodys: Inbound = { kind: "ignored", updateId, reason: "a form of nobody" };
  const submission = Submission.safeParse(payload);
  if (submission.success) return parseForm(submission.data, updateId) ?? nobodys;
  const back = Back.safeParse(payload);
  if (back.success) return parseBack(back.data, updateId) ?? nobodys;
  return { kind: "ignored", updateId, reason: "an interaction of another kind" };
}
