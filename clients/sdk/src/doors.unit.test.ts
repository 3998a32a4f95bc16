import { afterEach, describe, expect, it } from "vitest";
import {
  problem,
  type Reply,
  type Seen,
  type SmallServer,
  smallServer,
  type Trouble,
} from "../test/small-server.ts";
import { type Client, connect, InterludeError } from "./index.ts";

const opened: { server: SmallServer; client: Client }[] = [];

afterEach(async () => {
  for (const { server, client } of opened.splice(0)) {
    await client.close();
    await server.stop();
  }
});

async function start(
  handle: (seen: Seen) => Reply,
  trouble?: (seen: Seen, index: number) => Trouble,
  path = "",
): Promise<{ server: SmallServer; client: Client }> {
  const server = await smallServer(handle, trouble);
  const client = connect({ url: server.url + path, apiKey: () => Promise.resolve("key-1") });
  opened.push({ server, client });
  return { server, client };
}

const ANSWERED = {
  interaction_id: "q",
  status: "answered",
  answered_by: "ana",
  answered_at: "2030-01-01T00:00:00.000Z",
  sequence: 4,
};

describe("the client's doors", () => {
  it("walks a list by cursor, and sends no filter that was not asked for", async () => {
    const pages = [
      { items: [], total: 3, page: 1, page_size: 2, next_page: 2, next_cursor: "c1", truncated: false },
      { items: [], total: 3, page_size: 2, next_page: null, next_cursor: null, truncated: false },
    ];
    const { server, client } = await start(() => ({ status: 200, body: pages.shift() }));
    const totals: (string | undefined)[] = [];
    for await (const page of client.pages({ status: "all", pageSize: 2, page: 1 }))
      totals.push(page.nextCursor);
    expect(totals).toEqual(["c1", undefined]);
    expect(server.seen.map((seen) => seen.query.toString())).toEqual([
      "page=1&page_size=2&status=all",
      "page_size=2&cursor=c1&status=all",
    ]);
  });

  it("lists the channels by what they can do, and those that are not whole by what is wrong", async () => {
    const capabilities = {
      ...{ form_delivery: "page", interactive: true, reply_context: true, media: ["image"] },
      ...{ caps: { text_max_chars: 4096 }, idempotent_send: false },
    };
    const reason = "SLACK_SIGNING_SECRET not set";
    const body = [
      { name: "slack", health: { status: "misconfigured", reason } },
      { name: "telegram", health: { status: "ok" }, capabilities },
    ];
    const { server, client } = await start(() => ({ status: 200, body }));
    expect(await client.channels()).toEqual([
      { name: "slack", health: { status: "misconfigured", reason } },
      {
        name: "telegram",
        health: { status: "ok" },
        capabilities: {
          ...{ formDelivery: "page", interactive: true, replyContext: true, media: ["image"] },
          ...{ caps: { text_max_chars: 4096 }, idempotentSend: false },
        },
      },
    ]);
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /api/channels"]);
  });

  it("repeats an answer whose response was lost under one key", async () => {
    const { server, client } = await start(
      () => ({ status: 200, body: ANSWERED }),
      (_seen, index) => (index === 0 ? "lose response" : undefined),
    );
    expect(await client.answer("q", false, { params: { comment: "no" } })).toMatchObject({
      answeredBy: "ana",
      sequence: 4,
    });
    const keys = new Set(server.seen.map((seen) => seen.headers["idempotency-key"]));
    expect(keys.size).toBe(1);
    expect(server.seen[0]?.text).toBe('{"answer":false,"params":{"comment":"no"}}');
  });

  it("keeps what a refusal says beyond the standard", async () => {
    const { client } = await start(() => problem(409, "already_answered", { answered_by: "ben" }));
    const error: unknown = await client.answer("q", "x").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InterludeError);
    expect(error).toMatchObject({ code: "already_answered", problem: { answered_by: "ben" } });
  });

  it("notifies once, whatever gets lost, and names its notification where asked to", async () => {
    const { server, client } = await start(
      () => ({ status: 202, body: { notification_id: "n-1" } }),
      (_seen, index) => (index === 0 ? "lose response" : undefined),
    );
    expect(await client.notifyUser({ message: "done", idempotencyKey: "job-1" })).toEqual({
      notificationId: "n-1",
    });
    expect(server.seen.map((seen) => seen.headers["idempotency-key"])).toEqual(["job-1", "job-1"]);
    expect(server.seen[0]?.text).toBe('{"message":"done"}');
  });

  it("lives below a path of the server's, and encodes ids", async () => {
    const { server, client } = await start(() => problem(404, "not_found"), undefined, "/interlude");
    await expect(client.get("../x y")).rejects.toMatchObject({ code: "not_found" });
    expect(server.seen[0]?.path).toBe("/interlude/api/interactions/..%2Fx%20y");
    expect(server.seen[0]?.headers.authorization).toBe("Bearer key-1");
  });

  it("follows no redirect, and says that what answered is not Interlude", async () => {
    const { server, client } = await start(() => ({ status: 302, headers: { location: "/elsewhere" } }));
    await expect(client.me()).rejects.toMatchObject({ code: "unexpected_response", status: 302 });
    expect(server.seen).toHaveLength(1);
  });

  it("reads the end of a question as what it is", async () => {
    const replies: Reply[] = [
      { status: 202, body: { status: "pending" } },
      {
        status: 200,
        body: { interaction_id: "q", status: "expired", answer: { interaction_expired: true } },
      },
      { status: 200, body: { ...ANSWERED, answer: null } },
    ];
    const { client } = await start(() => replies.shift() ?? problem(404, "not_found"));
    expect(await client.result("q")).toEqual({ interactionId: "q", status: "pending" });
    expect(await client.result("q", { waitSeconds: 5 })).toEqual({ interactionId: "q", status: "expired" });
    expect(await client.result("q")).toMatchObject({ status: "answered", answer: null });
  });

  it("uploads bytes as they are, under the type that was named", async () => {
    const { server, client } = await start(() => ({
      status: 201,
      body: { url: "/api/m/1", content_type: "image/png", size: 3 },
    }));
    const window = new Uint8Array([0, 65, 66, 67, 0]).subarray(1, 4);
    expect(await client.uploadMedia(window, { contentType: "image/png" })).toEqual({
      url: "/api/m/1",
      contentType: "image/png",
      size: 3,
    });
    await client.uploadMedia(new Blob(["xyz"], { type: "video/mp4" }));
    expect(server.seen.map((seen) => [seen.text, seen.headers["content-type"]])).toEqual([
      ["ABC", "image/png"],
      ["xyz", "video/mp4"],
    ]);
  });

  it("refuses an address that is none", () => {
    expect(() => connect({ url: "ftp://x", apiKey: "k" })).toThrow(InterludeError);
  });
});
