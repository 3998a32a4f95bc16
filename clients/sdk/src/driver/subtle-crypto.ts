import { InterludeError } from "../errors.ts";

/** The same in Node and browsers. Browsers keep it from pages that came without TLS, whatever the declarations say. */
export function subtleCrypto(): typeof crypto.subtle {
  if (!("subtle" in crypto)) {
    throw new InterludeError({
      code: "unsupported",
      detail: "This page has no crypto.subtle, which browsers give to pages that came over TLS only",
    });
  }
  return crypto.subtle;
}
