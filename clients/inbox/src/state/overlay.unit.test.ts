import { describe, expect, it } from "vitest";
import { parseItem, type Item } from "../api/item.ts";
import { statusAt, visibleItems, withEnds, withItems, type End } from "./overlay.ts";

const NOW = Date.parse("2026-12-02T10:00:00.000Z");

function item(id: string, overrides: Record<string, string | number> = {}): Item {
  const parsed = parseItem({
    interaction_id: id,
    group_id: "g",
    asker: "agent",
    question: `Question ${id}?`,
    answer_format: "text",
    format_payload: {},
    status: "pending",
    created_at: "2026-12-02T09:00:00.000Z",
    timeout_at: "2026-12-02T11:00:00.000Z",
    sensitive: false,
    server_verified: false,
    sequence: 1,
    ...overrides,
  });
  if (parsed === undefined) throw new Error("the fixture is no item");
  return parsed;
}

const end = (id: string, sequence: number): End => ({
  interaction_id: id,
  status: "answered",
  at: "2026-12-02T09:30:00.000Z",
  answered_by: "ana",
  sequence,
});

const filter = { status: "pending", q: "", sort: "-created_at" } as const;
const ids = (items: readonly Item[]): string[] => items.map((entry) => entry.interaction_id);

describe("the live list", () => {
  it("keeps an answered question answered when an older page arrives late", () => {
    const live = withEnds(withItems(new Map(), new Map(), [item("a")]), [end("a", 5)]);
    const late = withItems(live, new Map(), [item("a", { sequence: 1 })]);
    expect(late.get("a")?.status).toBe("answered");
    expect(late.get("a")?.answered_by).toBe("ana");
  });

  it("applies an end that outran the question it ends", () => {
    const ends = new Map([["a", end("a", 5)]]);
    expect(withItems(new Map(), ends, [item("a")]).get("a")?.status).toBe("answered");
  });

  it("lets a read at the same position add the answer", () => {
    const live = withEnds(withItems(new Map(), new Map(), [item("a")]), [end("a", 5)]);
    const read = withItems(live, new Map(), [
      { ...item("a", { sequence: 5, status: "answered" }), answer: 7 },
    ]);
    expect(read.get("a")?.answer).toBe(7);
  });

  it("shows a question past its deadline as expired, before the server says so", () => {
    expect(statusAt(item("a", { timeout_at: "2026-12-02T10:00:00.000Z" }), NOW)).toBe("expired");
    expect(statusAt(item("a"), NOW)).toBe("pending");
  });

  it("puts a new question on top of the fetched pages, once", () => {
    const items = withItems(new Map(), new Map(), [
      item("a"),
      item("b", { created_at: "2026-12-02T09:40:00.000Z", sequence: 9 }),
    ]);
    const list = { items, base: ["a"], live: new Set(["b", "a"]), hasMore: true, filter };
    expect(ids(visibleItems(list, NOW))).toEqual(["b", "a"]);
  });

  it("holds a streamed question back while the page it belongs to is not fetched", () => {
    const items = withItems(new Map(), new Map(), [
      item("a"),
      item("b", { created_at: "2026-12-02T09:40:00.000Z" }),
    ]);
    const oldest = { ...filter, sort: "created_at" } as const;
    const list = { items, base: ["a"], live: new Set(["b"]), hasMore: true, filter: oldest };
    expect(ids(visibleItems(list, NOW))).toEqual(["a"]);
    expect(ids(visibleItems({ ...list, hasMore: false }, NOW))).toEqual(["a", "b"]);
  });

  it("drops what ended from the waiting questions", () => {
    const items = withEnds(withItems(new Map(), new Map(), [item("a"), item("b")]), [end("a", 5)]);
    expect(
      ids(visibleItems({ items, base: ["a", "b"], live: new Set(), hasMore: false, filter }, NOW)),
    ).toEqual(["b"]);
  });
});
