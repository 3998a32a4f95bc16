import { chatMessages, optionToken } from "@interlude/channel-kit";
import type { FormData, FormPage } from "@interlude/contract";
import { type ModelPage, toFields } from "@interlude/forms";
import { type Json, type JsonObject, sha256Base64Url } from "@interlude/kernel";
import { DECLARED_CHOICES, declared, type FlowField, flowField, optionsName } from "./flow-fields.ts";
import { LIMITS } from "./limits.ts";

export type FlowForm = Readonly<{ schema: JsonObject; data?: FormData; pages?: readonly FormPage[] }>;

/** `name` says what is in it; `data` is what this ask alone puts into it. */
export type Flow = Readonly<{ name: string; json: string; screen: string; data: JsonObject | undefined }>;

/** The one whose pages the limits come from (flows/reference/flowjson). */
const VERSION = "7.0";

/** A page with its fields as a Flow asks for them. */
type FlowPage = Readonly<{ title: string | undefined; fields: readonly FlowField[] }>;

/** The ids of screens have no digits. */
const screenId = (place: number, count: number): string =>
  count === 1 ? "FORM" : `PAGE_${String.fromCharCode("A".charCodeAt(0) + place)}`;

const initialsName = (place: number): string => `initial_${place}`;

function flowPages(form: FlowForm, language: string): FlowPage[] | undefined {
  const perSend = form.data?.options ?? {};
  const pages: FlowPage[] = [];
  let place = 0;
  const asked = ({ fields }: ModelPage) =>
    fields.map((field) =>
      flowField({ field, place: place++, isPerSend: Object.hasOwn(perSend, field.name), language }),
    );
  for (const page of toFields(form.schema, form).pages) {
    const fields = asked(page);
    if (fields.includes(undefined)) return undefined;
    pages.push({ title: page.title, fields: fields.filter((each) => each !== undefined) });
  }
  return pages;
}

/** What a page needs to be told when it opens, and what it is in this ask. */
type Told = Readonly<{ declared: Json; value: Json }>;

function toldOf({ fields }: FlowPage, place: number): [string, Told][] {
  const choices = fields.flatMap(({ name, choices: value }): [string, Told][] =>
    value === undefined ? [] : [[optionsName(name), { declared: DECLARED_CHOICES, value }]],
  );
  const filled = fields.filter(({ initial }) => initial !== undefined);
  if (filled.length === 0) return choices;
  const of = <T>(part: (field: FlowField) => T) =>
    Object.fromEntries(filled.map((field) => [field.name, part(field)]));
  const initials = {
    declared: {
      type: "object",
      properties: of(({ type }) => ({ type })),
      __example__: of(({ type }) => (type === "boolean" ? true : "Example")),
    },
    value: of(({ initial = "" }) => initial),
  };
  return [...choices, [initialsName(place), initials]];
}

function heading(title: string): JsonObject {
  return { type: title.length <= LIMITS.FLOW_HEADING_MAX_CHARS ? "TextHeading" : "TextBody", text: title };
}

/** Above the fields, where the screen's own title is not that of the page. */
function headingOf({ title }: FlowPage, isOwnTitle: boolean): JsonObject[] {
  return title === undefined || isOwnTitle ? [] : [heading(title)];
}

/**
 * What the button of a screen hands on: what was put in here and before, and what the screens after it are told. Only
 * the last one's goes to us.
 */
function footer(pages: readonly FlowPage[], place: number, language: string): JsonObject {
  const refer = (from: "form" | "data", names: readonly string[]): [string, string][] =>
    names.map((name) => [name, `\${${from}.${name}}`]);
  const namesOf = (of: readonly FlowPage[]) => of.flatMap(({ fields }) => fields.map(({ name }) => name));
  const later = pages.slice(place + 1).flatMap((page, index) => toldOf(page, place + 1 + index));
  const payload: JsonObject = Object.fromEntries([
    ...refer("data", namesOf(pages.slice(0, place))),
    ...refer("form", namesOf(pages.slice(place, place + 1))),
    ...refer(
      "data",
      later.map(([name]) => name),
    ),
  ]);
  const say = chatMessages(language);
  if (place === pages.length - 1) {
    return { type: "Footer", label: say.send, "on-click-action": { name: "complete", payload } };
  }
  const next = { type: "screen", name: screenId(place + 1, pages.length) };
  return { type: "Footer", label: say.next, "on-click-action": { name: "navigate", next, payload } };
}

