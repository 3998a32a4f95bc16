import type { FormFieldView, FormView } from "../core/chat-view.ts";
import type { PlainAnswer } from "../core/exchange.ts";
import type { Fields } from "../core/json.ts";
import { componentsOf, type FlowComponent, FlowRequest, readFlowJson } from "./flow-json.ts";
import { WHATSAPP_LIMITS as LIMITS } from "./limits.ts";
import { metaError, type StoredFlow, type StoredMessage, type WhatsAppWorld } from "./world.ts";

/** POST …/{waba}/flows: a Flow with a fault in it is kept as a draft, and not published. */
export function createFlow(world: WhatsAppWorld, fields: Fields): PlainAnswer {
  const request = FlowRequest.safeParse(fields);
  if (!request.success) return metaError(400, 100, "Invalid parameter", request.error.issues[0]?.message);
  const { name, flow_json } = request.data;
  if (world.flows.some((flow) => flow.name === name)) {
    return metaError(400, 100, "Invalid parameter", "Flow with the same name already exists");
  }
  const id = String(800_000 + world.flows.length);
  const json = readFlowJson(flow_json);
  if (!json.success) {
    const errors = json.error.issues.map(({ path, message }) => ({
      error: "INVALID_PROPERTY_VALUE",
      error_type: "FLOW_JSON_ERROR",
      message: `${path.join(".")}: ${message}`,
    }));
    return { status: 200, body: { id, success: false, validation_errors: errors } };
  }
  world.flows.push({ id, name, json: json.data });
  return { status: 200, body: { id, success: true, validation_errors: [] } };
}

export function flowParametersOf({ sent }: StoredMessage) {
  if (sent?.type !== "interactive" || sent.interactive.type !== "flow") return undefined;
  return sent.interactive.action.parameters;
}

export function flowOf(world: WhatsAppWorld, message: StoredMessage): StoredFlow | undefined {
  const wanted = flowParametersOf(message);
  return world.flows.find(({ id, name }) => id === wanted?.flow_id || name === wanted?.flow_name);
}

function fieldOf(component: FlowComponent): FormFieldView[] {
  if (!("name" in component)) return [];
  const { name: id, label, required: isRequired = false } = component;
  const common = { id, label, isRequired };
  switch (component.type) {
    case "Dropdown": {
      const options = component["data-source"].map(({ id: value, title }) => ({ value, label: title }));
      return [{ ...common, kind: "choice", options }];
    }
    case "OptIn":
      return [
        {
          ...common,
          kind: "choice",
          options: [
            { value: "true", label: "Yes" },
            { value: "false", label: "No" },
          ],
        },
      ];
    case "TextArea":
      return [{ ...common, kind: "text", isLong: true }];
    case "DatePicker":
      return [{ ...common, kind: "text", hint: "YYYY-MM-DD" }];
    case "TextInput":
      return [{ ...common, kind: component["input-type"] === "number" ? "number" : "text" }];
  }
}

/** The Flow as the person has it before them. */
export function formView(world: WhatsAppWorld): FormView | undefined {
  const message = world.messages.find(({ id }) => id === world.openForm);
  const flow = message === undefined ? undefined : flowOf(world, message);
  if (message === undefined || flow === undefined) return undefined;
  const components = componentsOf(flow.json);
  const footer = components.find((each) => each.type === "Footer");
  return {
    id: message.id,
    title: flow.json.screens[0].title,
    submit: footer?.label ?? "",
    texts: components.flatMap((each) => ("text" in each ? [each.text] : [])),
    fields: components.flatMap(fieldOf),
  };
}

/** What the phone itself refuses, by field. */
export function formFaults(
  form: FormView,
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> | undefined {
  const faults: Record<string, string> = {};
  for (const { id, kind, isRequired, isLong = false, hint, options = [] } of form.fields) {
    const value = values[id] ?? "";
    const max = isLong ? LIMITS.flowArea.max : LIMITS.flowInput.max;
    if (value === "") {
      if (isRequired) faults[id] = "is needed";
    } else if (kind === "choice" && !options.some((option) => option.value === value)) {
      faults[id] = "is not one of the options";
    } else if (kind === "number" && Number.isNaN(Number(value))) {
      faults[id] = "must be a number";
    } else if (hint !== undefined && !/^\d{4}-\d\d-\d\d$/.test(value)) {
      faults[id] = "must be a date";
    } else if (value.length > max) {
      faults[id] = `must be at most ${max} characters long`;
    }
  }
  return Object.keys(faults).length === 0 ? undefined : faults;
}

/** What the phone sends of the values: what was not touched is left out, a box is a boolean. */
export function flowResponse(
  world: WhatsAppWorld,
  message: StoredMessage,
  values: Readonly<Record<string, string>>,
): string {
  const flow = flowOf(world, message);
  const boxes = new Set(
    flow === undefined
      ? []
      : componentsOf(flow.json).flatMap((each) => (each.type === "OptIn" ? [each.name] : [])),
  );
  const entries = Object.entries(values).filter(([, value]) => value !== "");
  const typed = entries.map(([name, value]) => [name, boxes.has(name) ? value === "true" : value] as const);
  const flow_token = flowParametersOf(message)?.flow_token ?? "unused";
  return JSON.stringify({ ...Object.fromEntries<string | boolean>(typed), flow_token });
}
