import type { ListQuery } from "@interlude/contract";
import type { Database } from "@interlude/postgres";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { type ListPage, listItems, type Reader } from "../src/index.ts";
import { askedEvent, endEvent, NOW_MS, sequenced } from "./events.ts";
import { listQuery, openReadModel, OPERATOR, project, type ReadModel, subject } from "./read-model.ts";

let model: ReadModel;
let database: Database;

beforeEach(async () => {
  model = await openReadModel(inject("postgresUrl"));
  database = model.database;
});
afterEach(() => model.close());

async function list(
  query: Partial<ListQuery> = {},
  reader: Reader = OPERATOR,
  nowMs = NOW_MS,
): Promise<ListPage> {
  const listed = await listItems(database, listQuery(query), reader, nowMs);
  if (!listed.ok) throw new Error(JSON.stringify(listed.faults));
  return listed.value;
}

function idsOf(page: ListPage): string[] {
  return page.items.map(({ item }) => item.interaction_id);
}

/** Follows `next_cursor` to the end; `between` may change the world after each page. */
async function walk(
  query: Partial<ListQuery>,
  between: (page: number) => Promise<void> = () => Promise.resolve(),
) {
  const pages = [await list(query)];
  for (let cursor = pages[0]?.next_cursor ?? null; cursor !== null && pages.length < 100;) {
    await between(pages.length);
    const page = await list({ ...query, cursor });
    pages.push(page);
    cursor = page.next_cursor;
  }
  return pages;
}

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `q-${String(index).padStart(4, "0")}`);
}

describe("following cursors", () => {
  it("A-PAGE-1: shows every question that stays pending exactly once while others are answered", async () => {
    const ids = names(25);
    await project(database, sequenced(ids.map((id) => askedEvent(id))));
    const pages = await walk({ page_size: 10 }, async (page) => {
      if (page !== 1) return;
      const answers = ids.slice(0, 3).map((id) => endEvent("answered", id));
      await project(database, sequenced(answers, 25), 10, 25);
    });
    const seen = pages.flatMap(idsOf);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(ids.slice(3)));
    expect(pages.at(-1)?.total).toBe(22);
  });

  it("A-PAGE-3: shows questions of the same millisecond exactly once, in every order", async () => {
    const ids = names(40);
    await project(database, sequenced(ids.map((id) => askedEvent(id))));
    for (const sort of ["created_at", "-created_at", "deadline"] as const) {
      const seen = (await walk({ page_size: 3, sort })).flatMap(idsOf);
      expect(seen).toEqual(sort === "-created_at" ? ids.toReversed() : ids);
    }
  });

  it("also goes on where more is asked meanwhile", async () => {
    await project(database, sequenced(names(5).map((id) => askedEvent(id))));
    const pages = await walk({ page_size: 3 }, () =>
      project(database, sequenced([askedEvent("late-one")], 5), 10, 5),
    );
    expect(pages.flatMap(idsOf)).toEqual([...names(5), "late-one"]);
  });

  it("refuses what is no cursor of a list in this order, naming the parameter", async () => {
    await project(database, sequenced(names(3).map((id) => askedEvent(id))));
    const { next_cursor: cursor } = await list({ page_size: 2 });
    const foreign = Buffer.from('[1,"created_at",1e400,0]').toString("base64url");
    for (const [sort, text] of [
      ["created_at", "x"],
      ["created_at", ""],
      ["created_at", "bm90IGpzb24"],
      ["created_at", foreign],
      ["created_at", `${String(cursor)}=`],
      ["deadline", String(cursor)],
    ] as const) {
      const listed = await listItems(database, listQuery({ sort, cursor: text }), OPERATOR, NOW_MS);
      expect(listed).toMatchObject({ ok: false, faults: [{ path: "cursor" }] });
    }
  });
});

describe("page numbers", () => {
  it("count from the beginning, with the number and cursor of the next page, null at the end", async () => {
    const ids = names(7);
    await project(database, sequenced(ids.map((id) => askedEvent(id))));
    const first = await list({ page_size: 3 });
    expect(first).toMatchObject({ total: 7, page: 1, page_size: 3, next_page: 2, truncated: false });
    expect(first.next_cursor).toBeTypeOf("string");
    const last = await list({ page_size: 3, page: 3 });
    expect(idsOf(last)).toEqual(ids.slice(6));
    expect(last).toMatchObject({ total: 7, page: 3, next_page: null, next_cursor: null });
    expect(await list({ page_size: 200, page: 1_000_000 })).toMatchObject({
      items: [],
      total: 7,
      next_page: null,
    });
  });
});

