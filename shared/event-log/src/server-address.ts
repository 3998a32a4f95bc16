import { ServiceFailure } from "@interlude/kernel";

/** Where the servers are and as whom to connect. Only `servers` may be shown: no credential is left in it. */
export type ServerAddress = {
  servers: string[];
  credentials: { user: string; pass: string } | { token: string } | Record<string, never>;
};

/**
 * Reads `nats://host:port`, or several with commas; `user:password@` or `token@` before a host says as whom, for
 * all of them. @throws ServiceFailure `configuration_invalid`, which says nothing of the text: it may hold a secret.
 */
export function readServerAddress(text: string): ServerAddress {
  const urls = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => parse(part.includes("://") ? part : `nats://${part}`));
  const named = urls.find(({ username, password }) => username !== "" || password !== "");
  const servers = urls.map((url) => `${url.protocol}//${url.host}`);
  return { servers, credentials: named === undefined ? {} : credentialsOf(named) };
}

function parse(text: string): URL {
  // The error of `new URL` carries its input.
  if (!URL.canParse(text) || new URL(text).host === "") {
    const message = "NATS_URL is no address of the form nats://[user:password@]host:port";
    throw new ServiceFailure("configuration_invalid", { retry: "never", message });
  }
  return new URL(text);
}

function credentialsOf({ username, password }: URL): ServerAddress["credentials"] {
  if (password === "") return { token: decoded(username) };
  return { user: decoded(username), pass: decoded(password) };
}

/** A password with a bare `%` is meant as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
