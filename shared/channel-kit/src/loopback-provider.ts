import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export type SentCall = Readonly<{ url: string; headers: IncomingMessage["headers"]; body: string }>;
export type FakeProvider = Readonly<{ url: string; calls: readonly SentCall[] }>;

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return body;
}

/** A server on loopback that answers every call in one way, for as long as `use` takes. */
export async function withProvider<T>(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
  use: (provider: FakeProvider) => Promise<T>,
): Promise<T> {
  const calls: SentCall[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      calls.push({ url: request.url ?? "", headers: request.headers, body });
      answer(response, request);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  try {
    return await use({ url: `http://127.0.0.1:${port}`, calls });
  } finally {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
}