describe("the clock", () => {
  it("shows, filters and counts a question past its deadline as expired before its event has landed", async () => {
    const due = new Date(NOW_MS).toISOString();
    const entries = [
      askedEvent("due-one", { timeout_at: due }),
      askedEvent("open-one"),
      askedEvent("expired-one"),
    ];
    await project(database, sequenced([...entries, endEvent("expired", "expired-one")]));

    const before = await list({}, OPERATOR, NOW_MS - 1);
    expect([idsOf(before), before.total]).toEqual([["due-one", "open-one"], 2]);
    const pending = await list();
    expect([idsOf(pending), pending.total]).toEqual([["open-one"], 1]);
    const expired = await list({ status: "expired" });
    expect([idsOf(expired), expired.total]).toEqual([["due-one", "expired-one"], 2]);
    expect(expired.items[0]?.item).toMatchObject({ status: "expired", resolved_at: due });
    expect(await list({ status: "all" })).toMatchObject({ total: 3 });
    const filtered = await list({ status: "expired", asker: "flow" });
    expect([idsOf(filtered), filtered.total]).toEqual([["due-one", "expired-one"], 2]);
  });
});

describe("an item", () => {
  it("A-TIME-3: says the moments that were stored, to the millisecond, whatever the session's zone", async () => {
    const timeout_at = "2031-12-31T18:30:00.123Z";
    await project(
      database,
      sequenced([askedEvent("zoned-one", { timeout_at, expiry_at: timeout_at, mode: "async" })]),
    );
    const { items } = await list();
    expect(items[0]?.item).toMatchObject({
      timeout_at,
      expiry_at: timeout_at,
      created_at: "2031-03-01T11:59:59.000Z",
    });
  });

  it("A-JSON-1: holds an answered object as an object", async () => {
    const answer = { a: 1, b: [true, null] };
    await project(
      database,
      sequenced([askedEvent("json-one"), endEvent("answered", "json-one", { answer })]),
    );
    const { items } = await list({ status: "answered" });
    expect(items[0]?.item).toMatchObject({ status: "answered", answer, answered_by: "ann", sequence: 2 });
    const [row] = await database.run(
      (sql) =>
        sql`select jsonb_typeof(answer) as answer, json_typeof(question) as question from interactions`,
    );
    expect(row).toEqual({ answer: "object", question: "object" });
  });

  it("A-JSON-2: keeps options with quotes, backslashes and braces as they are", async () => {
    const options = ["C:\\new", 'say "hi"', "{a,b}", "\\u0000"];
    const asked = askedEvent("quoted-one", { answer_format: "select", format_payload: { options } });
    await project(database, sequenced([asked, endEvent("answered", "quoted-one", { answer: "{a,b}" })]));
    const { items } = await list({ status: "all" });
    expect(items[0]?.item).toMatchObject({ format_payload: { options }, answer: "{a,b}" });
  });

  it("keeps the order of a form's fields", async () => {
    const schema = { type: "object", properties: { zebra: {}, a: {}, middle: {}, bb: {} } };
    await project(
      database,
      sequenced([askedEvent("form-one", { answer_format: "form", format_payload: { schema } })]),
    );
    const { items } = await list();
    expect(JSON.stringify(items[0]?.item.format_payload.schema)).toBe(JSON.stringify(schema));
  });

  it("never shows a sensitive answer, and leaves nothing of it in a row", async () => {
    const sealed = endEvent("answered", "secret-one", { sealed: "c2VhbGVk" });
    await project(database, sequenced([askedEvent("secret-one", { sensitive: true }), sealed]));
    const { items } = await list({ status: "answered" });
    expect(items[0]?.item).not.toHaveProperty("answer");
    const rows = await database.run((sql) => sql`select i::text as row from interactions i`);
    expect(JSON.stringify(rows)).not.toContain("c2VhbGVk");
  });

  it("offers what an external link is made of while the question is open, apart from the item", async () => {
    const ticket = { kid: "k1", nonce: "n" };
    const external = { link: "https://example.com/?cb={callback}", ticket };
    await project(database, sequenced([askedEvent("ext-one", { answer_format: "external", ...external })]));
    const open = await list();
    expect(open.items[0]?.external).toEqual(external);
    expect(JSON.stringify(open.items[0]?.item)).not.toContain("nonce");
    await project(database, sequenced([endEvent("cancelled", "ext-one")], 1), 1, 1);
    expect((await list({ status: "cancelled" })).items[0]).not.toHaveProperty("external");
  });
});

