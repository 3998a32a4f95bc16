import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { z } from "zod";

const Sent = z.object({ chat_id: z.union([z.string(), z.number()]).transform(String), text: z.string() });

export type Arrival = { atMs: number; chat: string; text: string };

/** A provider with the shape of Telegram's API that takes a fixed time for each call, and keeps what came. */
export type SlowProvider = {
  url: string;
  readonly arrivals: readonly Arrival[];
  /** From now on each call takes this long; `Infinity`: it is never answered. */
  takes(ms: number): void;
  /** Calls `listener` as each message comes in. */
  onArrival(listener: (arrival: Arrival) => void): void;
  stop(): Promise<void>;
};

export async function startSlowProvider(ms: number): Promise<SlowProvider> {
  const arrivals: Arrival[] = [];
  let delayMs = ms;
  let listener: (arrival: Arrival) => void = () => undefined;

  const take = (body: string): object => {
    const sent = Sent.safeParse(JSON.parse(body === "" ? "{}" : body));
    if (!sent.success) return { ok: true, result: true };
    const arrival = { atMs: performance.now(), chat: sent.data.chat_id, text: sent.data.text };
    const id = arrivals.push(arrival);
    listener(arrival);
    const chat = { id: Number(arrival.chat), type: "private", first_name: "Somebody" };
    return { ok: true, result: { message_id: id, date: 0, chat, text: arrival.text } };
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
    const answer = JSON.stringify(take(Buffer.concat(chunks).toString()));
    if (delayMs === Infinity) return;
    setTimeout(() => {
      response.writeHead(200, { "content-type": "application/json" }).end(answer);
    }, delayMs);
  };
  const server = createServer((request, response) => {
    // Who gives up waiting closes the connection in the middle of it.
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    arrivals,
    takes(next) {
      delayMs = next;
    },
    onArrival(next) {
      listener = next;
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
