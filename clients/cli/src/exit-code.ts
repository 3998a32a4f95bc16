import { InterludeError } from "@interlude/sdk";

/** What scripts may rely on; the README's table says the same. */
export const EXIT = {
  ok: 0,
  refused: 1,
  usage: 2,
  expired: 3,
  cancelled: 4,
  failed: 5,
  unreachable: 6,
  interrupted: 130,
} as const;

const BY_CODE = new Map<string, number>([
  ["usage", EXIT.usage],
  ["expired", EXIT.expired],
  ["cancelled", EXIT.cancelled],
  ["failed", EXIT.failed],
  ["delivery_failed", EXIT.failed],
  ["unreachable", EXIT.unreachable],
  ["unavailable", EXIT.unreachable],
]);

export function exitCodeOf(error: InterludeError): number {
  return BY_CODE.get(error.code) ?? EXIT.refused;
}

/** A fault of the command line, found before anything was sent. */
export function usage(message: string): InterludeError {
  return new InterludeError({ code: "usage", detail: message });
}

/** Ctrl-C, or the signal with which a supervisor stops programs. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}
