import { randomBytes } from "node:crypto";
import { NATS_USERS, type NatsUser, usersConfiguration } from "@interlude/infra-nats";
import { type OwnServer, startOwnNats } from "@interlude/testing";

/** A log's server that knows one user a service, with passwords made for this start. */
export type NatsWithUsers = {
  /** The server as who may do everything sees it. */
  asAdmin: OwnServer;
  urlOf(user: NatsUser): string;
};

export async function startNatsWithUsers(): Promise<NatsWithUsers> {
  const passwords = new Map(NATS_USERS.map((user) => [user, randomBytes(24).toString("base64url")]));
  const passwordOf = (user: NatsUser) => passwords.get(user) ?? "";
  const server = await startOwnNats({ configuration: usersConfiguration(passwordOf) });
  const urlOf = (user: NatsUser) => server.url.replace("nats://", `nats://${user}:${passwordOf(user)}@`);
  return {
    urlOf,
    asAdmin: {
      ...server,
      url: urlOf("provision"),
      get pid() {
        return server.pid;
      },
    },
  };
}
