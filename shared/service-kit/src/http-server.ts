import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { ServiceFailure } from "@interlude/kernel";
import type { HttpApp } from "./http-app.ts";

export type HttpServer = { port: number; stop(): Promise<void> };

const GRACE_MS = 8_000;
/** Thousands may connect in the same moment; the default of 511 leaves the rest to the resends of their kernels. */
const BACKLOG = 4_096;
/** A callback's query may be as long as a body; what is longer is refused by its door, not by the parser. */
const MAX_HEADER_BYTES = 160 * 1_024;

/** What a door returns after it has written to `outgoing` by itself. */
export function alreadySent(): Response {
  return new Response(null, { headers: { "x-hono-already-sent": "true" } });
}

/** @throws ServiceFailure `port_taken` when another process listens there. */
export async function startHttpServer(app: HttpApp, host: string, port: number): Promise<HttpServer> {
  const server = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
    serverOptions: { maxHeaderSize: MAX_HEADER_BYTES },
  });
  if (!isHttp1(server)) throw new ServiceFailure("invariant_broken", { retry: "never" });
  // A client that opens a request and never finishes it must not hold a socket for ever.
  server.headersTimeout = 20_000;
  server.requestTimeout = 120_000;
  server.keepAliveTimeout = 65_000;
  await listen(server, host, port);
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    stop: () => stop(server),
  };
}

function isHttp1(server: object): server is Server {
  return "headersTimeout" in server;
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === "EADDRINUSE";
      const message = taken
        ? `port ${port} on ${host} is taken: stop what listens there, or set PORT to another one (0 picks a free one)`
        : `cannot listen on ${host}:${port}: ${cause.message}`;
      reject(
        new ServiceFailure(taken ? "port_taken" : "configuration_invalid", {
          retry: "never",
          cause,
          message,
        }),
      );
    });
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
}

/** Takes no new request, lets those under way finish, and cuts what is left after the grace. */
async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  server.closeIdleConnections();
  const idle = setInterval(() => {
    server.closeIdleConnections();
  }, 50);
  const cut = setTimeout(() => {
    server.closeAllConnections();
  }, GRACE_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
