import { describe, expect, it } from "vitest";
import { converse, faultsOf, idsOf, itemsOf } from "../support/converse.ts";
import type { Deployment } from "../support/deployment.ts";

const WRONG_QUERIES: [string, string][] = [
  ["page=0", "page"],
  ["page=-1", "page"],
  ["page=1e9", "page"],
  ["page=NaN", "page"],
  ["page=1.5", "page"],
  ["page=1000001", "page"],
  ["page=", "page"],
  ["page=1&page=2", "page"],
  ["page_size=0", "page_size"],
  ["page_size=-5", "page_size"],
  ["page_size=abc", "page_size"],
  ["pageSize=0", "page_size"],
  ["page_size=5&pageSize=6", "page_size"],
  ["limit=5", "limit"],
  ["status=open", "status"],
  ["sort=question", "sort"],
  ["answer_format=number", "answer_format"],
  [`q=${"x".repeat(201)}`, "q"],
  ["cursor=nonsense", "cursor"],
  ["cursor=", "cursor"],
  ["cursor=abc&page=1", "cursor"],
  ["at_least=-1", "at_least"],
  ["at_least=01", "at_least"],
  ["at_least=x", "at_least"],
  ["at_least=999999999999", "at_least"],
];

/** The list, its pages and filters, one item and its history. */
export function listingSuite(at: () => Deployment): void {
  const { ask, asked, answer, call, item, list, listed } = converse(at);
  let groups = 0;
  const newGroup = () => `list-${process.pid}-${groups++}-${crypto.randomUUID()}`;

  /** Asks this many in a group of their own; the ids, and the last sequence. */
  async function askMany(count: number, body: object = {}) {
    const group = newGroup();
    const replies = await Promise.all(
      Array.from({ length: count }, (_, each) =>
        ask({ question: `Item ${each}?`, group_id: group, ...body }),
      ),
    );
    const sequence = Math.max(...replies.map(({ json }) => Number(json["sequence"])));
    return { group, ids: replies.map(({ json }) => String(json["interaction_id"])), sequence };
  }

  async function throughCursors(
    query: string,
    between: (page: number) => Promise<void> = () => Promise.resolve(),
  ) {
    const seen: string[] = [];
    let cursor: string | null = "";
    for (let page = 1; cursor !== null && page < 60; page++) {
      const reply = await list(`${query}${cursor === "" ? "" : `&cursor=${cursor}`}`);
      expect(reply.status).toBe(200);
      seen.push(...idsOf(reply));
      const next: unknown = reply.json["next_cursor"];
      cursor = typeof next === "string" ? next : null;
      if (page === 1 || cursor !== null) await between(page);
    }
    return seen;
  }

  describe("a list's query is refused, naming the parameter (A-PAGE-2)", () => {
    it.each(WRONG_QUERIES)("%s", async (query, path) => {
      const reply = await list(`?${query}`);
      expect(faultsOf(reply)).toMatchObject({ status: 400, code: "validation_failed" });
      expect(faultsOf(reply).paths).toContain(path);
    });
  });

  describe("the list", () => {
    it("has 50 a page, takes pageSize too, and caps a larger one at 200", async () => {
      expect((await list()).json).toMatchObject({ page: 1, page_size: 50 });
      expect((await list("?pageSize=7")).json["page_size"]).toBe(7);
      expect((await list("?page_size=100000")).json["page_size"]).toBe(200);
      expect((await list("?page=1000000")).json).toMatchObject({
        items: [],
        next_page: null,
        next_cursor: null,
      });
    });

    it("numbers its pages and ends with null, and its total is exact", async () => {
      const { group, sequence } = await askMany(3);
      const first = await listed(`?group_id=${group}&page_size=2`, sequence);
      expect(first.json).toMatchObject({ total: 3, page: 1, next_page: 2, truncated: false });
      const second = await list(`?group_id=${group}&page_size=2&page=2`);
      expect(second.json).toMatchObject({ total: 3, page: 2, next_page: null, next_cursor: null });
      expect(itemsOf(second)).toHaveLength(1);
    });

    it("pages by cursor through 40 of one moment, each exactly once (A-PAGE-3)", async () => {
      const { group, ids, sequence } = await askMany(40);
      await listed("", sequence);
      const seen = await throughCursors(`?group_id=${group}&page_size=3`);
      expect(seen.toSorted()).toEqual(ids.toSorted());
      for (const sort of ["-created_at", "deadline"]) {
        expect((await throughCursors(`?group_id=${group}&page_size=7&sort=${sort}`)).toSorted()).toEqual(
          ids.toSorted(),
        );
      }
    });

    it("skips and repeats nothing that stays while some are answered between pages (A-PAGE-1)", async () => {
      const { group, ids, sequence } = await askMany(25);
      await listed("", sequence);
      const gone: string[] = [];
      const seen = await throughCursors(`?group_id=${group}&page_size=10`, async (page) => {
        if (page !== 1) return;
        const shown = idsOf(await list(`?group_id=${group}&page_size=10`)).slice(0, 3);
        for (const id of shown) await answer(id, "x");
        gone.push(...shown);
      });
      const stayed = ids.filter((id) => !gone.includes(id)).toSorted();
      expect(seen.filter((id) => !gone.includes(id)).toSorted()).toEqual(stayed);
      expect(stayed).toHaveLength(22);
    });

    it("is sorted as asked", async () => {
      const group = newGroup();
      const [late, soon] = [
        await ask({ question: "1?", group_id: group, timeout_seconds: 500 }),
        await ask({ question: "2?", group_id: group, timeout_seconds: 100 }),
      ];
      const order = async (sort: string) =>
        idsOf(await listed(`?group_id=${group}&sort=${sort}`, soon.json["sequence"]));
      const [one, two] = [late, soon].map(({ json }) => json["interaction_id"]);
      expect(await order("created_at")).toEqual([one, two]);
      expect(await order("-created_at")).toEqual([two, one]);
      expect(await order("deadline")).toEqual([two, one]);
    });

    it.each<[string, object, string]>([
      ["answer_format", { answer_format: "confirm" }, "answer_format=confirm"],
      ["audience", { audience: "group:finance" }, "audience=group%3Afinance"],
      ["a word of the question", { question: "Ship the zeppelin?" }, "q=zeppelin"],
      [
        "a word of a caption",
        { media: [{ kind: "link", url: "https://a.example/", caption: "a dirigible plan" }] },
        "q=dirigible",
      ],
      ["the asker", {}, "asker=ann"],
    ])("is filtered by %s", async (_name, body, query) => {
      const { group, ids, sequence } = await askMany(1, body);
      const other = await ask({ question: "Another?", group_id: group }, { key: at().keys.otherAsker });
      const reply = await listed(
        `?group_id=${group}&${query}`,
        Math.max(sequence, Number(other.json["sequence"])),
      );
      expect(idsOf(reply)).toEqual(ids);
    });

    it("holds a search that means nothing to be nothing, never an error", async () => {
      for (const q of ["%", "'", '"', "\\", ":*", "!()&|", "😀", "a\u0301", "-- ;drop", "%00"]) {
        expect((await list(`?q=${q === "%00" ? q : encodeURIComponent(q)}`)).status).toBeLessThan(500);
      }
    });

    it("shows each under its status, and one past its deadline as expired by the clock", async () => {
      const group = newGroup();
      const [open, answered, cancelled, expired] = [
        await asked({ group_id: group }),
        await asked({ group_id: group }),
        await asked({ group_id: group }),
        await asked({ group_id: group, timeout_seconds: 0.1 }),
      ];
      await answer(answered, "x");
      const { json } = await call(`/api/interactions/${cancelled}/cancel`, {
        method: "POST",
        key: at().keys.asker,
      });
      const of = async (status: string) =>
        idsOf(await listed(`?group_id=${group}&status=${status}`, json["sequence"]));
      await expect.poll(() => of("expired")).toEqual([expired]);
      expect(await of("pending")).toEqual([open]);
      expect(await of("answered")).toEqual([answered]);
      expect(await of("cancelled")).toEqual([cancelled]);
      expect(await of("failed")).toEqual([]);
      expect((await of("all")).toSorted()).toEqual([open, answered, cancelled, expired].toSorted());
    });

    it("includes a write that its client has seen, at once", async () => {
      for (let round = 0; round < 10; round++) {
        const { json } = await ask({ question: "Mine?", group_id: `g-${round}` });
        expect(idsOf(await listed("?sort=-created_at&page_size=20", json["sequence"]))).toContain(
          json["interaction_id"],
        );
      }
    });
  });

  describe("what is not one's own does not exist", () => {
    it("in lists, counts, items, histories and answers of another audience", async () => {
      const { group, ids, sequence } = await askMany(1, { audience: "group:finance" });
      const [id = ""] = ids;
      const seenBy = async (key: string) =>
        (await listed(`?group_id=${group}`, sequence, { key })).json["total"];
      const { keys } = at();
      expect(
        await Promise.all(
          [keys.answerer, keys.groupAnswerer, keys.operator, keys.asker, keys.otherAsker].map(seenBy),
        ),
      ).toEqual([0, 1, 1, 1, 0]);
      for (const path of [`/api/interactions/${id}`, `/api/interactions/${id}/events`]) {
        expect((await call(path, { key: keys.answerer })).status).toBe(404);
        expect((await call(path, { key: keys.groupAnswerer })).status).toBe(200);
      }
      const hidden = await answer(id, "x");
      const unknown = await answer("019f0000-0000-7000-8000-000000000000", "x");
      expect([hidden.status, hidden.text]).toEqual([404, unknown.text]);
      expect((await answer(id, "x", { key: keys.groupAnswerer })).status).toBe(200);
    });

    it("for an asker: only what it asked", async () => {
      const { group, sequence } = await askMany(2);
      expect(
        (await listed(`?group_id=${group}`, sequence, { key: at().keys.otherAsker })).json["total"],
      ).toBe(0);
    });
  });

  describe("an item", () => {
    it("never holds fingerprint, ticket, verifier or run, and the same in list and alone", async () => {
      const { group, ids, sequence } = await askMany(1, { metadata: { k: "v" } });
      const [listedItem] = itemsOf(await listed(`?group_id=${group}`, sequence));
      const alone = (await item(ids[0] ?? "")).json;
      expect(alone).toEqual(listedItem);
      expect(Object.keys(alone).toSorted()).toEqual([
        "answer_format",
        "asker",
        "created_at",
        "format_payload",
        "group_id",
        "interaction_id",
        "metadata",
        "mode",
        "question",
        "sensitive",
        "sequence",
        "server_verified",
        "status",
        "timeout_at",
      ]);
    });

    it("moves its sequence with each change, and has its history, oldest first", async () => {
      const reply = await ask({ question: "Then?" });
      const id = String(reply.json["interaction_id"]);
      const answered = await answer(id, "x");
      expect((await item(id)).json).toMatchObject({
        sequence: answered.json["sequence"],
        answered_by: "bob",
        answer: "x",
        resolved_at: answered.json["answered_at"],
      });
      const events = await call(`/api/interactions/${id}/events`, { key: at().keys.operator });
      expect(itemsOf(events)).toMatchObject([
        { sequence: reply.json["sequence"], type: "asked", status: "pending", at: reply.json["created_at"] },
        { sequence: answered.json["sequence"], type: "answered", status: "answered", answered_by: "bob" },
      ]);
      expect(events.text).not.toContain("fingerprint");
    });
  });
}
