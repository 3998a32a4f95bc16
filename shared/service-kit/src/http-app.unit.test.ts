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

let server: HttpServer | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
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
  server = await startHttpServer(app, "127.0.0.1", 0);
  return { url: `http://127.0.0.1:${server.port}`, port: server.port };
}

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
