import type { IncomingMessage, ServerResponse } from "node:http";
import type { Actor } from "@interlude/domain";
import type { TraceContext } from "@interlude/event-log";
import type { Json } from "@interlude/kernel";
import type { DoorName } from "./access-table.ts";
import type { Credential } from "./credentials.ts";

/** What a door's code gets; who may come in has been decided before. */
export type RequestContext = {
  actor: Actor;
  credential: Credential | undefined;
  /** The parsed body of a `json` door; `{}` where an optional one is empty. */
  body: Json;
  param(name: string): string;
  query: URLSearchParams;
  header(name: string): string | undefined;
  requestId: string;
  /** What a door that writes by itself sends beside its own headers. */
  commonHeaders: Readonly<Record<string, string>>;
  trace: TraceContext | undefined;
  /** The client's address, as seen through trusted proxies. */
  clientAddress: string;
  /** Aborts when the client goes away. */
  signal: AbortSignal;
  incoming: IncomingMessage;
  /** For doors that write by themselves (streams); such a door returns `alreadySent`. */
  outgoing: ServerResponse;
};

/** `raw` doors read their body themselves; `optional` ones take a JSON body or none. */
export type BodyKind = "none" | "json" | "optional" | "raw";

export type Route = {
  door: DoorName;
  body: BodyKind;
  maxBytes?: number;
  /**
   * The query's parameters that the door takes, each once; others are refused. `unchecked`: the door looks at them
   * itself, or what it serves is the same whatever stands there.
   */
  query?: readonly string[] | "unchecked";
  /** The door's replies are constant for the public: no request id, no problem documents. */
  constant?: boolean;
  handle(context: RequestContext): Promise<Response> | Response;
};
