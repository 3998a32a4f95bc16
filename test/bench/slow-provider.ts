import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { z } from "zod";

const text = z.string();
const Sent = z.union([
  z
    .object({ chat_id: z.union([z.string(), z.number()]), text })
    .transform((sent) => ({ ...sent, to: String(sent.chat_id) })),
  z.object({ channel: z.string(), text }).transform((sent) => ({ ...sent, to: sent.channel })),
]);

/** Telegram is sent JSON, Slack a form. */
function fieldsOf(body: string): unknown {
  return body.startsWith("{") ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
}

export type Arrival = { atMs: number; chat: string; text: string };

/** A provider with the shapes of Telegram's and Slack's APIs that takes a fixed time for each call, and keeps what came. */
export type SlowProvider = {
  url: string;
  readonly arrivals: readonly Arrival[];
  /** From now on each call takes this long; `Infinity`: until it is told otherwise. */
  takes(ms: number): void;
  /** Calls that wait to be answered. */
  readonly stalled: number;
  /** Calls `listener` as each message comes in. */
  onArrival(listener: (arrival: Arrival) => void): void;
  stop(): Promise<void>;
};

export async function startSlowProvider(ms: number): Promise<SlowProvider> {
  const arrivals: Arrival[] = [];
  const stalled = new Set<() => void>();
  let delayMs = ms;
  let listener: (arrival: Arrival) => void = () => undefined;

  const take = (body: string): object => {
    const sent = Sent.safeParse(fieldsOf(body));
    if (!sent.success) return { ok: true, result: true };
    const { to, text: said } = sent.data;
    const arrival = { atMs: performance.now(), chat: to, text: said };
    const id = arrivals.push(arrival);
    listener(arrival);
    const result = { message_id: id, date: 0, chat: { id: Number(to), type: "private" }, text: said };
    return { ok: true, result, channel: to, ts: `${id}.000001` };
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
    const answer = JSON.stringify(take(Buffer.concat(chunks).toString()));
    const finish = (): void => {
      stalled.delete(finish);
      response.writeHead(200, { "content-type": "application/json" }).end(answer);
    };
    if (delayMs === Infinity) stalled.add(finish);
    else setTimeout(finish, delayMs);
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
    get stalled() {
      return stalled.size;
    },
    takes(next) {
      delayMs = next;
      if (next !== Infinity) for (const finish of stalled) finish();
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
