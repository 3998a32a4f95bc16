import { z } from "zod";
import type { Limit } from "../core/limit.ts";
import { routingFaults } from "./flow-routing.ts";
import { WHATSAPP_LIMITS as LIMITS } from "./limits.ts";

const text = ({ min = 0, max }: Limit) => z.string().min(min).max(max);
const name = z.string().regex(/^[a-zA-Z_][\w]*$/, "must be a name of letters, digits and underscores");
const input = { name, required: z.boolean().optional(), "helper-text": text(LIMITS.flowInput).optional() };

const dataReference = z.string().regex(/^\$\{data\.\w+\}$/, "must be of the screen's data");
export const FlowOptions = z
  .array(z.strictObject({ id: z.string().min(1), title: text(LIMITS.flowOption) }))
  .min(LIMITS.flowOptions.min)
  .max(LIMITS.flowOptions.max);
const payload = z.record(
  z.string(),
  z.string().regex(/^\$\{(?:form|data)\.\w+\}$/, "must be a field of the form, or of the screen's data"),
);

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
    "data-source": z.union([FlowOptions, dataReference]),
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
    "on-click-action": z.discriminatedUnion("name", [
      z.strictObject({ name: z.literal("complete"), payload }),
      z.strictObject({
        name: z.literal("navigate"),
        next: z.strictObject({ type: z.literal("screen"), name: z.string() }),
        payload,
      }),
    ]),
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

/** What a screen is handed, each with an example. */
const Declared = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("string"), __example__: z.string() }),
  z.strictObject({ type: z.literal("boolean"), __example__: z.boolean() }),
  z.strictObject({
    type: z.literal("object"),
    properties: z.record(z.string(), z.strictObject({ type: z.enum(["string", "boolean"]) })),
    __example__: z.record(z.string(), z.union([z.string(), z.boolean()])),
  }),
  z.strictObject({
    type: z.literal("array"),
    items: z.strictObject({
      type: z.literal("object"),
      properties: z.record(z.string(), z.strictObject({ type: z.literal("string") })),
    }),
    __example__: z.array(z.record(z.string(), z.string())).min(1),
  }),
]);

const Screen = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z_]+$/, "must be of letters and underscores")
    .refine((id) => id !== "SUCCESS", "SUCCESS is reserved"),
  title: z.string().min(1),
  terminal: z.boolean().optional(),
  data: z.record(z.string().regex(/^\w+$/), Declared).optional(),
  layout: z.strictObject({
    type: z.literal("SingleColumnLayout"),
    children: z.tuple([
      z.strictObject({
        type: z.literal("Form"),
        name: z.string().min(1),
        "init-values": dataReference.optional(),
        children: Children,
      }),
    ]),
  }),
});
export type FlowScreen = z.infer<typeof Screen>;

/** Screens with one form each and no endpoint; https://developers.facebook.com/docs/whatsapp/flows/reference/flowjson */
const FlowJsonShape = z
  .strictObject({ version: z.string().regex(/^\d\.\d$/), screens: z.array(Screen).min(1) })
  .superRefine(({ screens }, context) => {
    for (const message of routingFaults(screens))
      context.addIssue({ code: "custom", message, path: ["screens"] });
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

export function componentsOf(screen: FlowScreen): readonly FlowComponent[] {
  return screen.layout.children[0].children;
}
