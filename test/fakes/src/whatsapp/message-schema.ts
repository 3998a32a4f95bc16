import { z } from "zod";
import type { Limit } from "../core/limit.ts";
import { WHATSAPP_LIMITS as LIMITS } from "./limits.ts";

const text = ({ min = 0, max }: Limit) => z.string().min(min).max(max);
const list = <T extends z.ZodType>(item: T, { min = 0, max }: Limit) => z.array(item).min(min).max(max);

const web = z.url({ protocol: /^https?$/ });

const Button = z.strictObject({
  type: z.literal("reply"),
  reply: z.strictObject({
    id: text(LIMITS.buttonId).refine((id) => id === id.trim(), "id must not begin or end with a space"),
    title: text(LIMITS.buttonTitle),
  }),
});
const Buttons = list(Button, LIMITS.buttons)
  .refine((all) => new Set(all.map(({ reply }) => reply.id)).size === all.length, "duplicated ids")
  .refine((all) => new Set(all.map(({ reply }) => reply.title)).size === all.length, "duplicated titles");
const Row = z.strictObject({
  id: text(LIMITS.rowId),
  title: text(LIMITS.rowTitle),
  description: text(LIMITS.rowDescription).optional(),
});
const Section = z.strictObject({ title: text(LIMITS.sectionTitle).optional(), rows: z.array(Row).min(1) });
const Sections = list(Section, LIMITS.sections)
  .refine((all) => all.flatMap(({ rows }) => rows).length <= LIMITS.rows.max, "total row count exceeds 10")
  .refine(
    (all) => all.length === 1 || all.every(({ title }) => title !== undefined),
    "section titles are missing",
  )
  .refine((all) => {
    const ids = all.flatMap(({ rows }) => rows.map(({ id }) => id));
    return new Set(ids).size === ids.length;
  }, "duplicated row ids");
const FlowParameters = z
  .strictObject({
    flow_message_version: z.literal("3"),
    flow_token: z.string().min(1).optional(),
    flow_id: z.string().min(1).optional(),
    flow_name: z.string().min(1).optional(),
    flow_cta: text(LIMITS.flowButton).refine(
      (cta) => !/\p{Extended_Pictographic}/u.test(cta),
      "flow_cta must not hold an emoji",
    ),
    flow_action: z.enum(["navigate", "data_exchange"]).optional(),
    flow_action_payload: z
      .strictObject({ screen: z.string(), data: z.record(z.string(), z.unknown()).optional() })
      .optional(),
    mode: z.enum(["draft", "published"]).optional(),
  })
  .refine(
    ({ flow_id, flow_name }) => (flow_id === undefined) !== (flow_name === undefined),
    "exactly one of flow_id and flow_name",
  );
const frame = {
  body: z.strictObject({ text: text(LIMITS.body) }),
  header: z.strictObject({ type: z.literal("text"), text: text(LIMITS.headerText) }).optional(),
  footer: z.strictObject({ text: text(LIMITS.footer) }).optional(),
};
const Interactive = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("button"), ...frame, action: z.strictObject({ buttons: Buttons }) }),
  z.strictObject({
    type: z.literal("list"),
    ...frame,
    action: z.strictObject({ button: text(LIMITS.listButton), sections: Sections }),
  }),
  z.strictObject({
    type: z.literal("cta_url"),
    ...frame,
    action: z.strictObject({
      name: z.literal("cta_url"),
      parameters: z.strictObject({ display_text: text(LIMITS.linkTitle), url: web }),
    }),
  }),
  z.strictObject({
    type: z.literal("flow"),
    ...frame,
    action: z.strictObject({ name: z.literal("flow"), parameters: FlowParameters }),
  }),
]);
const place = { link: web.optional(), id: z.string().min(1).optional() };
const captioned = z.strictObject({ ...place, caption: text(LIMITS.caption).optional() });
const isPlaced = ({ link, id }: { link?: string | undefined; id?: string | undefined }): boolean =>
  (link === undefined) !== (id === undefined);
const PLACED = "exactly one of link and id";
const Template = z.strictObject({
  name: z.string().min(1),
  language: z.strictObject({ code: z.string().min(2) }),
  components: z
    .array(
      z.strictObject({
        type: z.literal("body"),
        parameters: z.array(z.strictObject({ type: z.literal("text"), text: z.string().min(1) })),
      }),
    )
    .optional(),
});
const common = {
  messaging_product: z.literal("whatsapp"),
  recipient_type: z.literal("individual").optional(),
  to: z.string().min(1),
  context: z.strictObject({ message_id: z.string() }).optional(),
  biz_opaque_callback_data: text(LIMITS.callbackData).optional(),
};

export const WhatsAppMessage = z.discriminatedUnion("type", [
  z.strictObject({
    ...common,
    type: z.literal("text"),
    text: z.strictObject({ body: text(LIMITS.text), preview_url: z.boolean().optional() }),
  }),
  z.strictObject({ ...common, type: z.literal("interactive"), interactive: Interactive }),
  z.strictObject({ ...common, type: z.literal("image"), image: captioned.refine(isPlaced, PLACED) }),
  z.strictObject({ ...common, type: z.literal("video"), video: captioned.refine(isPlaced, PLACED) }),
  z.strictObject({
    ...common,
    type: z.literal("audio"),
    audio: z.strictObject(place).refine(isPlaced, PLACED),
  }),
  z.strictObject({
    ...common,
    type: z.literal("document"),
    document: captioned.extend({ filename: z.string().optional() }).refine(isPlaced, PLACED),
  }),
  z.strictObject({ ...common, type: z.literal("template"), template: Template }),
]);
export type WhatsAppMessage = z.infer<typeof WhatsAppMessage>;
