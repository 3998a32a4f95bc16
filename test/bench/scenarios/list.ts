import type { Bench, Scenario } from "../bench.ts";
import { type Doors, openDoors } from "../doors.ts";
import { serialMedian, timed } from "../load.ts";
import { interleave, rowOfPairs } from "../measurement.ts";

const SMALL = 1_000;
const PAGE = "status=pending&page_size=50";
const LARGE_PAGE = "status=pending&page_size=200";
/** The deep page starts here, as a share of the whole list. */
const DEPTH = 0.9;

export const largeCount = (bench: Bench) => (bench.options.full ? 1_000_000 : 100_000);

/** The same pages of a list a hundred times as long: what grows with the list is a fault. */
export const list: Scenario = {
  name: "list",
  seconds: ({ full }) => (full ? 1_500 : 110),
  async run(bench) {
    const big = await openList(bench, largeCount(bench));
    const small = await openList(bench, SMALL);
    const { pairs, n } = bench.options;
    const size = (largeCount(bench) / 1_000).toLocaleString("en");
    const compare = (at: "first" | "deep") =>
      interleave(
        pairs,
        () => serialMedian(n, () => timed(() => big.doors.list(big[at]))),
        () => serialMedian(n, () => timed(() => small.doors.list(small[at]))),
      );
    const note = "the reference is the same page of 1,000 pending";
    const rows = [
      rowOfPairs(
        `list, first page of ${size}k pending, p50`,
        "ms",
        await compare("first"),
        { atMost: 3 },
        note,
      ),
      rowOfPairs(`list, deep page of ${size}k pending, p50`, "ms", await compare("deep"), { atMost: 3 }),
    ];
    await Promise.all([big.doors.close(), small.doors.close()]);
    return rows;
  },
};

async function openList(bench: Bench, count: number) {
  const doors = openDoors(await bench.seeded(count), 1);
  return { doors, first: PAGE, deep: `${PAGE}&cursor=${encodeURIComponent(await deepCursor(doors, count))}` };
}

/** Walks there by cursor, as a reader would, and stops while a page is left to read. */
async function deepCursor(doors: Doors, count: number): Promise<string> {
  let page = await doors.list(LARGE_PAGE);
  let seen = page.items.length;
  for (; seen + page.items.length <= count * DEPTH && page.next_cursor !== null; seen += page.items.length) {
    page = await doors.list(`${LARGE_PAGE}&cursor=${encodeURIComponent(page.next_cursor)}`);
  }
  if (page.next_cursor === null) throw new Error(`the list ended after ${seen} of ${count}`);
  return page.next_cursor;
}
