import { type Fault, InterludeError } from "../errors.ts";
import { isObject } from "../json.ts";
import type { HttpReply } from "./transport.ts";

function faultsOf(value: unknown): Fault[] {
  if (!Array.isArray(value)) return [];
  const entries: unknown[] = value;
  return entries.flatMap((entry) => {
    if (!isObject(entry)) return [];
    const { path, message } = entry;
    return typeof path === "string" && typeof message === "string" ? [{ path, message }] : [];
  });
}

/** The code of a problem document; undefined for what a proxy or another server answered. */
export function codeOf(reply: HttpReply): string | undefined {
  const code = isObject(reply.body) ? reply.body["code"] : undefined;
  return typeof code === "string" ? code : undefined;
}

export function isSuccess(reply: HttpReply): boolean {
  return reply.status >= 200 && reply.status < 300;
}

/** The typed error of an answer that is not a success. */
export function problemOf(reply: HttpReply, interactionId?: string): InterludeError {
  const code = codeOf(reply);
  if (code === undefined || !isObject(reply.body)) {
    return new InterludeError({
      code: "unexpected_response",
      status: reply.status,
      detail: `The server answered ${reply.status} with no problem document; is this the address of Interlude?`,
      requestId: reply.requestId,
      interactionId,
    });
  }
  const { detail, title, errors } = reply.body;
  return new InterludeError({
    code,
    status: reply.status,
    detail: typeof detail === "string" ? detail : typeof title === "string" ? title : code,
    errors: faultsOf(errors),
    requestId: reply.requestId,
    interactionId,
    problem: reply.body,
  });
}
