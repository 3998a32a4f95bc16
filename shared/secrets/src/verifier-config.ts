import { pointer } from "@interlude/kernel";
import { z } from "zod";

const DEFAULT_TOLERANCE_SECONDS = 300;
const LONGEST_TOLERANCE_SECONDS = 86_400;

const SecretRef = z
  .string("names a secret")
  .regex(/^\S(.{0,254}\S)?$/u, "is 1 to 256 characters, neither first nor last of them a space");
const HeaderName = z
  .string("is a header's name")
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, "is not a header's name")
  .transform((name) => name.toLowerCase());
const ToleranceSeconds = z
  .int("is a whole number of seconds")
  .min(1, "is at least 1")
  .max(LONGEST_TOLERANCE_SECONDS, `is at most ${LONGEST_TOLERANCE_SECONDS}`);

const Plain = z.strictObject({ secret_ref: SecretRef });
const Stripe = z.strictObject({
  secret_ref: SecretRef,
  tolerance_seconds: ToleranceSeconds.default(DEFAULT_TOLERANCE_SECONDS),
});
const SharedSecret = z.strictObject({
  secret_ref: SecretRef,
  header: HeaderName,
  id_header: HeaderName.optional(),
});

const VerifierShape = z.discriminatedUnion(
  "name",
  [
    z.strictObject({ name: z.literal("github"), config: Plain }),
    z.strictObject({ name: z.literal("stripe"), config: Stripe }),
    z.strictObject({ name: z.literal("slack"), config: Plain }),
    z.strictObject({ name: z.literal("shared_secret"), config: SharedSecret }),
  ],
  "is one of github, stripe, slack, shared_secret",
);

export type Verifier = z.infer<typeof VerifierShape>;

/** `path` is a JSON Pointer within the verifier; whoever knows where it stands puts that in front. */
export type VerifierFault = { readonly path: string; readonly message: string };

/** Every fault of a verifier as an asker gives it: exactly its keys, a secret by name and never by value. */
export function checkVerifierConfig(verifier: unknown): readonly VerifierFault[] {
  const parsed = VerifierShape.safeParse(verifier);
  return parsed.success ? [] : parsed.error.issues.flatMap(faultsOf);
}

/** The verifier that a stored question carries; undefined when it is none that this version knows. */
export function readVerifier(verifier: unknown): Verifier | undefined {
  return VerifierShape.safeParse(verifier).data;
}

/** Whether the body itself is signed: then an empty one proves nothing, and no query may stand in for it. */
export function isBodySigning(verifier: Verifier): boolean {
  return verifier.name !== "shared_secret";
}

function faultsOf(issue: z.core.$ZodIssue): VerifierFault[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      path: pointer("", ...issue.path, key),
      message: `${JSON.stringify(key)} is not a field of this verifier`,
    }));
  }
  const name = issue.path.at(-1);
  const subject = typeof name === "string" ? name : "verifier";
  return [{ path: pointer("", ...issue.path), message: `${subject} ${messageOf(issue)}` }];
}

// Where no object stands zod says so in its own words; ours are predicates of the field's name.
function messageOf(issue: z.core.$ZodIssue): string {
  return issue.code === "invalid_type" && issue.expected === "object" ? "is an object" : issue.message;
}
