import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type JsonRefusal, parameterFaults, parseJsonText, CAPS } from "@interlude/contract";
import type { Actor } from "@interlude/domain";
import { type Json, ServiceFailure } from "@interlude/kernel";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { type Access, type AccessTable, DOOR_NAMES, type DoorName, mayUseInRun } from "./access-table.ts";
import type { RunRequest } from "./claim-use.ts";
import { clientAddress } from "./client-address.ts";
import { actorOf, type Authenticator, type Credential } from "./credentials.ts";
import type { Logger } from "./logger.ts";
import { isIdentity, isPlainJson } from "./media-type.ts";
import type { Metrics } from "./metrics.ts";
import { corsHeaders, isOwnOrigin, preflightHeaders } from "./origin.ts";
import { readBody } from "./read-body.ts";
import { alreadySent } from "./http-server.ts";
import { failureResponse, invalidRequest, problemResponse, textOf } from "./respond.ts";
import type { RequestContext, Route } from "./route.ts";

export type HttpAppDeps = {
  authenticator: Authenticator;
  access: AccessTable;
  logger: Logger;
  metrics: Metrics;
  publicOrigin: string | undefined;
  corsOrigins: readonly string[];
  trustedProxies: readonly string[];
};

export type HttpApp = Hono<{ Bindings: HttpBindings }>;
type HonoContext = Context<{ Bindings: HttpBindings }>;

/** Builds the HTTP face of one process from the routes it serves; the whole access table decides 405 and `Allow`. */
export function createHttpApp(routes: readonly Route[], deps: HttpAppDeps): HttpApp {
  const app: HttpApp = new Hono<{ Bindings: HttpBindings }>({ getPath: pathWithoutTrailingSlash });
  for (const route of inTableOrder(routes)) {
    const [method = "", path = ""] = route.door.split(" ");
    app.on(method, path, (context) => serve(route, context, deps));
  }
  app.notFound((context) => refuseUnrouted(context, deps));
  app.onError((error, context) => {
    logFailure(error, deps.logger, context.req.method, requestIdOf(context));
    return finished(failureResponse(error), context, deps);
  });
  return app;
}

/** Literal paths stand before patterns in the table, and must be matched first. */
function inTableOrder(routes: readonly Route[]): Route[] {
  return routes.toSorted((a, b) => DOOR_NAMES.indexOf(a.door) - DOOR_NAMES.indexOf(b.door));
}

function pathWithoutTrailingSlash(request: Request): string {
  const start = request.url.indexOf("/", request.url.indexOf("//") + 2);
  const end = request.url.indexOf("?", start);
  const path = request.url.slice(start, end === -1 ? undefined : end);
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

async function serve(route: Route, context: HonoContext, deps: HttpAppDeps): Promise<Response> {
  const startedAt = performance.now();
  const response = await admit(route, context, deps);
  deps.metrics.httpRequests.observe(
    { door: route.door, status: String(response.status) },
    (performance.now() - startedAt) / 1_000,
  );
  return route.constant === true ? response : written(finished(response, context, deps), context);
}

const SENT = alreadySent();

/** An answer that is one text is written in one go; any other takes the adapter's way through a stream. */
function written(response: Response, { env }: HonoContext): Response {
  const text = textOf(response);
  const outgoing = asServerResponse(env.outgoing);
  if (text === undefined || outgoing.headersSent || response.headers.has("set-cookie")) return response;
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    "content-length": Buffer.byteLength(text),
  });
  outgoing.end(text);
  return SENT;
}

/** The checks that come before a door's own, in the contract's order: 401, 403, 415, 413, malformed 400. */
async function admit(route: Route, context: HonoContext, deps: HttpAppDeps): Promise<Response> {
  const { incoming, outgoing } = context.env;
  const ambiguous = refuseTwoHosts(incoming);
  if (ambiguous !== undefined) return ambiguous;
  const credential = await deps.authenticator.authenticate({
    authorization: incoming.headers.authorization,
    cookie: incoming.headers.cookie,
  });
  const access = deps.access.get(route.door) ?? "closed";
  const denied =
    refuseActor(access, credential) ??
    refuseInRun(route.door, credential) ??
    refuseForeignPage(route, credential, incoming, deps);
  if (denied !== undefined) return problemResponse(denied);

  const body = await admitBody(route, incoming);
  if (!body.ok) return body.response;
  const param = (name: string) => context.req.param(name) ?? "";
  const strayed = refuseInRun(route.door, credential, { body: body.value, param });
  if (strayed !== undefined) return problemResponse(strayed);
  return (
    refuseQuery(route, incoming) ??
    route.handle(requestContext(context, credential, body.value, incoming, asServerResponse(outgoing), deps))
  );
}

