import { bodyFields } from "../core/body-fields.ts";
import type { Answer, Received } from "../core/exchange.ts";
import { type Fields, parseJson } from "../core/json.ts";
import type { NamedRequest } from "../core/provider.ts";
import type { Method } from "./methods.ts";
import { badRequest, refusalAnswer, TelegramRefusal } from "./refusal.ts";
import type { World } from "./world.ts";

/** Fields that a form carries as JSON text. */
const STRUCTURED = new Set([
  "reply_markup",
  "reply_parameters",
  "entities",
  "caption_entities",
  "media",
  "allowed_updates",
  "link_preview_options",
]);
const SCALARS = /^(true|false|-?\d{1,15})$/;

/** `/bot<token>/<method>` and `/file/bot<token>/<path>`, by GET or POST, in a query, a form or JSON. */
export function receiveBotApi(
  world: World,
  methods: ReadonlyMap<string, Method>,
  received: Received,
): NamedRequest {
  const [, isFile, token = "", rest = ""] = /^\/(file\/)?bot([^/]*)\/(.*)$/.exec(received.path) ?? [];
  const refused = (operation: string, status: number, why: string): NamedRequest => ({
    operation,
    fields: {},
    answer: () => refusalAnswer(status, why),
  });
  if (!/^\d+:[\w-]+$/.test(token)) return refused("unknown", 404, "Not Found");
  if (token !== world.bot.token) return refused(rest, 401, "Unauthorized");
  if (isFile !== undefined) {
    return { operation: "file", fields: { path: rest }, answer: () => fileAnswer(world, rest) };
  }
  const method = methods.get(rest.toLowerCase());
  if (method === undefined) return refused(rest, 404, "Not Found");
  return nameCall(world, rest, method, received);
}

function nameCall(world: World, operation: string, method: Method, received: Received): NamedRequest {
  const body = bodyFields(received);
  const fromQuery = Object.fromEntries(received.query);
  const sent = { ...fromQuery, ...body.values };
  const fields = body.type === "json" ? sent : fromForm(sent);
  const { files } = body;
  const conversation = method.isMessage === true ? String(fields["chat_id"]) : undefined;
  return {
    operation,
    fields,
    ...(conversation === undefined ? {} : { conversation }),
    answer: () =>
      refusing(() => {
        if (body.values === undefined) throw badRequest("can't parse JSON object");
        const unknown = Object.keys(fields).find((name) => !method.fields.includes(name));
        if (unknown !== undefined) throw badRequest(`there is no field "${unknown}" in ${operation}`);
        return { status: 200, body: { ok: true, result: method.run({ world, fields, files }) } };
      }),
  };
}

function refusing(run: () => Answer): Answer {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof TelegramRefusal)) throw error;
    return refusalAnswer(error.status, error.message, error.parameters);
  }
}

function fromForm(sent: Fields): Fields {
  const fields: Fields = {};
  for (const [name, value] of Object.entries(sent)) {
    const isJson = typeof value === "string" && (STRUCTURED.has(name) || SCALARS.test(value));
    const isText = name === "text" || name === "caption";
    fields[name] = isJson && !isText ? (parseJson(value) ?? value) : value;
  }
  return fields;
}

function fileAnswer(world: World, path: string): Answer {
  const file = [...world.files.values()].find((each) => each.path === path);
  if (file === undefined) return refusalAnswer(404, "Not Found");
  return { status: 200, headers: { "content-type": "application/octet-stream" }, body: file.bytes };
}
