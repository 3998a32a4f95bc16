import { eventually } from "@interlude/testing";
import { createParser } from "eventsource-parser";

export type StreamFrame = { event: string; id: string; data: Record<string, unknown> };

/** One open stream, as a browser would read it. */
export type OpenStream = {
  status: number;
  headers: Headers;
  frames: StreamFrame[];
  comments: string[];
  /** The bytes as they came. */
  raw: () => string;
  isOver: () => boolean;
  /** Resolves when it has ended, from whichever side. */
  over: Promise<void>;
  /** The frame of this kind about this question, once it has come. */
  frameOf: (id: string, event: string, withinMs?: number) => Promise<StreamFrame>;
  close: () => void;
};

type Options = { key?: string; headers?: Readonly<Record<string, string>>; query?: string };

export async function openStream(url: string, options: Options = {}): Promise<OpenStream> {
  const ended = new AbortController();
  const response = await fetch(`${url}/api/interactions/stream${options.query ?? ""}`, {
    headers: {
      ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
      ...options.headers,
    },
    signal: ended.signal,
  });
  const frames: StreamFrame[] = [];
  const comments: string[] = [];
  const text: string[] = [];
  let isOver = false;
  const parser = createParser({
    onEvent: ({ event, id, data }) => frames.push({ event: event ?? "", id: id ?? "", data: objectOf(data) }),
    onComment: (comment) => comments.push(comment),
  });
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      const part = decoder.decode(chunk as Uint8Array, { stream: true });
      text.push(part);
      parser.feed(part);
    }
  };
  const over = read()
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  const find = (id: string, event: string) =>
    frames.find((frame) => frame.event === event && frame.data["interaction_id"] === id);
  return {
    status: response.status,
    headers: response.headers,
    frames,
    comments,
    raw: () => text.join(""),
    isOver: () => isOver,
    over,
    async frameOf(id, event, withinMs = 5_000) {
      await eventually(() => find(id, event) !== undefined, { withinMs });
      const found = find(id, event);
      if (found === undefined) throw new Error(`no ${event} of ${id}`);
      return found;
    },
    close: () => {
      ended.abort();
    },
  };
}

function objectOf(text: string): Record<string, unknown> {
  const parsed: unknown = JSON.parse(text);
  return typeof parsed === "object" && parsed !== null ? Object.fromEntries(Object.entries(parsed)) : {};
}
