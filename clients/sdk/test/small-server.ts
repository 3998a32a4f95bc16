import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Seen = Readonly<{
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  /** The body as it came. */
  text: string;
  /** Aborted when whoever asked is gone. */
  connection: AbortSignal;
}>;

export type Reply = Readonly<{ status: number; body?: unknown; headers?: Readonly<Record<string, string>> }>;

/** What goes wrong with a request: a reply of its own, no processing, or a response that gets lost. */
export type Trouble = Reply | "refuse connection" | "lose response" | undefined;

export type SmallServer = Readonly<{
  url: string;
  seen: Seen[];
  stop(): Promise<void>;
}>;

export function problem(status: number, code: string, extra: object = {}): Reply {
  return {
    status,
    body: { type: `urn:${code}`, title: code, status, detail: `It is ${code}.`, code, ...extra },
    headers: { "content-type": "application/problem+json", "x-request-id": "req-1" },
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function write(response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
  response.end(reply.body === undefined ? undefined : JSON.stringify(reply.body));
}

/** A server on loopback whose replies and failures a test writes itself. */
export async function smallServer(
  handle: (seen: Seen, response: ServerResponse) => Reply | undefined | Promise<Reply | undefined>,
  trouble: (seen: Seen, index: number) => Trouble = () => undefined,
): Promise<SmallServer> {
  const seen: Seen[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://small");
    const text = await read(request);
    const connection = new AbortController();
    response.once("close", () => {
      connection.abort();
    });
    const entry = {
      method: request.method ?? "",
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      text,
      connection: connection.signal,
    };
    seen.push(entry);
    const wrong = trouble(entry, seen.length - 1);
    if (wrong === "refuse connection") {
      request.socket.destroy();
      return;
    }
    const reply = typeof wrong === "object" ? wrong : await handle(entry, response);
    if (wrong === "lose response") request.socket.destroy();
    else if (reply !== undefined) write(response, reply);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
