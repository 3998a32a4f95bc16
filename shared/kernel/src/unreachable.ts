import { ServiceFailure } from "./failure.ts";

/** Ends an exhaustive switch: the compiler proves it is never called, the runtime says so if it is. */
export function unreachable(value: never): never {
  throw new ServiceFailure("invariant_broken", {
    retry: "never",
    message: `unexpected ${JSON.stringify(value)}`,
  });
}