/** RFC 9112, 3.2: whoever stands in front may have gone by the other one. */
function refuseTwoHosts({ rawHeaders }: IncomingMessage): Response | undefined {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === "host") hosts += 1;
  }
  if (hosts < 2) return undefined;
  return invalidRequest([{ path: "Host", message: "Host must be given once" }]);
}

function refuseQuery({ query = [], constant }: Route, incoming: IncomingMessage): Response | undefined {
  const text = queryOf(incoming);
  if (text === "" || query === "unchecked" || constant === true) return undefined;
  const faults = parameterFaults(new URLSearchParams(text), query);
  return faults.length === 0 ? undefined : invalidRequest(faults);
}

function refuseActor(access: Access, credential: Credential | undefined) {
  if (access === "closed") return { code: "not_found", detail: "This door is closed." } as const;
  if (access !== "public") {
    if (credential === undefined) {
      const detail = "A valid API key, token or session is needed.";
      return { code: "unauthenticated", detail, headers: { "www-authenticate": "Bearer" } } as const;
    }
    if (!credential.roles.some((role) => access.includes(role))) {
      return { code: "forbidden", detail: `This needs the role ${access.join(" or ")}.` } as const;
    }
  }
  return undefined;
}

function refuseInRun(door: DoorName, credential: Credential | undefined, request?: RunRequest) {
  if (credential?.run === undefined || credential.claim === undefined) return undefined;
  const scope = { run: credential.run, claimId: credential.claim.claimId };
  if (mayUseInRun(door, scope, request)) return undefined;
  const detail = "The token of a claim may ask, park, read and upload for the run of its claim alone.";
  return { code: "forbidden", detail } as const;
}

/** The constant public doors take no credential: their own pages, sent without referrer, have no origin to show. */
function refuseForeignPage(
  route: Route,
  credential: Credential | undefined,
  incoming: IncomingMessage,
  deps: HttpAppDeps,
) {
  const changes = incoming.method !== "GET" && incoming.method !== "HEAD";
  if (!changes || route.constant === true) return undefined;
  const { origin, host } = incoming.headers;
  if (credential?.kind === "session" && !isOwnOrigin(origin, host, deps.publicOrigin)) {
    return { code: "forbidden", detail: "A signed-in page may only send from its own origin." } as const;
  }
  return undefined;
}

type AdmittedBody = { ok: true; value: Json } | { ok: false; response: Response };

async function admitBody(route: Route, incoming: IncomingMessage): Promise<AdmittedBody> {
  if (route.body === "none" || route.body === "raw") return { ok: true, value: null };
  const { "content-type": contentType, "content-encoding": contentEncoding } = incoming.headers;
  const mayBeEmpty = route.body === "optional" && contentType === undefined && isIdentity(contentEncoding);
  if (mayBeEmpty) return admitEmpty(incoming);
  if (!isPlainJson(contentType, contentEncoding)) return { ok: false, response: unsupportedBody() };
  const maxBytes = route.maxBytes ?? CAPS.BODY_MAX_BYTES;
  const read = await readBody(incoming, maxBytes);
  if (!read.ok) {
    const detail = `The body may have ${maxBytes} bytes at most.`;
    return {
      ok: false,
      response: problemResponse({ code: "payload_too_large", detail, headers: { connection: "close" } }),
    };
  }
  const parsed = parseJsonText(read.bytes);
  if (parsed.ok) return parsed;
  return { ok: false, response: invalidRequest(parsed.faults, REFUSED_JSON[parsed.reason]) };
}

const REFUSED_JSON: Readonly<Record<JsonRefusal, string>> = {
  malformed: "The body is not valid JSON.",
  too_deep: "The body is nested too deeply.",
  unkept: "The body holds what cannot be kept.",
};

/** What has no type is no body: bytes all the same are of a type that the door does not take. */
async function admitEmpty(incoming: IncomingMessage): Promise<AdmittedBody> {
  const read = await readBody(incoming, 0);
  return read.ok
    ? { ok: true, value: {} }
    : { ok: false, response: unsupportedBody({ connection: "close" }) };
}

function unsupportedBody(headers: Readonly<Record<string, string>> = {}): Response {
  const detail = "The body must be application/json in UTF-8, not compressed.";
  return problemResponse({ code: "unsupported_media_type", detail, headers });
}

