import { openLog } from "@interlude/event-log";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Reply, send } from "../support/send.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let interlude: Interlude;

beforeAll(async () => {
  interlude = await startInterlude();
});

afterAll(() => interlude.stop());

function notify(json: unknown, options: { key?: string; idempotencyKey?: string } = {}): Promise<Reply> {
  const { key = interlude.keys.asker, idempotencyKey } = options;
  const headers = idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey };
  return send(`${interlude.url}/api/notifications`, { key, json, headers });
}

type Feed = { items: Record<string, unknown>[]; next: string | null };

async function feed(key = interlude.keys.answerer, query = ""): Promise<Feed> {
  const reply = await send(`${interlude.url}/api/notifications${query}`, { key });
  expect(reply.status, reply.text).toBe(200);
  const { items, next_cursor: next } = reply.json;
  return { items: entriesOf(items), next: typeof next === "string" ? next : null };
}

function entriesOf(items: unknown): Feed["items"] {
  return Array.isArray(items) ? items.map((item: Record<string, unknown>) => item) : [];
}

const messagesOf = ({ items }: Feed): unknown[] => items.map((item) => item["message"]);

async function wholeFeed(key: string, pageSize: number): Promise<unknown[]> {
  const messages: unknown[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const page: Feed = await feed(key, `?page_size=${pageSize}${cursor === "" ? "" : `&cursor=${cursor}`}`);
    messages.push(...messagesOf(page));
    cursor = page.next;
  }
  return messages;
}

const pathsOf = ({ json }: Reply): unknown =>
  Array.isArray(json["errors"]) ? json["errors"].map((fault: { path: string }) => fault.path) : json;

describe("a notification without a channel", () => {
  it("case 92: is in the feed as soon as it is acknowledged, newest first", async () => {
    const first = await notify({ message: "first" });
    expect(first.status).toBe(202);
    await notify({ message: "second" });
    const { items } = await feed();
    expect(items.slice(0, 2)).toMatchObject([
      { message: "second", sender: "ann" },
      { message: "first", notification_id: first.json["notification_id"] },
    ]);
    expect(items[0]?.["created_at"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(items[0]).not.toHaveProperty("fingerprint");
  });

  it("is seen by those it is addressed to and by operators, and is nothing for others", async () => {
    await notify({ message: "for everybody" });
    await notify({ message: "for bob", audience: "bob" });
    await notify({ message: "for finance", audience: "group:finance" });
    const { answerer, groupAnswerer, operator } = interlude.keys;
    expect(messagesOf(await feed(answerer, "?page_size=2"))).toEqual(["for bob", "for everybody"]);
    expect(messagesOf(await feed(groupAnswerer, "?page_size=2"))).toEqual(["for finance", "for everybody"]);
    expect(messagesOf(await feed(operator, "?page_size=3"))).toEqual([
      "for finance",
      "for bob",
      "for everybody",
    ]);
  });

  it("is paged by a cursor through chunks of the log, each once, to the end", async () => {
    const count = 300;
    const { answerer, groupAnswerer } = interlude.keys;
    const before = await wholeFeed(groupAnswerer, 200);
    for (let n = 0; n < count; n += 20) {
      await Promise.all(
        Array.from({ length: 20 }, (_, k) => notify({ message: `n${n + k}`, audience: "bob" })),
      );
    }
    const paged = await wholeFeed(answerer, 7);
    const own = paged.filter((message) => /^n\d+$/.test(String(message)));
    expect(new Set(own).size).toBe(count);
    expect(own).toHaveLength(count);
    expect(await wholeFeed(answerer, 200)).toEqual(paged);
    expect(await wholeFeed(groupAnswerer, 1)).toEqual(before);
  });

  it("an end that falls on a page's edge has no next page", async () => {
    const all = await wholeFeed(interlude.keys.groupAnswerer, 200);
    expect((await feed(interlude.keys.groupAnswerer, `?page_size=${all.length}`)).next).toBeNull();
    expect((await feed(interlude.keys.groupAnswerer, `?page_size=${all.length - 1}`)).next).not.toBeNull();
  });

  it.each(["cursor=nonsense", "cursor=", "page_size=0", "page_size=x", "limit=3", "page=2"])(
    "a feed asked for with %s is refused, naming the parameter",
    async (query) => {
      const reply = await send(`${interlude.url}/api/notifications?${query}`, {
        key: interlude.keys.answerer,
      });
      expect([reply.status, pathsOf(reply)]).toEqual([400, [query.split("=")[0]]]);
    },
  );

  it("shows media by reference, inline images too, and their bytes are served", async () => {
    const media = [
      { kind: "image", url: PIXEL, caption: "a pixel" },
      { kind: "link", url: "https://example.org/" },
    ];
    await notify({ message: "look", media });
    const { items } = await feed(interlude.keys.answerer, "?page_size=1");
    const shown = items[0]?.["media"];
    expect(shown).toMatchObject([{ kind: "image", caption: "a pixel" }, media[1]]);
    const url = /"(\/api\/interactions\/media\/[^"]+)"/.exec(JSON.stringify(shown))?.[1] ?? "";
    const bytes = await send(`${interlude.url}${url}`);
    expect([bytes.status, bytes.headers.get("content-type")]).toEqual([200, "image/png"]);
  });
});

