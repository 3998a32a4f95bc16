import { create } from "zustand";
import { isStatus, parseItem, type Item } from "../api/item.ts";
import { isJsonObject, own, ownText, parseJson } from "../api/json.ts";
import type { End } from "../state/overlay.ts";
import { applyFrames, loadBase } from "../state/questions.ts";
import type { Frame, StreamStatus } from "./event-stream.ts";
import { followSharedTail } from "./shared-tail.ts";

export const useLive = create<{ status: StreamStatus }>(() => ({ status: "connecting" }));

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

/** Keeps the store fed from the tail until stopped. */
export function startLive(): () => void {
  let added: Item[] = [];
  let ended: End[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
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
    const before = useLive.getState().status;
    useLive.setState({ status });
    // The tail starts at its end: what happened before it opened is in the pages only.
    if (status === "open" && before !== "open") void loadBase(lastId);
  };
  const stop = followSharedTail({ onFrame, onStatus });
  return () => {
    clearTimeout(timer);
    stop();
    useLive.setState({ status: "connecting" });
  };
}
