import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Answer, Handle, Received } from "./exchange.ts";

const BODY_MAX_BYTES = 60 * 1024 * 1024;

export interface HttpServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** A plain HTTP server on loopback; port 0 takes a free one. */
export async function startHttpServer(handle: Handle, port = 0): Promise<HttpServer> {
  const server = createServer((request, response) => {
    void serve(handle, request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return { url: `http://127.0.0.1:${portOf(server)}`, stop: () => stop(server) };
}

function portOf(server: Server): number {
  const address = server.address();
  return isAddressInfo(address) ? address.port : 0;
}

function isAddressInfo(address: string | AddressInfo | null): address is AddressInfo {
  return typeof address === "object" && address !== null;
}

/** Held requests and open streams end with the server. */
async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) =>
    server.close(() => {
      resolve();
    }),
  );
  server.closeAllConnections();
  await closed;
}

async function serve(handle: Handle, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    send(await handle(await receive(request)), response);
  } catch (error) {
    // A fault of the fake's own must not look like a provider's answer.
    send({ status: 599, body: `the fake failed: ${String(error)}` }, response);
  }
}

async function receive(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.byteLength;
    if (size <= BODY_MAX_BYTES) chunks.push(bytes);
  }
  const url = new URL(request.url ?? "/", "http://fake");
  return {
    method: request.method ?? "GET",
    path: url.pathname,
    query: url.searchParams,
    header: (name) => {
      const value = request.headers[name.toLowerCase()];
      return Array.isArray(value) ? value[0] : value;
    },
    rawBody: Buffer.concat(chunks),
  };
}

function send(answer: Answer, response: ServerResponse): void {
  if (response.destroyed) return;
  if (answer.kind === "drop") {
    response.socket?.destroy();
    return;
  }
  if (answer.kind === "stream") {
    response.writeHead(200, answer.headers);
    response.flushHeaders();
    const close = answer.open((chunk) => response.write(chunk));
    response.on("close", close);
    return;
  }
  const { status, headers = {}, body } = answer;
  const isText = typeof body === "string" || Buffer.isBuffer(body);
  const bytes = body === undefined || isText ? (body ?? "") : JSON.stringify(body);
  const type = isText ? "text/plain; charset=utf-8" : "application/json; charset=utf-8";
  response.writeHead(status, { "content-type": type, ...headers }).end(bytes);
}
