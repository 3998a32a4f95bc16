import type { FormFieldView, FormView } from "../core/chat-view.ts";
import { type Fields, isFields, parseJson, textOf } from "../core/json.ts";
import { exceeds } from "../core/limit.ts";
import { type Happened, PersonCannot } from "../core/person.ts";
import type { Runtime } from "../core/start-fake.ts";
import { blockText, controlsOf } from "./block-view.ts";
import { readModal, type SlackBlock } from "./blocks.ts";
import { SLACK_LIMITS as LIMITS } from "./limits.ts";
import type { SlackWebhooks } from "./webhooks.ts";
import { newTs, newView, type OpenView, showModal, type SlackWorld, viewJson } from "./world.ts";

export type Parts = Readonly<{ world: SlackWorld; webhooks: SlackWebhooks; runtime: Runtime }>;
type InputBlock = Extract<SlackBlock, { type: "input" }>;

export function viewOf(world: SlackWorld, form: string): OpenView {
  const view = world.views.find(({ id }) => id === form);
  if (view === undefined) throw new PersonCannot(`the form ${form} is not open`);
  return view;
}

function inputsOf({ modal }: OpenView): { id: string; block: InputBlock }[] {
  return modal.blocks.flatMap((block) =>
    block.type === "input" ? [{ id: block.block_id ?? "", block }] : [],
  );
}

type Values = Readonly<Record<string, string>>;

/** What stands in the inputs, as Slack tells of it. */
function stateOf(view: OpenView, values: Values, isWhole: boolean): Fields {
  const state: Fields = {};
  for (const { id, block } of inputsOf(view)) {
    const value = values[id] ?? values[block.label.text] ?? initialOf(block) ?? "";
    if (isWhole && value === "" && block.optional !== true) {
      throw new PersonCannot(`Slack's form asks for "${block.label.text}" before it can be sent`);
    }
    state[id] = { [block.element.action_id ?? "a"]: entered(block, value) };
  }
  return state;
}

const TROUBLE = "We had some trouble connecting. Try again?";

export async function submit(
  { world, webhooks, runtime }: Parts,
  form: string,
  values: Values,
): Promise<Happened> {
  const view = viewOf(world, form);
  const delivery = await webhooks.interact("view_submission", view.user, {
    view: viewJson(view, stateOf(view, values, true)),
    response_urls: [],
  });
  const deliveries = [delivery];
  const outcome = delivery.attempts.at(-1)?.outcome;
  if (outcome?.kind !== "answered" || outcome.status !== 200) return { deliveries, shown: TROUBLE };
  const fault = actOn(world, view, parseJson(outcome.body));
  runtime.feed.changed();
  if (fault !== undefined) return { deliveries, shown: `${TROUBLE} (${fault})` };
  const hasErrors = Object.keys(view.errors).length > 0;
  return { deliveries, ...(hasErrors ? { errors: view.errors } : {}) };
}

/**
 * What the answer to a submission does to the modal; https://docs.slack.dev/surfaces/modals. Tells what Slack would
 * not take.
 */
function actOn(world: SlackWorld, view: OpenView, reply: unknown): string | undefined {
  view.errors = {};
  const action = isFields(reply) ? textOf(reply["response_action"]) : undefined;
  if (action === undefined || action === "clear") {
    world.views = action === "clear" ? [] : world.views.filter((each) => each !== view);
    return undefined;
  }
  if (action === "errors") {
    const errors = errorsIn(reply);
    const stranger = Object.keys(errors).find((name) => !inputsOf(view).some(({ id }) => id === name));
    if (stranger !== undefined) return `there is no input block ${stranger}`;
    view.errors = errors;
    return undefined;
  }
  if (action !== "update" && action !== "push") return `response_action ${action} is unknown`;
  const read = readModal(isFields(reply) ? reply["view"] : undefined);
  if ("faults" in read) return read.faults.join("; ");
  if (action === "update") {
    showModal(world, view, read.modal);
    return undefined;
  }
  if (exceeds(LIMITS.viewStack, world.views.length + 1)) return "push_limit_reached";
  world.views = [...world.views, newView(world, view.user, read.modal)];
  return undefined;
}

/** A press of a button in a modal tells of everything that stands in it, and is answered by nothing. */
export async function press(
  { world, webhooks, runtime }: Parts,
  form: string,
  button: string,
  values: Values,
): Promise<Happened> {
  const view = viewOf(world, form);
  const control = controlsOf(view.modal.blocks).find(({ id, label }) => [id, label].includes(button));
  if (control === undefined) throw new PersonCannot(`the form ${form} has no button "${button}"`);
  const delivery = await webhooks.interact("block_actions", view.user, {
    container: { type: "view", view_id: view.id },
    view: viewJson(view, stateOf(view, values, false)),
    actions: [{ ...control.action, action_ts: newTs(world) }],
  });
  runtime.feed.changed();
  return { deliveries: [delivery] };
}

function errorsIn(reply: unknown): Record<string, string> {
  const errors = isFields(reply) && isFields(reply["errors"]) ? reply["errors"] : {};
  return Object.fromEntries(Object.entries(errors).map(([id, text]) => [id, textOf(text) ?? ""] as const));
}

function entered({ element }: InputBlock, value: string): Fields {
  const { type } = element;
  if (type === "datepicker") return { type, selected_date: value === "" ? null : value };
  if (!("options" in element)) return { type, value: value === "" ? null : value };
  const chosen = element.options.filter((option) => [option.value, option.text.text].includes(value));
  if (value !== "" && chosen.length === 0) throw new PersonCannot(`there is no choice "${value}"`);
  return type === "checkboxes"
    ? { type, selected_options: chosen }
    : { type, selected_option: chosen[0] ?? null };
}

/** What stands in an input at first. */
function initialOf({ element }: InputBlock): string | undefined {
  if ("initial_value" in element) return element.initial_value;
  if ("initial_options" in element) return element.initial_options?.[0]?.value;
  if ("initial_option" in element) return element.initial_option?.value;
  return "initial_date" in element ? element.initial_date : undefined;
}

export function formView(open: OpenView): FormView {
  const { id, modal, errors } = open;
  const buttons = controlsOf(modal.blocks).map(({ id: button, label }) => ({ id: button, label }));
  return {
    id,
    title: modal.title.text,
    submit: modal.submit?.text ?? "Submit",
    texts: modal.blocks.map(blockText).filter((text) => text !== ""),
    fields: inputsOf(open).map(({ id: name, block }) => fieldView(name, block, errors[name])),
    ...(buttons.length === 0 ? {} : { buttons }),
  };
}

function fieldView(id: string, block: InputBlock, error: string | undefined): FormFieldView {
  const { element, label, hint, optional } = block;
  const first = initialOf(block);
  return {
    id,
    label: label.text,
    kind: "options" in element ? "choice" : element.type === "number_input" ? "number" : "text",
    isRequired: optional !== true,
    isLong: "multiline" in element && element.multiline === true,
    ...(hint === undefined ? {} : { hint: hint.text }),
    ...(first === undefined ? {} : { value: first }),
    ...(error === undefined ? {} : { error }),
    ...("options" in element
      ? { options: element.options.map(({ value, text }) => ({ value, label: text.text })) }
      : {}),
  };
}
