import type { Json, JsonObject } from "@interlude/kernel";
import { problem, type ProblemCode } from "../problem.ts";
import type { Door, DoorAccess, Reply } from "./door.ts";
import { INTERACTION_DOORS } from "./interaction-doors.ts";
import { OTHER_DOORS } from "./other-doors.ts";
import { ProblemReply } from "./replies.ts";
import { RUN_DOORS } from "./run-doors.ts";
import { type Components, schemaOf } from "./schema.ts";

export type OpenApiInfo = Readonly<{
  version: string;
  serverUrl?: string;
  /** Who may use which door (`POST /api/interactions/:id/answer`) where that differs from the defaults. */
  access?: ReadonlyMap<string, DoorAccess>;
}>;

const DOORS: readonly Door[] = [...INTERACTION_DOORS, ...RUN_DOORS, ...OTHER_DOORS];
const CREDENTIALS = [{ bearer: [] }, { session: [] }];

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function reply(each: Reply, components: Components): JsonObject {
  if (each.schema === undefined && each.type === undefined) return { description: each.description };
  const schema = each.schema === undefined ? {} : schemaOf(each.schema, components);
  return { description: each.description, content: { [each.type ?? "application/json"]: { schema } } };
}

/** Problems share a status; each answer lists the codes that it can carry. */
function problemReplies(codes: readonly ProblemCode[]): Record<string, JsonObject> {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of new Set(codes)) {
    const { status } = problem(code, "");
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const replies: Record<string, JsonObject> = {};
  for (const [status, each] of byStatus) {
    replies[status] = {
      description: each.map((code) => `\`${code}\``).join(", "),
      content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
    };
  }
  return replies;
}

function requestBody(body: NonNullable<Door["body"]>, components: Components): JsonObject {
  const schema = body.schema === undefined ? {} : schemaOf(body.schema, components);
  const content: Record<string, Json> = {};
  for (const type of body.types ?? ["application/json"]) content[type] = { schema };
  return { required: body.required ?? false, content };
}

function operation(door: Door, access: DoorAccess, components: Components): JsonObject {
  const everywhere: ProblemCode[] = access === "public" ? [] : ["unauthenticated", "forbidden"];
  // What is public of itself says what it refuses: some of it is the same with any query.
  if (door.access !== "public") everywhere.push("validation_failed");
  const parameters = (door.parameters ?? []).map((parameter) => ({
    schema: { type: "string" },
    ...parameter,
  }));
  const responses: Record<string, Json> = problemReplies([
    ...door.problems,
    ...everywhere,
    "method_not_allowed",
    "rate_limited",
    "unavailable",
  ]);
  for (const each of door.replies) responses[each.status] = reply(each, components);
  return {
    summary: door.summary,
    parameters: [...pathParameters(door.path), ...parameters],
    ...(door.body === undefined ? {} : { requestBody: requestBody(door.body, components) }),
    responses,
    ...(access === "public" ? { security: [] } : { security: CREDENTIALS }),
    "x-access": access,
  };
}

/** `POST /api/interactions/:id/answer`: how the access table calls a door. */
function doorName(door: Door): string {
  return `${door.method.toUpperCase()} ${door.path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
}

/** OpenAPI 3.1 of every door. */
export function openApiDocument(info: OpenApiInfo): JsonObject {
  const components: Components = new Map();
  schemaOf(ProblemReply, components);
  const paths: Record<string, Record<string, Json>> = {};
  for (const door of DOORS) {
    const access = info.access?.get(doorName(door)) ?? door.access;
    (paths[door.path] ??= {})[door.method] = operation(door, access, components);
  }
  return {
    openapi: "3.1.0",
    info: { title: "Interlude", version: info.version, license: { name: "MIT", identifier: "MIT" } },
    ...(info.serverUrl === undefined ? {} : { servers: [{ url: info.serverUrl }] }),
    paths,
    components: {
      schemas: Object.fromEntries(components),
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        session: { type: "apiKey", in: "cookie", name: "interlude_session" },
      },
    },
  };
}