function dataOf(pages: readonly FlowPage[], place: number): JsonObject {
  const before = pages.slice(0, place).flatMap(({ fields }) => fields);
  const told = pages.slice(place).flatMap((page, index) => toldOf(page, place + index));
  return Object.fromEntries<Json>([
    ...before.map(({ name, type }): [string, Json] => [name, declared(type)]),
    ...told.map(([name, each]): [string, Json] => [name, each.declared]),
  ]);
}

function screenOf(pages: readonly FlowPage[], place: number, language: string): JsonObject | undefined {
  const page = pages[place];
  if (page === undefined) return undefined;
  const isOwnTitle =
    pages.length > 1 && page.title !== undefined && page.title.length <= LIMITS.FLOW_TITLE_MAX_CHARS;
  const children = [
    ...headingOf(page, isOwnTitle),
    ...page.fields.flatMap(({ components }) => components),
    footer(pages, place, language),
  ];
  const boxes = children.filter(({ type }) => type === "OptIn").length;
  if (children.length > LIMITS.FLOW_COMPONENTS_MAX_ITEMS || boxes > LIMITS.FLOW_BOXES_MAX_ITEMS) {
    return undefined;
  }
  const data = dataOf(pages, place);
  const isFilled = page.fields.some(({ initial }) => initial !== undefined);
  const initials = isFilled ? { "init-values": `\${data.${initialsName(place)}}` } : {};
  return {
    id: screenId(place, pages.length),
    title: isOwnTitle ? page.title : chatMessages(language).question,
    ...(place === pages.length - 1 ? { terminal: true } : {}),
    ...(Object.keys(data).length === 0 ? {} : { data }),
    layout: { type: "SingleColumnLayout", children: [{ type: "Form", name: "form", ...initials, children }] },
  };
}

/** Whether words of the form would be looked up, as whatever stands in `${…}` is. */
function isLookedUp({ schema, data, pages }: FlowForm): boolean {
  return JSON.stringify([schema, data, pages]).includes("${");
}

/**
 * The Flow of a form, a screen for each of its pages; undefined for a form that is a page of ours. A published Flow
 * stays for ever, so what this ask alone fills in or offers is no part of it, and goes along with the message.
 */
export function flowOf(form: FlowForm, language: string): Flow | undefined {
  const pages = isLookedUp(form) ? undefined : flowPages(form, language);
  if (pages === undefined || pages.length > LIMITS.FLOW_SCREENS_MAX_ITEMS) return undefined;
  const screens = pages.map((_, place) => screenOf(pages, place, language));
  if (screens.includes(undefined)) return undefined;
  const json = JSON.stringify({ version: VERSION, screens });
  if (json.length > LIMITS.FLOW_JSON_MAX_CHARS) return undefined;
  const told = pages.flatMap((page, place) => toldOf(page, place));
  return {
    ...{ name: `interlude_${sha256Base64Url(json)}`, json, screen: screenId(0, pages.length) },
    data: told.length === 0 ? undefined : Object.fromEntries(told.map(([name, { value }]) => [name, value])),
  };
}

/** What opens a Flow; what is put in comes back with the token. */
export function flowControls(reference: string, { name, screen, data }: Flow, cta: string): JsonObject {
  const parameters = {
    flow_message_version: "3",
    flow_token: optionToken(reference, "form"),
    flow_name: name,
    flow_cta: cta,
    flow_action: "navigate",
    flow_action_payload: { screen, ...(data === undefined ? {} : { data }) },
  };
  return { type: "flow", action: { name: "flow", parameters } };
}
