import { create } from "zustand";
import { listQuestions } from "../api/doors.ts";
import { isStatus, parseItem, type Item } from "../api/item.ts";
import { isJsonObject, own, ownText, parseJson } from "../api/json.ts";
import type { End } from "../state/overlay.ts";
import { applyFrames, loadBase } from "../state/questions.ts";
import type { Frame, StreamStatus } from "./event-stream.ts";
import { followSharedTail } from "./shared-tail.ts";

/** `opens` counts the connections: what was read before the latest one may have missed something. */
export const useLive = create<{ status: StreamStatus; opens: number }>(() => ({
  status: "connecting",
  opens: 0,
}));

/** Frames within this are applied together: a burst renders once. */
const BATCH_MS = 50;

function parseEnd(frame: Frame): End | undefined {
  const data = parseJson(frame.data);
  if (!isJsonObject(data)) return undefined;
  const id = ownText(data, "interaction_id");
  const status = own(data, "status");
  if (id === undefined || !isStatus(status) || status === "pending") return undefined;
  const by = ownText(data, "answered_by");
  return {
    interaction_id: id,
    status,
    at: ownText(data, "at") ?? "",
    sequence: Number(frame.id),
    ...(by === undefined ? {} : { answered_by: by }),
  };
}

/**
 * The list lags behind the log by a moment, and a fresh tail starts at the log's end: what falls between would
 * be in neither. So the tail begins at the newest question that the list has, and the pages are read after it.
 */
async function newestPosition(): Promise<string | undefined> {
  const newest = { status: "all", q: "", sort: "-created_at" } as const;
  const page = await listQuestions({ filter: newest, pageSize: 1 }).catch(() => undefined);
  const item = page?.items[0];
  return item === undefined || item.sequence === 0 ? undefined : String(item.sequence);
}

/** An inbox without any question has no position to begin at: its list is read once more after this. */
const SETTLE_MS = 2_000;

/** Keeps the store fed from the tail until stopped. */
export function startLive(): () => void {
  let added: Item[] = [];
  let ended: End[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let settle: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    timer = undefined;
    applyFrames(added, ended);
    added = [];
    ended = [];
  };
  const onFrame = (frame: Frame): void => {
    if (frame.event === "interaction.add") {
      const item = parseItem(parseJson(frame.data));
      if (item !== undefined) added.push(item);
    } else {
      const end = parseEnd(frame);
      if (end !== undefined) ended.push(end);
    }
    timer ??= setTimeout(flush, BATCH_MS);
  };
  const onStatus = (status: StreamStatus, lastId: string | undefined): void => {
    const { status: before, opens } = useLive.getState();
    const isNew = status === "open" && before !== "open";
    useLive.setState({ status, opens: isNew ? opens + 1 : opens });
    if (!isNew) return;
    void loadBase(lastId);
    if (lastId === undefined) settle = setTimeout(() => void loadBase(), SETTLE_MS);
  };
  const stop = followSharedTail({ onFrame, onStatus, begin: newestPosition });
  return () => {
    clearTimeout(settle);
    clearTimeout(timer);
    stop();
    useLive.setState({ status: "connecting" });
  };
}