function requestContext(
  context: HonoContext,
  credential: Credential | undefined,
  body: Json,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  deps: HttpAppDeps,
): RequestContext {
  const actor: Actor = credential === undefined ? { kind: "anonymous" } : actorOf(credential);
  const header = (name: string) => {
    const value = incoming.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  };
  const traceparent = header("traceparent");
  const tracestate = header("tracestate");
  return {
    actor,
    credential,
    body,
    param: (name) => context.req.param(name) ?? "",
    query: new URLSearchParams(queryOf(incoming)),
    header,
    requestId: requestIdOf(context),
    commonHeaders: commonHeaders(context, deps),
    trace: isTraceparent(traceparent)
      ? { traceparent, ...(tracestate === undefined ? {} : { tracestate }) }
      : undefined,
    get clientAddress() {
      return clientAddress(
        incoming.socket.remoteAddress ?? "",
        header("x-forwarded-for"),
        deps.trustedProxies,
      );
    },
    get signal() {
      return goneSignal(outgoing);
    },
    incoming,
    outgoing,
  };
}

function queryOf(incoming: IncomingMessage): string {
  const url = incoming.url ?? "";
  const start = url.indexOf("?");
  return start === -1 ? "" : url.slice(start + 1);
}

function isTraceparent(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(text);
}

function goneSignal(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    controller.abort();
  };
  // A connection that is closed already says so no second time.
  if (outgoing.closed || outgoing.destroyed) abort();
  else outgoing.once("close", abort);
  return controller.signal;
}

/** HTTP/2 is not offered: the outgoing side is always HTTP/1's. */
function asServerResponse(outgoing: HttpBindings["outgoing"]): ServerResponse {
  if ("stream" in outgoing) throw new ServiceFailure("invariant_broken", { retry: "never" });
  return outgoing;
}

const requestIds = new WeakMap<object, string>();

function requestIdOf(context: HonoContext): string {
  const key = context.env.incoming;
  const known = requestIds.get(key);
  if (known !== undefined) return known;
  const given = key.headers["x-request-id"];
  const id = typeof given === "string" && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUUID();
  requestIds.set(key, id);
  return id;
}

function finished(response: Response, context: HonoContext, deps: HttpAppDeps): Response {
  for (const [name, value] of Object.entries(commonHeaders(context, deps))) response.headers.set(name, value);
  return response;
}

/** What every response carries, the constant public ones excepted. */
function commonHeaders(context: HonoContext, deps: HttpAppDeps): Record<string, string> {
  const cors = corsHeaders(context.env.incoming.headers.origin, deps.corsOrigins);
  return { "x-request-id": requestIdOf(context), ...cors };
}

const PATTERNS = pathPatterns();

function pathPatterns(): { pattern: RegExp; methods: string[]; doors: DoorName[] }[] {
  const byPath = new Map<string, { pattern: RegExp; methods: string[]; doors: DoorName[] }>();
  for (const door of DOOR_NAMES) {
    const [method = "", path = ""] = door.split(" ");
    const known = byPath.get(path) ?? {
      pattern: new RegExp(`^${path.replaceAll(/:[A-Za-z]+/g, "[^/]+")}$`),
      methods: [],
      doors: [],
    };
    known.methods.push(...(method === "GET" ? ["GET", "HEAD"] : [method]));
    known.doors.push(door);
    byPath.set(path, known);
  }
  return [...byPath.values()];
}

/** A path that is some door's, by another method, is 405 with `Allow`; OPTIONS tells and changes nothing. */
function refuseUnrouted(context: HonoContext, deps: HttpAppDeps): Response {
  const path = pathWithoutTrailingSlash(context.req.raw);
  const found = PATTERNS.find(({ pattern }) => pattern.test(path));
  if (found === undefined || !decodes(path)) {
    return finished(problemResponse({ code: "not_found", detail: "There is nothing here." }), context, deps);
  }
  const allow = [...found.methods, "OPTIONS"].join(", ");
  if (context.req.method === "OPTIONS") {
    const preflight = preflightHeaders(context.env.incoming.headers.origin, deps.corsOrigins, allow);
    return finished(new Response(null, { status: 204, headers: { allow, ...preflight } }), context, deps);
  }
  if (found.methods.includes(context.req.method)) {
    return finished(
      problemResponse({ code: "not_found", detail: "This process does not serve that door." }),
      context,
      deps,
    );
  }
  const detail = `This door takes ${allow}.`;
  return finished(problemResponse({ code: "method_not_allowed", detail, headers: { allow } }), context, deps);
}

function decodes(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function logFailure(error: unknown, logger: Logger, method: string, requestId: string): void {
  if (error instanceof ServiceFailure && error.retry === "later") {
    logger.warn("request failed", { code: error.code, requestId, method, reason: error.message });
    return;
  }
  logger.error("request broke", {
    requestId,
    method,
    stack: error instanceof Error ? error.stack : String(error),
  });
}
