import { useEffect, useState } from "react";
import { getQuestion } from "../api/doors.ts";
import { DoorError } from "../api/http.ts";
import type { Item } from "../api/item.ts";
import { useLive } from "../live/live.ts";
import { rememberItem, useQuestions } from "../state/questions.ts";

type Loaded = { item: Item | undefined; failure: "not-found" | "failed" | undefined; retry: () => void };

/**
 * The question from the store, read anew when opened, after each connection of the stream, and when it was
 * answered elsewhere (a frame carries no answer). What is known already is shown meanwhile.
 */
export function useQuestion(id: string): Loaded {
  const item = useQuestions((state) => state.items.get(id));
  const [failure, setFailure] = useState<Loaded["failure"]>();
  const [attempt, setAttempt] = useState(0);
  const opens = useLive((state) => state.opens);
  const lacksAnswer = item?.status === "answered" && item.answer === undefined && !item.sensitive;
  useEffect(() => {
    const stop = new AbortController();
    getQuestion(id, stop.signal)
      .then((read) => {
        if (read !== undefined) rememberItem(read);
        setFailure(read === undefined ? "failed" : undefined);
      })
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        setFailure(error instanceof DoorError && error.status === 404 ? "not-found" : "failed");
      });
    return () => {
      stop.abort();
    };
  }, [id, lacksAnswer, attempt, opens]);
  const retry = (): void => {
    setFailure(undefined);
    setAttempt(attempt + 1);
  };
  return { item, failure: item === undefined ? failure : undefined, retry };
}
