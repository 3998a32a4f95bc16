import { useEffect, useRef } from "react";
import { useLive } from "../live/live.ts";
import { useQuestions } from "./questions.ts";

/** An end that was told of is seen by the read models a moment later. */
const AFTER_NEWS_MS = 300;
const MAX_DELAY_MS = 60_000;

/**
 * Reads anew while the page is looked at: soon after a question ended or the stream came back, and every so
 * often, since what workers do is told by no frame. One read at a time; one that fails makes the next wait longer.
 */
export function useRefresh(read: () => Promise<void>, everyMs: number): void {
  const latest = useRef(read);
  useEffect(() => {
    latest.current = read;
  });
  const ends = useQuestions((state) => state.ends);
  const opens = useLive((state) => state.opens);
  const hurry = useRef<() => void>(() => undefined);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const state = { stopped: false, reading: false, again: false, delayMs: everyMs };
    const plan = (ms: number): void => {
      clearTimeout(timer);
      if (!state.stopped) timer = setTimeout(() => void run(), ms);
    };
    const nextMs = (): number => (state.again ? AFTER_NEWS_MS : state.delayMs);
    const run = async (): Promise<void> => {
      if (document.hidden) return;
      if (state.reading) {
        state.again = true;
        return;
      }
      state.reading = true;
      state.again = false;
      await latest.current().then(
        () => (state.delayMs = everyMs),
        () => (state.delayMs = Math.min(MAX_DELAY_MS, state.delayMs * 2)),
      );
      state.reading = false;
      plan(nextMs());
    };
    const onVisible = (): void => {
      if (!document.hidden) plan(0);
    };
    hurry.current = () => {
      if (state.reading) state.again = true;
      else plan(AFTER_NEWS_MS);
    };
    document.addEventListener("visibilitychange", onVisible);
    plan(everyMs);
    return () => {
      state.stopped = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [everyMs]);
  useEffect(() => {
    hurry.current();
  }, [ends, opens]);
}
