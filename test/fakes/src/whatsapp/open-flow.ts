import type { FormFieldView, FormView } from "../core/chat-view.ts";
import { type Fields, isFields, textOf } from "../core/json.ts";
import { componentsOf, type FlowComponent, FlowOptions, type FlowScreen } from "./flow-json.ts";
import { footerOf } from "./flow-routing.ts";
import { flowOf, flowParametersOf } from "./flows.ts";
import { WHATSAPP_LIMITS as LIMITS } from "./limits.ts";
import type { OpenFlow, OpenScreen, StoredMessage, WhatsAppWorld } from "./world.ts";

type Values = Readonly<Record<string, string>>;
type Front = Readonly<{ message: StoredMessage; flow: OpenFlow; screen: FlowScreen; open: OpenScreen }>;

const TICKED = [
  { value: "true", label: "Yes" },
  { value: "false", label: "No" },
] as const;

/** Opens the Flow of a message at the screen that the message names, with what it hands it. */
export function openFlow(world: WhatsAppWorld, message: StoredMessage): void {
  const payload = flowParametersOf(message)?.flow_action_payload;
  const first = flowOf(world, message)?.json.screens[0]?.id ?? "";
  const screen = { id: payload?.screen ?? first, data: payload?.data ?? {}, values: {} };
  world.openForm = { message: message.id, screens: [screen] };
}

function front(world: WhatsAppWorld): Front | undefined {
  const flow = world.openForm;
  const open = flow?.screens.at(-1);
  const message = world.messages.find(({ id }) => id === flow?.message);
  if (flow === undefined || open === undefined || message === undefined) return undefined;
  const screen = flowOf(world, message)?.json.screens.find(({ id }) => id === open.id);
  return screen === undefined ? undefined : { message, flow, screen, open };
}

const nameIn = (reference: string): string => /^\$\{\w+\.(\w+)\}$/.exec(reference)?.[1] ?? "";

function initialsOf({ screen, open }: Front): Fields {
  const reference = screen.layout.children[0]["init-values"];
  const given = reference === undefined ? undefined : open.data[nameIn(reference)];
  return isFields(given) ? given : {};
}

/** What stands in a field: what was put in, else what the screen began with. */
function valueOf(at: Front, name: string, values: Values): string {
  const initial = initialsOf(at)[name];
  return values[name] ?? (typeof initial === "boolean" ? String(initial) : (textOf(initial) ?? ""));
}

function optionsOf(source: Extract<FlowComponent, { type: "Dropdown" }>["data-source"], data: Fields) {
  const listed =
    typeof source === "string" ? (FlowOptions.safeParse(data[nameIn(source)]).data ?? []) : source;
  return listed.map(({ id: value, title }) => ({ value, label: title }));
}

function fieldOf(at: Front, component: FlowComponent): FormFieldView[] {
  if (!("name" in component)) return [];
  const { name: id, label, required: isRequired = false } = component;
  const value = valueOf(at, id, at.open.values);
  const common = { id, label, isRequired, ...(value === "" ? {} : { value }) };
  switch (component.type) {
    case "Dropdown":
      return [{ ...common, kind: "choice", options: optionsOf(component["data-source"], at.open.data) }];
    case "OptIn":
      return [{ ...common, kind: "choice", options: TICKED }];
    case "TextArea":
      return [{ ...common, kind: "text", isLong: true }];
    case "DatePicker":
      return [{ ...common, kind: "text", hint: "YYYY-MM-DD" }];
    case "TextInput":
      return [{ ...common, kind: component["input-type"] === "number" ? "number" : "text" }];
  }
}

function viewOf(at: Front): FormView {
  const components = componentsOf(at.screen);
  return {
    id: at.message.id,
    title: at.screen.title,
    submit: footerOf(at.screen)?.label ?? "",
    texts: components.flatMap((each) => ("text" in each ? [each.text] : [])),
    fields: components.flatMap((each) => fieldOf(at, each)),
    ...(at.flow.screens.length > 1 ? { buttons: [{ id: "back", label: "Back" }] } : {}),
  };
}

/** The screen as the person has it before them. */
export function formView(world: WhatsAppWorld): FormView | undefined {
  const at = front(world);
  return at === undefined ? undefined : viewOf(at);
}

/** The phone's own way back: nobody is told, and what was put in stays. */
export function goBack(world: WhatsAppWorld, values: Values): boolean {
  const at = front(world);
  if (at === undefined || at.flow.screens.length < 2) return false;
  at.open.values = values;
  at.flow.screens.pop();
  return true;
}

export type FlowStep =
  | Readonly<{ kind: "faults"; errors: Values }>
  | Readonly<{ kind: "screen" }>
  | Readonly<{ kind: "complete"; message: StoredMessage; response: Fields }>;

/** What the button of the screen in front does. */
export function goOn(world: WhatsAppWorld, values: Values): FlowStep | undefined {
  const at = front(world);
  const action = at === undefined ? undefined : footerOf(at.screen)?.["on-click-action"];
  if (at === undefined || action === undefined) return undefined;
  const errors = formFaults(at, values);
  if (errors !== undefined) return { kind: "faults", errors };
  at.open.values = values;
  const handed = handedOn(at, action.payload, values);
  if (action.name === "navigate") {
    at.flow.screens.push({ id: action.next.name, data: handed, values: {} });
    return { kind: "screen" };
  }
  const flow_token = flowParametersOf(at.message)?.flow_token ?? "unused";
  world.openForm = undefined;
  return { kind: "complete", message: at.message, response: { ...handed, flow_token } };
}

/** What was not touched is left out, a box is a boolean. */
function handedOn(at: Front, payload: Readonly<Record<string, string>>, values: Values): Fields {
  const boxes = new Set(
    componentsOf(at.screen).flatMap((each) => (each.type === "OptIn" ? [each.name] : [])),
  );
  const entries = Object.entries(payload).map(([key, reference]): [string, unknown] => {
    const name = nameIn(reference);
    if (reference.startsWith("${data.")) return [key, at.open.data[name]];
    const value = valueOf(at, name, values);
    if (value === "") return [key, undefined];
    return [key, boxes.has(name) ? value === "true" : value];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** What the phone itself refuses, by field. */
function formFaults(at: Front, values: Values): Values | undefined {
  const faults: Record<string, string> = {};
  for (const field of viewOf(at).fields) {
    const fault = faultOf(field, valueOf(at, field.id, values));
    if (fault !== undefined) faults[field.id] = fault;
  }
  return Object.keys(faults).length === 0 ? undefined : faults;
}

function faultOf(
  { kind, isRequired, isLong = false, hint, options = [] }: FormFieldView,
  value: string,
): string | undefined {
  const max = isLong ? LIMITS.flowArea.max : LIMITS.flowInput.max;
  if (value === "") return isRequired ? "is needed" : undefined;
  if (kind === "choice" && !options.some((option) => option.value === value))
    return "is not one of the options";
  if (kind === "number" && Number.isNaN(Number(value))) return "must be a number";
  if (hint !== undefined && !/^\d{4}-\d\d-\d\d$/.test(value)) return "must be a date";
  return value.length > max ? `must be at most ${max} characters long` : undefined;
}
