import {
  ALL_SERVICES,
  DUTIES,
  type Permissions,
  permissionsOf,
  permissionsOfAll,
  type ServiceUser,
} from "./permissions.ts";

const SERVICES = Object.keys(DUTIES).filter((name): name is ServiceUser => name in DUTIES);

/** `provision` may do everything; `interlude` is for one process with all services; the others are one service each. */
export const NATS_USERS = ["provision", ALL_SERVICES, ...SERVICES] as const;
export type NatsUser = (typeof NATS_USERS)[number];

/**
 * The part of a nats-server's configuration that says who may do what: one account, one user a service. A password
 * is a text, or the name of the variable it is in (`$ASKER`).
 */
export function usersConfiguration(passwordOf: (user: NatsUser) => string): string {
  const users = NATS_USERS.map((user) => {
    const permissions = permissionsFor(user);
    const password = passwordOf(user);
    const shown = password.startsWith("$") ? password : JSON.stringify(password);
    const rest =
      permissions === undefined ? "" : `\n        permissions: ${JSON.stringify(permissions, null, 2)}`;
    return `      { user: ${user}, password: ${shown}${rest} }`;
  });
  return `accounts {\n  INTERLUDE {\n    jetstream: enabled\n    users: [\n${users.join("\n")}\n    ]\n  }\n}\n`;
}

function permissionsFor(user: NatsUser): Permissions | undefined {
  if (user === "provision") return undefined;
  return user === ALL_SERVICES ? permissionsOfAll() : permissionsOf(user);
}
