import type { FieldFault } from "@interlude/contract";

export type Recipients = Readonly<{
  default: string | undefined;
  /** Who may be written to; undefined: anybody. */
  allowed: readonly string[] | undefined;
}>;

/** What is wrong with an ask's recipient. The default one is the operator's and needs no permission. */
export function recipientFaults(
  recipient: string | undefined,
  { default: fallback, allowed }: Recipients,
  channel: { name: string; address: (recipient: string) => string; shape: RegExp; example: string },
): FieldFault[] {
  const fault = (message: string): FieldFault[] => [{ path: "/recipient", message: `recipient ${message}` }];
  const variable = channel.name.toUpperCase();
  if (recipient === undefined) {
    return fallback === undefined ? fault(`is required: ${variable}_DEFAULT_RECIPIENT is not set`) : [];
  }
  if (!channel.shape.test(recipient)) return fault(`must be ${channel.example} on channel ${channel.name}`);
  if (allowed === undefined) return [];
  const isAllowed = allowed.some((each) => channel.address(each) === channel.address(recipient));
  return isAllowed ? [] : fault(`is not among ${variable}_ALLOWED_RECIPIENTS`);
}
