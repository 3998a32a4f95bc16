import { connect, type Socket } from "node:net";
import { once } from "node:events";
import type { Composition } from "./composition.ts";

/** One open event stream on a bare socket: reading costs this process as little as possible. */
export type EventFeed = {
  /** Bytes that have come since the stream began. */
  readonly bytes: number;
  /** Called with every question text that is shown, while it is set. */
  onQuestion: ((question: string) => void) | undefined;
  readonly isOpen: boolean;
  close(): void;
};

const QUESTION = /"question":"([^"]*)"/g;
const OPEN_WITHIN_MS = 20_000;

/** Resolves when the stream has begun. */
export async function openEventFeed({ url, apiKey }: Composition): Promise<EventFeed> {
  const { hostname, port, host } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  await once(socket, "connect");
  let carried = "";
  const feed = {
    bytes: 0,
    onQuestion: undefined as ((question: string) => void) | undefined,
    isOpen: true,
    close: () => {
      socket.destroy();
    },
  };
  const begun = once(socket, "data", { signal: AbortSignal.timeout(OPEN_WITHIN_MS) });
  socket.on("close", () => (feed.isOpen = false));
  socket.on("error", () => undefined);
  socket.on("data", (chunk: Buffer) => {
    feed.bytes += chunk.length;
    if (feed.onQuestion === undefined) return;
    const text = carried + chunk.toString("latin1");
    const end = text.lastIndexOf("\n\n") + 1;
    for (const [, question = ""] of text.slice(0, end).matchAll(QUESTION)) feed.onQuestion(question);
    carried = text.slice(end);
  });
  socket.write(
    `GET /api/interactions/stream HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${apiKey}\r\n\r\n`,
  );
  await begun;
  return feed;
}