it("inline images count as the references they become, in questions too", async () => {
  const image = Buffer.concat([Buffer.from(PIXEL.split(",")[1] ?? "", "base64"), Buffer.alloc(300_000)]);
  const url = `data:image/png;base64,${image.toString("base64")}`;
  const media = [
    { kind: "image", url },
    { kind: "image", url },
  ];
  expect((await notify({ message: "two large ones", media })).status).toBe(202);
  const json = { question: "Which?", media };
  expect((await send(`${interlude.url}/api/interactions`, { key: interlude.keys.asker, json })).status).toBe(
    201,
  );
});

describe("a repeat under an Idempotency-Key", () => {
  it("is the same notification, once in the feed", async () => {
    const body = { message: "only once", media: [{ kind: "image", url: PIXEL }] };
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => notify(body, { idempotencyKey: "once" })),
    );
    expect(new Set(replies.map(({ json }) => json["notification_id"])).size).toBe(1);
    const later = await notify(body, { idempotencyKey: "once" });
    expect([later.status, later.json]).toEqual([200, replies[0]?.json]);
    const { items } = await feed();
    const found = items.filter((item) => item["message"] === "only once");
    expect(found).toHaveLength(1);
    const url = /"(\/api\/interactions\/media\/[^"]+)"/.exec(JSON.stringify(found[0]))?.[1] ?? "";
    expect((await send(`${interlude.url}${url}`)).status).toBe(200);
  });

  it("with other content is a conflict, and for another subject another notification", async () => {
    const first = await notify({ message: "A" }, { idempotencyKey: "shared" });
    const other = await notify({ message: "B" }, { idempotencyKey: "shared" });
    expect([other.status, other.json["code"]]).toEqual([409, "idempotency_conflict"]);
    expect(other.text).not.toContain(String(first.json["notification_id"]));
    const invalid = await notify({ message: "" }, { idempotencyKey: "shared" });
    expect([invalid.status, invalid.json["code"]]).toEqual([409, "idempotency_conflict"]);
    const theirs = await notify(
      { message: "B" },
      { idempotencyKey: "shared", key: interlude.keys.otherAsker },
    );
    expect(theirs.status).toBe(202);
  });
});

describe("what is refused leaves nothing in the feed", () => {
  it.each<[string, Record<string, unknown>, string]>([
    ["no message", {}, "/message"],
    ["a blank message", { message: "  " }, "/message"],
    ["a message of 65,537 characters", { message: "x".repeat(65_537) }, "/message"],
    ["a channel that is not registered", { message: "x", channel: "slack", recipient: "C1" }, "/channel"],
    ["a form without a channel", { message: "x", schema: { type: "object" } }, "/schema"],
    ["options without a channel", { message: "x", options: ["a"] }, "/options"],
    ["11 options", { message: "x", channel: "slack", options: Array(11).fill("a") }, "/options"],
    ["an unknown field", { message: "x", text: "y" }, "/text"],
    [
      "media that does not exist",
      { message: "x", media: [{ kind: "image", url: `/api/interactions/media/${"A".repeat(43)}` }] },
      "/media/0/url",
    ],
  ])("case 92: %s", async (_, body, path) => {
    const before = await feed();
    const reply = await notify(body);
    expect([reply.status, reply.json["code"]]).toEqual([400, "validation_failed"]);
    expect(pathsOf(reply)).toContain(path);
    expect(await feed()).toEqual(before);
  });

  it("a channel is refused with its name", async () => {
    expect((await notify({ message: "x", channel: "pigeon" })).text).toContain(
      'no channel named \\"pigeon\\"',
    );
  });

  it("askers send and answerers read, not the other way round", async () => {
    expect((await notify({ message: "x" }, { key: interlude.keys.answerer })).status).toBe(403);
    const reply = await send(`${interlude.url}/api/notifications`, { key: interlude.keys.asker });
    expect(reply.status).toBe(403);
  });
});

it("a notification is an event of NOTIFICATIONS with its attributes in headers", async () => {
  const sent = await notify({ message: "as an event", audience: "group:café" });
  const id = String(sent.json["notification_id"]);
  const log = await openLog({ url: interlude.nats.url, service: "journey" });
  try {
    const found = await log.manager.streams.getMessage("NOTIFICATIONS", {
      last_by_subj: `notifications.sent.inbox.*.${id}`,
    });
    expect(found?.header.get("ce-type")).toBe("interlude.notification.sent.v1");
    expect(found?.header.get("ce-subject")).toBe(id);
    expect(found?.header.get("ce-asker")).toBe("ann");
    expect(found?.header.get("ce-audience")).toBe("group:caf%C3%A9");
  } finally {
    await log.close();
  }
});
