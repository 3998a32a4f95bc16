import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { accessTable } from "./access-table.ts";
import { createHttpApp } from "./http-app.ts";
import { type HttpServer, startHttpServer } from "./http-server.ts";
import { recordingLogger } from "./logger.ts";
import { createMetrics } from "./metrics.ts";
import { json } from "./respond.ts";
import type { Route } from "./route.ts";

const servers: HttpServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

/** The routes on a server of their own, with every door open to whoever comes. */
async function serve(...routes: Route[]): Promise<{ url: string; port: number }> {
  const access = accessTable();
  if (!access.ok) throw new Error(access.faults.join());
  const table = new Map([...access.table].map(([door]) => [door, "public" as const]));
  const app = createHttpApp(routes, {
    authenticator: { authenticate: () => Promise.resolve(undefined) },
    access: table,
    logger: recordingLogger(),
    metrics: createMetrics(),
    publicOrigin: undefined,
    corsOrigins: [],
    trustedProxies: [],
  });
  const server = await startHttpServer(app, "127.0.0.1", 0);
  servers.push(server);
  return { url: `http://127.0.0.1:${server.port}`, port: server.port };
}

describe("a body that a door takes or leaves", () => {
  const echo: Route = {
    door: "POST /api/session/links",
    body: "optional",
    handle: ({ body }) => json(200, body),
  };
  const post = async (sent: {
    body?: Uint8Array<ArrayBuffer> | string | ReadableStream;
    headers?: Record<string, string>;
  }) => {
    const { url } = await serve(echo);
    const response = await fetch(`${url}/api/session/links`, { method: "POST", duplex: "half", ...sent });
    return [response.status, await response.json()];
  };
  const jsonType = { "content-type": "application/json" };
  /** Sent in chunks, with no length and no type. */
  const untyped = (text: string) => new Blob([text]).stream();

  it("may be left out", async () => {
    expect(await post({})).toEqual([200, {}]);
    expect(await post({ body: untyped("") })).toEqual([200, {}]);
  });

  it("is read as JSON that says so", async () => {
    expect(await post({ body: '{"a":1}', headers: jsonType })).toEqual([200, { a: 1 }]);
  });

  it.each([
    ["some JSON", '{"a":1}'],
    ["nonsense", "a=1"],
    ["more than a door takes", "x".repeat(70_000)],
  ])("is 415 when it is %s without a type", async (_, text) => {
    expect(await post({ body: new TextEncoder().encode(text) })).toMatchObject([
      415,
      { code: "unsupported_media_type" },
    ]);
    expect(await post({ body: untyped(text) })).toMatchObject([415, { code: "unsupported_media_type" }]);
  });
});

describe("a body of JSON that cannot be taken", () => {
  it.each([
    ["{", "The body is not valid JSON.", ""],
    ['{"a":"\\u0000"}', "The body holds what cannot be kept.", "/a"],
    ['{"a":["\\ud800"]}', "The body holds what cannot be kept.", "/a/0"],
    ['{"__proto__":1}', "The body holds what cannot be kept.", "/__proto__"],
    ['{"a":1e999}', "The body holds what cannot be kept.", "/a"],
    ["[".repeat(101), "The body is nested too deeply.", ""],
  ])("%s is 400, which says why", async (body, detail, path) => {
    const { url } = await serve({
      door: "POST /api/session/links",
      body: "json",
      handle: () => json(200, {}),
    });
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${url}/api/session/links`, { method: "POST", headers, body });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: "validation_failed", detail, errors: [{ path }] },
    ]);
  });
});

describe("a request for two hosts", () => {
  it.each([
    ["Host: a.example\r\nHost: b.example", 400],
    ["Host: a.example\r\nhost: a.example", 400],
    ["Host: a.example", 200],
  ])("%j is %i", async (hosts, status) => {
    const { port } = await serve({ door: "GET /healthz", body: "none", handle: () => json(200, {}) });
    const socket = connect(port, "127.0.0.1");
    socket.write(`GET /healthz HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`);
    const reply = (await socket.toArray()).join("");
    expect(reply).toContain(`HTTP/1.1 ${status} `);
    if (status === 400) expect(reply).toContain('"code":"validation_failed"');
  });
});

describe("a request's signal", () => {
  it("is aborted when its client goes away, also where it is first asked for afterwards", async () => {
    let arrived: () => void = () => undefined;
    const there = new Promise<void>((resolve) => (arrived = resolve));
    let tell: (seen: boolean[]) => void = () => undefined;
    const told = new Promise<boolean[]>((resolve) => (tell = resolve));
    const { port } = await serve({
      door: "GET /healthz",
      body: "none",
      async handle(context) {
        const early = context.signal;
        arrived();
        await once(context.outgoing, "close");
        tell([early.aborted, context.signal.aborted]);
        return json(200, {});
      },
    });
    const socket = connect(port, "127.0.0.1");
    socket.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
    await there;
    socket.destroy();
    expect(await told).toEqual([true, true]);
  });
});
