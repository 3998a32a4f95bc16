import type { Recipients } from "./recipients.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

/** `half_set` and `invalid` are named at start; such a channel refuses its own asks and no others. */
export type ChannelSetup<Config> =
  | Readonly<{ state: "unset" }>
  | Readonly<{ state: "half_set"; missing: readonly string[] }>
  | Readonly<{ state: "invalid"; faults: readonly string[] }>
  | Readonly<{ state: "set"; config: Config }>;

export type Rule = Readonly<{ needed: boolean; fault?: (value: string) => string | undefined }>;

/** What an address of a provider's API must be; a trailing slash says nothing more. */
export const API_URL: Rule = {
  needed: false,
  fault: (value) => {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
    const isPlain = url !== undefined && `${url.username}${url.password}${url.search}${url.hash}` === "";
    return isWeb && isPlain ? undefined : "must be an http or https URL without user, query and fragment";
  },
};

export const SECRET: Rule = {
  needed: true,
  fault: (value) => (/^[!-~]+$/.test(value) ? undefined : "must be of visible ASCII characters"),
};

export const TEXT: Rule = { needed: false };

const fault = (name: string, rule: Rule, value: string | undefined): string[] => {
  const wrong = value === undefined ? undefined : rule.fault?.(value);
  // The value itself may be a secret.
  return wrong === undefined ? [] : [`${name} ${wrong}`];
};

/** Reads a channel's variables by their rules; one set to nothing is not set. No message holds a value. */
export function readSetup<Names extends string, Config>(
  environment: Variables,
  rules: Readonly<Record<Names, Rule>>,
  build: (value: (name: Names) => string, optional: (name: Names) => string | undefined) => Config,
): ChannelSetup<Config> {
  const names = Object.keys(rules).filter((name): name is Names => Object.hasOwn(rules, name));
  const optional = (name: Names): string | undefined =>
    environment[name] === "" ? undefined : environment[name];
  if (names.every((name) => optional(name) === undefined)) return { state: "unset" };
  const missing = names.filter((name) => rules[name].needed && optional(name) === undefined);
  if (missing.length > 0) return { state: "half_set", missing };
  const faults = names.flatMap((name) => fault(name, rules[name], optional(name)));
  if (faults.length > 0) return { state: "invalid", faults };
  return { state: "set", config: build((name) => optional(name) ?? "", optional) };
}

export function readRecipients(fallback: string | undefined, allowed: string | undefined): Recipients {
  const list = allowed
    ?.split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return { default: fallback, allowed: list };
}

/** An address with exactly one slash at its end, so that paths can be put behind it. */
export function apiBase(given: string | undefined, fallback: string): string {
  return `${(given ?? fallback).replace(/\/+$/, "")}/`;
}
