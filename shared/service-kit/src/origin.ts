const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

/** Is an `Origin` header this deployment's own: the host the request was sent to, or its public address? */
export function isOwnOrigin(
  origin: string | undefined,
  host: string | undefined,
  publicOrigin: string | undefined,
): boolean {
  if (origin === undefined) return false;
  if (origin === publicOrigin) return true;
  if (host === undefined) return false;
  // A `Host` proves nothing where the public address is known: a rebound name would bring its own. The machine's
  // own names stay good, so that `localhost` works beside `127.0.0.1`.
  if (publicOrigin !== undefined && !LOOPBACK.test(host)) return false;
  return origin === `http://${host}` || origin === `https://${host}`;
}

const CORS_HEADERS =
  "authorization, content-type, idempotency-key, prefer, last-event-id, cache-control, traceparent";
const CORS_EXPOSED = "x-request-id, preference-applied, retry-after, location";

/** Headers for a cross-origin caller on the list; none for any other, and never a wildcard or credentials. */
export function corsHeaders(origin: string | undefined, allowed: readonly string[]): Record<string, string> {
  if (origin === undefined || !allowed.includes(origin)) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": CORS_EXPOSED,
    vary: "Origin",
  };
}

export function preflightHeaders(
  origin: string | undefined,
  allowed: readonly string[],
  methods: string,
): Record<string, string> {
  const cors = corsHeaders(origin, allowed);
  if (Object.keys(cors).length === 0) return {};
  return {
    ...cors,
    "access-control-allow-methods": methods,
    "access-control-allow-headers": CORS_HEADERS,
    "access-control-max-age": "600",
  };
}
