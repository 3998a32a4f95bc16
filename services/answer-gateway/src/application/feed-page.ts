import { type Actor, authorize } from "@interlude/domain";
import type { FeedEntry } from "@interlude/event-log";

export type FeedSource = (
  beforeSequence: number | undefined,
) => AsyncIterable<{ entries: readonly FeedEntry[]; lookedDownTo: number }>;

/** `before`: where the next page begins; `undefined` at the end of the feed. */
export type FeedPage = { items: readonly FeedEntry["sent"][]; before: number | undefined };

/** Chunks looked through for one page: a reader who may see little of the feed still gets an answer in time. */
const MAX_CHUNKS = 40;

/** The next notifications that this reader may see, newest first. A page may be short, or empty, before the end. */
export async function readFeedPage(
  source: FeedSource,
  reader: Actor,
  request: { before: number | undefined; size: number },
): Promise<FeedPage> {
  const seen: FeedEntry[] = [];
  let chunks = 0;
  for await (const { entries, lookedDownTo } of source(request.before)) {
    seen.push(...entries.filter((entry) => maySee(reader, entry)));
    chunks += 1;
    const page = seen.slice(0, request.size);
    // One more than the page holds shows that the page is not the last.
    if (seen.length > request.size) return pageOf(page, page.at(-1)?.sequence);
    if (chunks === MAX_CHUNKS) return pageOf(page, lookedDownTo);
  }
  return pageOf(seen, undefined);
}

function pageOf(entries: readonly FeedEntry[], before: number | undefined): FeedPage {
  return { items: entries.map(({ sent }) => sent), before };
}

/** By the rule of questions: those it is addressed to, its sender, operators. */
function maySee(reader: Actor, { sent }: FeedEntry): boolean {
  const { notification_id: interaction_id, sender: asker, audience } = sent;
  return authorize(reader, "see", { interaction_id, asker, audience }) === "allowed";
}
