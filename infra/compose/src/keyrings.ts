import { ServiceFailure } from "@interlude/kernel";
import { type Keyring, parseKeyring } from "@interlude/secrets";
import type { Config } from "./config.ts";

export type Keyrings = Readonly<Record<"ticket" | "data" | "session", Keyring>>;

const VARIABLES = {
  ticket: "INTERLUDE_TICKET_KEYS",
  data: "INTERLUDE_DATA_KEYS",
  session: "INTERLUDE_SESSION_KEYS",
} as const;

/** The configured key rings, or the generated ones of a development home. */
export function readKeyrings(config: Config, generated?: Readonly<Record<keyof Keyrings, string>>): Keyrings {
  const ring = (name: keyof Keyrings) => {
    const text = config.keyrings[name] ?? generated?.[name];
    if (text !== undefined) return parseKeyring(text, VARIABLES[name]);
    const message = `${VARIABLES[name]} is needed: a comma list of kid:base64url keys of 32 bytes or more`;
    throw new ServiceFailure("configuration_invalid", { retry: "never", message });
  };
  return { ticket: ring("ticket"), data: ring("data"), session: ring("session") };
}
