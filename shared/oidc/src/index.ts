export { createOidc, type Oidc, type OidcDeps } from "./oidc.ts";
export type { Identity } from "./identity.ts";
export { isIssuer, type OidcSettings } from "./settings.ts";
export type { SignIn, SignInOutcome, SignInSecrets } from "./sign-in.ts";