describe("filters", () => {
  it("narrow the list and count what they leave", async () => {
    await project(
      database,
      sequenced([
        askedEvent("one-1", { channel: "slack", recipient: "C1", group_id: "g-1", audience: "ann" }),
        askedEvent("two-2", { answer_format: "confirm", asker: "other" }),
        askedEvent("three-3", { channel: "sms", group_id: "g-1", audience: "group:ops" }),
      ]),
    );
    const found = async (query: Partial<ListQuery>) => {
      const page = await list(query);
      expect(page.total).toBe(page.items.length);
      return idsOf(page);
    };
    expect(await found({ channel: "slack" })).toEqual(["one-1"]);
    expect(await found({ answer_format: "confirm" })).toEqual(["two-2"]);
    expect(await found({ group_id: "g-1" })).toEqual(["one-1", "three-3"]);
    expect(await found({ audience: "group:ops" })).toEqual(["three-3"]);
    expect(await found({ asker: "other" })).toEqual(["two-2"]);
    expect(await found({ asker: "other", channel: "sms" })).toEqual([]);
  });

  it("find words of question and captions, whatever their case, and the last word while it is typed", async () => {
    const media = [{ kind: "image" as const, url: "https://example.com/a.png", caption: "Der ÜBERBLICK" }];
    await project(
      database,
      sequenced([
        askedEvent("caption-one", { question: "Ist das gut?", media }),
        askedEvent("deploy-one", { question: "Deploy release 4.2 to production?" }),
        askedEvent("kyoto-one", { question: "東京都に行きますか" }),
      ]),
    );
    const found = async (q: string) => idsOf(await list({ q }));
    expect(await found("überblick")).toEqual(["caption-one"]);
    expect(await found("DEPLOY prod")).toEqual(["deploy-one"]);
    expect(await found('"release 4.2"')).toEqual(["deploy-one"]);
    expect(await found("京都")).toEqual(["kyoto-one"]);
    expect(await found("deploy -release")).toEqual([]);
    for (const odd of ["'", '"', "\\", ":*", "& | !", "-", "a:*'", "\u0000", "%", "(", '-"to production"']) {
      await expect(found(odd)).resolves.toBeInstanceOf(Array);
    }
  });

  it("count to 10,000 and then say that they stopped", async () => {
    const ids = Array.from({ length: 10_001 }, (_, index) => `many-${index}`);
    await project(database, sequenced(ids.map((id) => askedEvent(id))));
    expect(await list({ asker: "flow", page_size: 1 })).toMatchObject({ total: 10_000, truncated: true });
    expect(await list({ page_size: 1 })).toMatchObject({ total: 10_001, truncated: false });
    expect(idsOf(await list({ page: 10_001, page_size: 1 }))).toEqual(["many-10000"]);
  });
});

describe("visibility", () => {
  it("hides what is addressed to others, in items and totals, and shows askers their own", async () => {
    await project(
      database,
      sequenced([
        askedEvent("for-all"),
        askedEvent("for-ann", { audience: "ann" }),
        askedEvent("for-ops", { audience: "group:ops" }),
        askedEvent("by-ann", { audience: "bob", asker: "ann" }),
      ]),
    );
    const seen = async (reader: Reader, query: Partial<ListQuery> = {}) => {
      const page = await list(query, reader);
      expect(page.total).toBe(page.items.length);
      return idsOf(page);
    };
    expect(await seen(OPERATOR)).toEqual(["for-all", "for-ann", "for-ops", "by-ann"]);
    expect(await seen(subject("ann", ["answerer"]))).toEqual(["for-all", "for-ann", "by-ann"]);
    expect(await seen(subject("eve", ["answerer"], ["ops"]))).toEqual(["for-all", "for-ops"]);
    expect(await seen(subject("flow", ["asker"]))).toEqual(["for-all", "for-ann", "for-ops"]);
    expect(await seen(subject("eve", ["asker"]))).toEqual([]);
    expect(await seen({ kind: "anonymous" })).toEqual(["for-all"]);
    expect(await seen(subject("eve", ["answerer"]), { audience: "ann" })).toEqual([]);
    expect(await seen(subject("ann", ["answerer"]), { sort: "deadline" })).toHaveLength(3);
  });
});
