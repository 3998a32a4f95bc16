import { z } from "zod";
import type { Limit } from "../core/limit.ts";
import { SLACK_LIMITS as LIMITS } from "./limits.ts";

const text = ({ min = 1, max }: Limit) => z.string().min(min).max(max);
const list = <T extends z.ZodType>(item: T, { min = 0, max }: Limit) => z.array(item).min(min).max(max);
const plain = (limit: Limit) =>
  z.strictObject({ type: z.literal("plain_text"), text: text(limit), emoji: z.boolean().optional() });
const mrkdwn = (limit: Limit) =>
  z.strictObject({ type: z.literal("mrkdwn"), text: text(limit), verbatim: z.boolean().optional() });
const either = (limit: Limit) => z.discriminatedUnion("type", [plain(limit), mrkdwn(limit)]);

const action = { action_id: text(LIMITS.actionId).optional() };
const focus = { focus_on_load: z.boolean().optional() };
const placeholder = { placeholder: plain(LIMITS.placeholder).optional() };
const Option = z.strictObject({
  text: either(LIMITS.optionText),
  value: text(LIMITS.optionValue),
  description: plain(LIMITS.optionText).optional(),
});
const Button = z.strictObject({
  type: z.literal("button"),
  text: plain(LIMITS.buttonText),
  value: text(LIMITS.buttonValue).optional(),
  url: text(LIMITS.buttonUrl).optional(),
  style: z.enum(["primary", "danger"]).optional(),
  accessibility_label: text(LIMITS.buttonText).optional(),
  ...action,
});
const Select = z.strictObject({
  type: z.literal("static_select"),
  options: list(Option, LIMITS.selectOptions),
  initial_option: Option.optional(),
  ...action,
  ...focus,
  ...placeholder,
});
const choices = <T extends string>(type: T) =>
  z.strictObject({
    type: z.literal(type),
    options: list(Option, LIMITS.radioOptions),
    initial_option: Option.optional(),
    initial_options: z.array(Option).min(1).optional(),
    ...action,
    ...focus,
  });
const Radio = choices("radio_buttons");
const Checkboxes = choices("checkboxes");
const Length = z.int().min(1).max(LIMITS.inputMaxLength.max);
const TextInput = z.strictObject({
  type: z.literal("plain_text_input"),
  multiline: z.boolean().optional(),
  initial_value: z.string().optional(),
  min_length: z.int().min(0).max(LIMITS.inputMaxLength.max).optional(),
  max_length: Length.optional(),
  ...action,
  ...focus,
  ...placeholder,
});
const typed = <T extends string>(type: T) =>
  z.strictObject({
    type: z.literal(type),
    initial_value: z.string().optional(),
    ...action,
    ...focus,
    ...placeholder,
  });
const NumberInput = z.strictObject({
  type: z.literal("number_input"),
  is_decimal_allowed: z.boolean(),
  initial_value: z.string().optional(),
  min_value: z.string().optional(),
  max_value: z.string().optional(),
  ...action,
  ...focus,
  ...placeholder,
});
const Datepicker = z.strictObject({
  type: z.literal("datepicker"),
  initial_date: z.iso.date().optional(),
  ...action,
  ...focus,
  ...placeholder,
});
const Image = {
  image_url: text(LIMITS.imageUrl),
  alt_text: text(LIMITS.imageAltText),
};
const Picture = z.strictObject({ type: z.literal("image"), ...Image });

