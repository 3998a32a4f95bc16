export { NATS_USERS, type NatsUser, usersConfiguration } from "./users.ts";
