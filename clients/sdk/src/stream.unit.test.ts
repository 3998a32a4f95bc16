import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { problem, type Seen, type SmallServer, smallServer } from "../test/small-server.ts";
import { type Client, connect, type StreamFrame } from "./index.ts";

const opened: { server: SmallServer; client: Client }[] = [];

afterEach(async () => {
  for (const { server, client } of opened.splice(0)) {
    await client.close();
    await server.stop();
  }
});

async function start(
  handle: (seen: Seen, response: ServerResponse) => ReturnType<typeof problem> | undefined,
  retrySeconds?: number,
): Promise<{ server: SmallServer; client: Client }> {
  const server = await smallServer(handle);
  const client = connect({
    url: server.url,
    apiKey: "key-1",
    ...(retrySeconds === undefined ? {} : { retrySeconds }),
  });
  opened.push({ server, client });
  return { server, client };
}

function frame(id: number, event: string, data: object): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

const ITEM = {
  interaction_id: "q-1",
  group_id: "g",
  asker: "bot",
  question: "Who? é…",
  answer_format: "select",
  format_payload: { options: ["a", { value: "b_c", label: "B" }], data: { values: { snake_name: 1 } } },
  status: "pending",
  mode: "sync",
  created_at: "2030-01-01T00:00:00.000Z",
  timeout_at: "2030-01-01T01:00:00.000Z",
  sensitive: false,
  server_verified: false,
  metadata: { some_key: "v" },
  sequence: 7,
};
const ENDED = {
  interaction_id: "q-1",
  group_id: "g",
  status: "answered",
  at: "2030-01-01T00:00:01.000Z",
  answered_by: "ana",
};

async function collect(frames: AsyncIterable<StreamFrame>, count: number): Promise<StreamFrame[]> {
  const seen: StreamFrame[] = [];
  for await (const each of frames) {
    seen.push(each);
    if (seen.length === count) break;
  }
  return seen;
}

describe("stream", () => {
  it("reconnects after the last frame that it saw, and says that it resumed", async () => {
    const { server, client } = await start((seen, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      if (seen.headers["last-event-id"] === undefined) {
        response.write(": hello\n\n");
        response.write(frame(7, "interaction.add", ITEM));
        response.end(frame(8, "something.new", {}));
      } else response.write(frame(9, "interaction.answered", ENDED));
      return undefined;
    });
    const resumed: boolean[] = [];
    const frames = await collect(
      client.stream({ onOpen: (connection) => resumed.push(connection.resumed) }),
      2,
    );
    expect(frames[0]).toMatchObject({
      type: "add",
      id: "7",
      item: { interactionId: "q-1", question: "Who? é…" },
    });
    expect(frames[0]).toMatchObject({
      item: { formatPayload: { data: { values: { snake_name: 1 } } }, metadata: { some_key: "v" } },
    });
    expect(frames[1]).toEqual({
      type: "answered",
      id: "9",
      interactionId: "q-1",
      groupId: "g",
      status: "answered",
      at: ENDED.at,
      answeredBy: "ana",
    });
    expect(server.seen.map((seen) => seen.headers["last-event-id"])).toEqual([undefined, "8"]);
    expect(resumed).toEqual([false, true]);
  });

  it("joins frames and characters that were cut in the middle", async () => {
    const { client } = await start((seen, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const bytes = Buffer.from(frame(1, "interaction.add", ITEM));
      const cut = bytes.indexOf(Buffer.from("é")) + 1;
      response.write(bytes.subarray(0, cut), () => response.write(bytes.subarray(cut)));
      return undefined;
    });
    const [first] = await collect(client.stream(), 1);
    expect(first).toMatchObject({ item: { question: "Who? é…" } });
  });

  it("comes back after 503 and 429, and throws when its credential has ended", async () => {
    const replies = [
      problem(503, "unavailable"),
      problem(429, "limit_reached"),
      problem(401, "unauthenticated"),
    ];
    const { server, client } = await start(() => replies.shift());
    await expect(collect(client.stream(), 1)).rejects.toMatchObject({ code: "unauthenticated", status: 401 });
    expect(server.seen).toHaveLength(3);
  });

  it("ends quietly when its signal is aborted or its client closed", async () => {
    const { client } = await start((seen, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": open\n\n");
      return undefined;
    });
    const stop = new AbortController();
    const opened = collect(
      client.stream({
        signal: stop.signal,
        onOpen: () => {
          stop.abort();
        },
      }),
      1,
    );
    expect(await opened).toEqual([]);
    expect(await collect(client.stream({ onOpen: () => void client.close() }), 1)).toEqual([]);
  });

  it("gives an unreachable server up only where patience was bounded", async () => {
    const nobody = connect({ url: "http://127.0.0.1:1", apiKey: "k", retrySeconds: 0.4 });
    await expect(collect(nobody.stream(), 1)).rejects.toMatchObject({ code: "unreachable" });
  });
});
