import { useCallback, useEffect, useRef, useState } from "react";
import { DoorError } from "../api/http.ts";
import {
  getRun,
  getRunHistory,
  listRunQuestions,
  type Run,
  type RunAddress,
  type RunHistory,
  type RunQuestion,
} from "../api/runs.ts";
import { readPages } from "../state/read-pages.ts";
import { useRefresh } from "../state/use-refresh.ts";

export type Part = { items: readonly RunQuestion[]; hasMore: boolean };
export type RunParts = { run: Run; waiting: Part; ended: Part; history: RunHistory };
export type LoadedRun = {
  parts: RunParts | undefined;
  failure: "not-found" | "forbidden" | "failed" | undefined;
  stale: boolean;
  read: () => Promise<void>;
  more: (which: "waiting" | "ended") => void;
};

const PAGE = 50;
const EVERY_MS = 4_000;

/** A run's questions from the first on, at least `wanted` of them. */
async function readPart(
  address: RunAddress,
  state: "waiting" | "ended",
  wanted: number,
  isEmpty: boolean,
): Promise<Part> {
  if (isEmpty) return { items: [], hasMore: false };
  const page = await readPages(wanted, (cursor) => listRunQuestions(address, state, cursor));
  return { items: page.items, hasMore: page.nextCursor !== null };
}

type Wanted = { waiting: number; ended: number };

/** Everything of one park, as of one moment: a newer park of the run must not lend its questions to an older one. */
async function readParts(address: RunAddress, wanted: Wanted): Promise<RunParts | undefined> {
  const run = await getRun(address);
  if (run === undefined) return undefined;
  const park = { ...address, parkId: run.parkId };
  const [waiting, ended, history] = await Promise.all([
    readPart(park, "waiting", wanted.waiting, run.remaining === 0),
    readPart(park, "ended", wanted.ended, run.remaining === run.total),
    getRunHistory(address),
  ]);
  return { run, waiting, ended, history };
}

function failureOf(error: unknown): LoadedRun["failure"] {
  if (!(error instanceof DoorError)) return "failed";
  if (error.status === 404) return "not-found";
  return error.status === 403 ? "forbidden" : "failed";
}

/** A run with its questions and its history; give the component the address as its key. */
export function useRun(address: RunAddress): LoadedRun {
  const [parts, setParts] = useState<RunParts>();
  const [failure, setFailure] = useState<LoadedRun["failure"]>();
  const wanted = useRef<Wanted>({ waiting: PAGE, ended: PAGE });
  const reads = useRef(0);
  const shown = useRef(address);

  const read = useCallback(async (): Promise<void> => {
    const mine = ++reads.current;
    try {
      const found = await readParts(shown.current, wanted.current);
      if (mine !== reads.current) return;
      setParts(found);
      setFailure(found === undefined ? "failed" : undefined);
    } catch (error) {
      if (mine === reads.current) setFailure(failureOf(error));
      throw error;
    }
  }, []);

  useEffect(() => {
    void read().catch(() => undefined);
    return () => {
      reads.current += 1;
    };
  }, [read]);
  useRefresh(read, EVERY_MS);

  const more = (which: "waiting" | "ended"): void => {
    wanted.current = { ...wanted.current, [which]: wanted.current[which] + PAGE };
    void read().catch(() => undefined);
  };
  const isGone = failure === "not-found" || failure === "forbidden";
  return { parts: isGone ? undefined : parts, failure, stale: failure === "failed", read, more };
}
