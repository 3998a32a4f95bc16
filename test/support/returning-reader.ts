import { openStream, type OpenStream, type StreamFrame } from "./event-stream.ts";

/** A reader of the stream that comes back after every break with the last id it saw, as a browser does. */
export type ReturningReader = {
  frames: () => StreamFrame[];
  /** Breaks the connection off; it comes back by itself. */
  breakOff: () => void;
  stop: () => Promise<void>;
};

const RETRY_MS = 250;

export async function startReturningReader(
  url: string,
  key: string,
  after: number,
): Promise<ReturningReader> {
  const earlier: StreamFrame[] = [];
  const open = () =>
    openStream(url, { key, headers: { "last-event-id": earlier.at(-1)?.id ?? String(after) } });
  let current: OpenStream | undefined = await open();
  let isStopped = false;
  const hasStopped = () => isStopped;

  async function read(): Promise<void> {
    while (!hasStopped()) {
      if (current !== undefined) {
        await current.over;
        earlier.push(...current.frames);
        current = undefined;
      }
      if (hasStopped()) return;
      const next = await open().catch(() => undefined);
      if (next?.status === 200) current = next;
      else await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  const reading = read();
  return {
    frames: () => [...earlier, ...(current?.frames ?? [])],
    breakOff: () => current?.close(),
    async stop() {
      isStopped = true;
      current?.close();
      await reading;
    },
  };
}
