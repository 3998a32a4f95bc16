import { learnServerTime } from "./server-time.ts";
import { isJsonArray, isJsonObject, own, ownText, parseJson, type Json } from "./json.ts";

export type FieldFault = { path: string; message: string };

/** A door said no, or did not answer (`status` 0). `code` is the server's; `offline` is ours. */
export class DoorError extends Error {
  override readonly name = "DoorError";
  readonly status: number;
  readonly code: string;
  readonly faults: readonly FieldFault[];
  readonly retryAfterSeconds: number;

  constructor(status: number, code: string, detail: string, faults: readonly FieldFault[], retryAfter = 0) {
    super(detail);
    this.status = status;
    this.code = code;
    this.faults = faults;
    this.retryAfterSeconds = retryAfter;
  }
}

type Call = {
  method?: "GET" | "POST" | "DELETE";
  body?: Json;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};

const signedOutListeners = new Set<() => void>();

/** Told whenever any door says 401: the session ended, whoever noticed first. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

export function announceSignedOut(): void {
  for (const listener of signedOutListeners) listener();
}

function parseFaults(value: Json | undefined): FieldFault[] {
  if (!isJsonArray(value)) return [];
  return value.flatMap((fault) =>
    isJsonObject(fault)
      ? [{ path: ownText(fault, "path") ?? "", message: ownText(fault, "message") ?? "" }]
      : [],
  );
}

async function failureOf(response: Response): Promise<DoorError> {
  const problem = parseJson(await response.text().catch(() => ""));
  const body = isJsonObject(problem) ? problem : {};
  return new DoorError(
    response.status,
    ownText(body, "code") ?? "",
    ownText(body, "detail") ?? ownText(body, "title") ?? "",
    parseFaults(own(body, "errors")),
    Number(response.headers.get("retry-after") ?? 0) || 0,
  );
}

/** One request to our own origin. Resolves with the body's JSON (null when empty), rejects with a `DoorError`. */
export async function call(path: string, options: Call = {}): Promise<Json> {
  const { method = "GET", body, headers = {}, signal } = options;
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
      credentials: "same-origin",
      cache: "no-store",
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new DoorError(0, "offline", "", []);
  }
  learnServerTime(response.headers.get("date"));
  if (response.status === 401 && path !== "/api/session") announceSignedOut();
  if (!response.ok) throw await failureOf(response);
  return parseJson(await response.text()) ?? null;
}