const block = { block_id: text(LIMITS.blockId).optional() };
const Section = z.strictObject({
  type: z.literal("section"),
  text: either(LIMITS.sectionText).optional(),
  fields: list(either(LIMITS.sectionField), LIMITS.sectionFields).optional(),
  accessory: z
    .discriminatedUnion("type", [Button, Select, Radio, Checkboxes, Datepicker, Picture])
    .optional(),
  expand: z.boolean().optional(),
  ...block,
});
const Actions = z.strictObject({
  type: z.literal("actions"),
  elements: list(
    z.discriminatedUnion("type", [Button, Select, Radio, Checkboxes, Datepicker]),
    LIMITS.actionsElements,
  ),
  ...block,
});
const Input = z.strictObject({
  type: z.literal("input"),
  label: plain(LIMITS.inputLabel),
  hint: plain(LIMITS.inputHint).optional(),
  optional: z.boolean().optional(),
  dispatch_action: z.boolean().optional(),
  element: z.discriminatedUnion("type", [
    TextInput,
    NumberInput,
    typed("email_text_input"),
    typed("url_text_input"),
    Select,
    Radio,
    Checkboxes,
    Datepicker,
  ]),
  ...block,
});
const Context = z.strictObject({
  type: z.literal("context"),
  elements: list(
    z.discriminatedUnion("type", [plain(LIMITS.sectionText), mrkdwn(LIMITS.sectionText), Picture]),
    LIMITS.contextElements,
  ),
  ...block,
});
const Others = [
  z.strictObject({ type: z.literal("header"), text: plain(LIMITS.headerText), ...block }),
  z.strictObject({ type: z.literal("divider"), ...block }),
  z.strictObject({ type: z.literal("markdown"), text: text(LIMITS.markdownText), ...block }),
  z.strictObject({
    type: z.literal("image"),
    title: plain(LIMITS.sectionField).optional(),
    ...Image,
    ...block,
  }),
] as const;
const Block = z.discriminatedUnion("type", [Section, Actions, Input, Context, ...Others]);

export const MessageBlocks = list(Block, LIMITS.messageBlocks);
const Modal = z.strictObject({
  type: z.literal("modal"),
  title: plain(LIMITS.modalTitle),
  blocks: list(Block, LIMITS.modalBlocks),
  submit: plain(LIMITS.modalButton).optional(),
  close: plain(LIMITS.modalButton).optional(),
  private_metadata: z.string().max(LIMITS.privateMetadata.max).optional(),
  callback_id: text(LIMITS.callbackId).optional(),
  clear_on_close: z.boolean().optional(),
  notify_on_close: z.boolean().optional(),
  external_id: z.string().max(255).optional(),
});
export type SlackBlock = z.infer<typeof Block>;
export type SlackModal = z.infer<typeof Modal>;

/** What Slack says beside a schema: a repeated id, a section of nothing, an input without a submit button. */
export function furtherFaults(blocks: readonly SlackBlock[], hasSubmit: boolean | undefined): string[] {
  const faults: string[] = [];
  const ids = blocks.flatMap(({ block_id: id }) => (id === undefined ? [] : [id]));
  if (new Set(ids).size < ids.length) faults.push("duplicate block_id [json-pointer:/blocks]");
  for (const [place, each] of blocks.entries()) {
    if (each.type === "section" && each.text === undefined && each.fields === undefined) {
      faults.push(`must define either \`text\` or \`fields\` [json-pointer:/blocks/${place}]`);
    }
    if (each.type !== "actions") continue;
    const actions = each.elements.map(({ action_id: id }) => id).filter((id) => id !== undefined);
    if (new Set(actions).size < actions.length) {
      faults.push(`duplicate action_id [json-pointer:/blocks/${place}/elements]`);
    }
  }
  const hasInput = blocks.some(({ type }) => type === "input");
  if (hasSubmit === false && hasInput)
    faults.push("`submit` is required with input blocks [json-pointer:/view]");
  return faults;
}

/** A modal, or what is wrong with it in Slack's words. */
export function readModal(given: unknown): { modal: SlackModal } | { faults: string[] } {
  const parsed = Modal.safeParse(given);
  if (!parsed.success) return { faults: slackMessages(parsed.error, "view") };
  const faults = furtherFaults(parsed.data.blocks, parsed.data.submit !== undefined);
  return faults.length > 0 ? { faults } : { modal: parsed.data };
}

/** In Slack's words: what is wrong, and a pointer to it. */
export function slackMessages(error: z.ZodError, root: string): string[] {
  return error.issues.map((issue) => {
    const pointer = `[json-pointer:/${[root, ...issue.path.map(String)].join("/")}]`;
    if (issue.code === "too_big") {
      return issue.origin === "array"
        ? `no more than ${issue.maximum} items allowed ${pointer}`
        : `must be less than ${Number(issue.maximum) + 1} characters ${pointer}`;
    }
    if (issue.code === "too_small") {
      return `must be more than ${Number(issue.minimum) - 1} characters ${pointer}`;
    }
    if (issue.code === "unrecognized_keys") {
      return `invalid additional property: ${issue.keys.join(", ")} ${pointer}`;
    }
    return issue.code === "invalid_union" ? `unsupported type ${pointer}` : `${issue.message} ${pointer}`;
  });
}
