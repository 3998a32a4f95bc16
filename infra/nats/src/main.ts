import { usersConfiguration } from "./users.ts";

/** Prints the users for a server whose environment holds their passwords, as `NATS_PASSWORD_ASKER`. */
process.stdout.write(
  usersConfiguration((user) => `$NATS_PASSWORD_${user.toUpperCase().replaceAll("-", "_")}`),
);
