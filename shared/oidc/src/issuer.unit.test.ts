import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { eventually } from "@interlude/testing";
import { afterEach, describe, expect, it } from "vitest";
import { createIssuer } from "./issuer.ts";

const servers: Server[] = [];
const KEYS = { keys: [{ kty: "EC", kid: "one", crv: "P-256", x: "x", y: "y" }] };

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

type Replies = { describe: (issuer: string) => unknown; keys: () => unknown; status: number };

/** A provider that says what it is told to, and counts how often it is asked for its keys. */
async function provider(told: Partial<Replies> = {}) {
  const replies: Replies = {
    describe: (issuer) => ({ issuer, jwks_uri: `${issuer}/keys` }),
    keys: () => KEYS,
    status: 200,
    ...told,
  };
  let asked = 0;
  const server = createServer(({ url }, outgoing) => {
    const isKeys = url === "/keys";
    if (isKeys) asked++;
    outgoing.writeHead(replies.status, { "content-type": "application/json", location: "/keys" });
    outgoing.end(JSON.stringify(isKeys ? replies.keys() : replies.describe(origin)));
  });
  server.listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" ? (address?.port ?? 0) : 0}`;
  let nowMs = 0;
  const failures: string[] = [];
  const issuer = createIssuer({
    issuer: origin,
    onFailure: (reason) => failures.push(reason),
    monotonicMs: () => nowMs,
  });
  return { issuer, replies, failures, asked: () => asked, advance: (ms: number) => (nowMs += ms) };
}

const away = { code: "identity_provider_unavailable", retry: "later" };

describe("what is known of a provider", () => {
  it("is asked for once by many at once, and remembered", async () => {
    const { issuer, asked } = await provider();
    const all = await Promise.all(Array.from({ length: 20 }, () => issuer.known()));
    expect(new Set(all).size).toBe(1);
    await issuer.known();
    expect(asked()).toBe(1);
  });

  it("is looked up anew no more often than every few seconds, however many ask", async () => {
    const { issuer, asked, advance } = await provider();
    await issuer.known();
    for (let each = 0; each < 100; each++) await issuer.renewed();
    expect(asked()).toBe(1);
    advance(5_000);
    await Promise.all(Array.from({ length: 100 }, () => issuer.renewed()));
    expect(asked()).toBe(2);
  });

  it("stays when the provider goes away, and is not passed off as new", async () => {
    const { issuer, replies, failures, advance } = await provider();
    const known = await issuer.known();
    replies.status = 500;
    advance(5_000);
    await expect(issuer.renewed()).rejects.toMatchObject(away);
    await expect(issuer.renewed()).rejects.toMatchObject(away);
    expect(failures).toHaveLength(1);
    expect(await issuer.known()).toBe(known);
    replies.status = 200;
    advance(5_000);
    expect(await issuer.renewed()).not.toBe(known);
  });

  it("is looked up by itself from the start on", async () => {
    const { issuer, asked } = await provider();
    issuer.start();
    await eventually(() => asked() === 1);
    issuer.stop();
  });

  const wrong: readonly [string, Partial<Replies>][] = [
    ["describes another issuer", { describe: (url) => ({ issuer: `${url}/`, jwks_uri: `${url}/keys` }) }],
    ["describes nothing", { describe: () => [] }],
    [
      "keeps its keys without https elsewhere",
      { describe: (issuer) => ({ issuer, jwks_uri: "http://id.example/keys" }) },
    ],
    ["keeps its keys in a file", { describe: (issuer) => ({ issuer, jwks_uri: "file:///etc/passwd" }) }],
    [
      "takes codes without https elsewhere",
      {
        describe: (url) => ({ issuer: url, jwks_uri: `${url}/keys`, token_endpoint: "http://id.example/t" }),
      },
    ],
    ["has no key set", { keys: () => ({ keys: "none" }) }],
    ["says more than is read", { keys: () => ({ keys: [{ kty: "x".repeat(300_000) }] }) }],
    ["leads elsewhere", { status: 302 }],
    ["fails", { status: 503 }],
  ];
  it.each(wrong)("is nothing where the provider %s", async (_, told) => {
    const { issuer, failures } = await provider(told);
    await expect(issuer.known()).rejects.toMatchObject(away);
    expect(failures).toHaveLength(1);
  });
});
