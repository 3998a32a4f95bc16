import { z } from "zod";
import type { Limit } from "../core/limit.ts";
import { WHATSAPP_LIMITS as LIMITS } from "./limits.ts";

const text = ({ min = 0, max }: Limit) => z.string().min(min).max(max);
const name = z.string().regex(/^[a-zA-Z_][\w]*$/, "must be a name of letters, digits and underscores");
const input = { name, required: z.boolean().optional(), "helper-text": text(LIMITS.flowInput).optional() };

const Component = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("TextHeading"), text: text(LIMITS.flowHeading) }),
  z.strictObject({ type: z.literal("TextBody"), text: text(LIMITS.flowText) }),
  z.strictObject({ type: z.literal("TextCaption"), text: text(LIMITS.flowCaption) }),
  z.strictObject({
    type: z.literal("TextInput"),
    ...input,
    label: text(LIMITS.flowLabel),
    "input-type": z.enum(["text", "number", "email", "password", "passcode", "phone"]),
  }),
  z.strictObject({ type: z.literal("TextArea"), ...input, label: text(LIMITS.flowLabel) }),
  z.strictObject({
    type: z.literal("Dropdown"),
    name,
    required: z.boolean().optional(),
    label: text(LIMITS.flowLabel),
    "data-source": z
      .array(z.strictObject({ id: z.string().min(1), title: text(LIMITS.flowOption) }))
      .min(LIMITS.flowOptions.min)
      .max(LIMITS.flowOptions.max),
  }),
  z.strictObject({ type: z.literal("DatePicker"), ...input, label: text(LIMITS.flowDateLabel) }),
  z.strictObject({
    type: z.literal("OptIn"),
    name,
    required: z.boolean().optional(),
    label: text(LIMITS.flowBoxLabel),
  }),
  z.strictObject({
    type: z.literal("Footer"),
    label: text(LIMITS.flowFooter),
    "on-click-action": z.strictObject({
      name: z.literal("complete"),
      payload: z.record(z.string(), z.string().regex(/^\$\{form\.\w+\}$/, "must be a field of the form")),
    }),
  }),
]);
export type FlowComponent = z.infer<typeof Component>;

const Children = z
  .array(Component)
  .min(LIMITS.flowComponents.min)
  .max(LIMITS.flowComponents.max)
  .refine((all) => all.filter(({ type }) => type === "Footer").length === 1, "needs one Footer")
  .refine(
    (all) => all.filter(({ type }) => type === "OptIn").length <= LIMITS.flowBoxes.max,
    "too many OptIn",
  )
  .refine((all) => {
    const names = all.flatMap((each) => ("name" in each ? [each.name] : []));
    return new Set(names).size === names.length;
  }, "duplicated names");

/** One screen with one form, which is what is sent here; https://developers.facebook.com/docs/whatsapp/flows */
const FlowJsonShape = z.strictObject({
  version: z.string().regex(/^\d\.\d$/),
  screens: z.tuple([
    z.strictObject({
      id: z.string().regex(/^[A-Z_]+$/, "must be of capital letters"),
      title: z.string().min(1),
      terminal: z.literal(true),
      layout: z.strictObject({
        type: z.literal("SingleColumnLayout"),
        children: z.tuple([
          z.strictObject({ type: z.literal("Form"), name: z.string().min(1), children: Children }),
        ]),
      }),
    }),
  ]),
});
export type FlowJson = z.infer<typeof FlowJsonShape>;

export const FlowRequest = z.strictObject({
  name: z.string().min(1),
  categories: z
    .array(
      z.enum([
        "SIGN_UP",
        "SIGN_IN",
        "APPOINTMENT_BOOKING",
        "LEAD_GENERATION",
        "CONTACT_US",
        "CUSTOMER_SUPPORT",
        "SURVEY",
        "OTHER",
      ]),
    )
    .min(1),
  flow_json: text(LIMITS.flowBytes),
  publish: z.boolean().optional(),
});

export function readFlowJson(json: string): z.ZodSafeParseResult<FlowJson> {
  let raw: unknown;
  try {
    raw = JSON.parse(json);
  } catch {
    raw = undefined;
  }
  return FlowJsonShape.safeParse(raw);
}

export function componentsOf({ screens }: FlowJson): readonly FlowComponent[] {
  return screens[0].layout.children[0].children;
}
