import { type Role, ROLES } from "@interlude/domain";
import { z } from "zod";

/** Who a provider's claims speak of, and what they may here. */
export type Identity = { subject: string; roles: readonly Role[]; groups: string[] };

export type ClaimNames = { rolesClaim: string; groupsClaim: string };
type Claims = Readonly<Record<string, unknown>>;

const Name = z.string().min(1).max(512);
const Subject = Name.refine((name) => !name.startsWith("group:"));
const Branch = z.record(z.string(), z.unknown());

/** `undefined` where `sub` is no name that somebody may have here. */
export function identityOf(claims: Claims, { rolesClaim, groupsClaim }: ClaimNames): Identity | undefined {
  const subject = Subject.safeParse(claims["sub"]);
  if (!subject.success) return undefined;
  const told = new Set(words(claimAt(claims, rolesClaim)));
  return {
    subject: subject.data,
    // What else a provider calls a role is no role here.
    roles: ROLES.filter((role) => told.has(role)),
    groups: [...new Set(names(claimAt(claims, groupsClaim)))],
  };
}

/** A claim by its whole name first (names may be URLs), then by its path: `realm_access.roles`. */
export function claimAt(claims: Claims, path: string): unknown {
  const whole = own(claims, path);
  if (whole !== undefined) return whole;
  let value: unknown = claims;
  for (const step of path.split(".")) {
    const branch = Branch.safeParse(value);
    if (!branch.success) return undefined;
    value = own(branch.data, step);
  }
  return value;
}

function own(claims: Claims, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}

/** A list, or one text as OAuth writes scopes. */
function words(value: unknown): string[] {
  return typeof value === "string" ? value.split(/\s+/) : names(value);
}

/** One name, or a list of them; what is no name is left out. */
function names(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((entry) => {
    const name = Name.safeParse(entry);
    return name.success ? [name.data] : [];
  });
}
