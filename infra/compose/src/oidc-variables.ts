import { isIssuer, type OidcSettings } from "@interlude/oidc";
import { z } from "zod";

const given = z.string().min(1).optional();

/** The variables about an OpenID Connect provider; what they mean together is looked at once all are read. */
export const OIDC_VARIABLES = {
  INTERLUDE_OIDC_ISSUER: z
    .string()
    .refine(isIssuer, "must be an https URL without a query (http for localhost, 127.0.0.1 and [::1] only)")
    .optional(),
  INTERLUDE_OIDC_AUDIENCE: given,
  INTERLUDE_OIDC_CLIENT_ID: given,
  INTERLUDE_OIDC_CLIENT_SECRET: given,
  INTERLUDE_OIDC_ROLES_CLAIM: given,
  INTERLUDE_OIDC_GROUPS_CLAIM: given,
  INTERLUDE_OIDC_SCOPE: z
    .string()
    .refine((scope) => scope.split(" ").includes("openid"), "must hold openid")
    .optional(),
};

type Given = z.infer<z.ZodObject<typeof OIDC_VARIABLES>>;

/** A half of it would leave doors shut or open that the operator believes otherwise. */
export function oidcFaults(given: Given): { path: [string]; message: string }[] {
  const isSet = (name: keyof Given) => given[name] !== undefined;
  const faults: { path: [string]; message: string }[] = [];
  const need = (name: keyof Given, beside: keyof Given) => {
    if (isSet(beside) && !isSet(name)) faults.push({ path: [name], message: `is needed beside ${beside}` });
  };
  const first = ALL.find((name) => isSet(name));
  if (first !== undefined) need("INTERLUDE_OIDC_ISSUER", first);
  need("INTERLUDE_OIDC_AUDIENCE", "INTERLUDE_OIDC_ISSUER");
  need("INTERLUDE_OIDC_CLIENT_ID", "INTERLUDE_OIDC_CLIENT_SECRET");
  need("INTERLUDE_OIDC_CLIENT_ID", "INTERLUDE_OIDC_SCOPE");
  return faults;
}

const ALL = [
  "INTERLUDE_OIDC_AUDIENCE",
  "INTERLUDE_OIDC_CLIENT_ID",
  "INTERLUDE_OIDC_CLIENT_SECRET",
  "INTERLUDE_OIDC_ROLES_CLAIM",
  "INTERLUDE_OIDC_GROUPS_CLAIM",
  "INTERLUDE_OIDC_SCOPE",
] as const satisfies readonly (keyof Given)[];

export function oidcSettings(given: Given): OidcSettings | undefined {
  const { INTERLUDE_OIDC_ISSUER: issuer, INTERLUDE_OIDC_AUDIENCE: audience } = given;
  if (issuer === undefined || audience === undefined) return undefined;
  const { INTERLUDE_OIDC_CLIENT_ID: id, INTERLUDE_OIDC_CLIENT_SECRET: secret } = given;
  const scope = given.INTERLUDE_OIDC_SCOPE ?? "openid";
  return {
    issuer,
    audience,
    rolesClaim: given.INTERLUDE_OIDC_ROLES_CLAIM ?? "roles",
    groupsClaim: given.INTERLUDE_OIDC_GROUPS_CLAIM ?? "groups",
    ...(id === undefined ? {} : { client: { id, scope, ...(secret === undefined ? {} : { secret }) } }),
  };
}
