import { canonicalJson, type Json } from "@interlude/kernel";

/** A branch of a choice, as read. */
export type Constant = { readonly "x-const": { readonly value: Json } };

/** Are the branches of a choice, as read, nothing but constants? */
export function areConstants(branches: unknown): branches is readonly Constant[] {
  return Array.isArray(branches) && branches.every(isConstant);
}

function isConstant(branch: unknown): branch is Constant {
  return typeof branch === "object" && branch !== null && Object.keys(branch).join() === "x-const";
}

/** Whether a value is one of the constants; of a constant that stands twice, `oneOf` says that it is not. */
export function choiceOf(branches: readonly Constant[], isExclusive: boolean): (value: Json) => boolean {
  const counts = new Map<string, number>();
  for (const branch of branches) {
    const key = canonicalJson(branch["x-const"].value);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return (value) => {
    const count = counts.get(canonicalJson(value)) ?? 0;
    return isExclusive ? count === 1 : count > 0;
  };
}
