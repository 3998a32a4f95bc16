import { useEffect, useRef, type ReactElement } from "react";
import { Link } from "wouter";
import type { Item } from "../api/item.ts";
import { messages } from "../messages.ts";
import { loadDraft } from "../state/drafts.ts";
import { nextWaiting } from "../state/overlay.ts";
import { useListInput } from "../state/use-list.ts";
import { buttonLook } from "../ui/button.tsx";
import { AnswerView } from "./answer-view.tsx";
import styles from "./outcome.module.css";

function KeptDraft({ id }: { id: string }): ReactElement | null {
  const draft = loadDraft(id);
  if (typeof draft !== "string" || draft === "") return null;
  return (
    <details className={styles["kept"]}>
      <summary>{messages.status.keptDraft}</summary>
      <p className={styles["text"]} dir="auto">
        {draft}
      </p>
    </details>
  );
}

function Onward({ item, now }: { item: Item; now: number }): ReactElement {
  const next = nextWaiting(useListInput(), item, now);
  const link = useRef<HTMLAnchorElement>(null);
  // The control that had the focus is gone with the answer: Enter goes on to the next question.
  useEffect(() => {
    if (document.activeElement === document.body) link.current?.focus({ preventScroll: true });
  }, []);
  const href = next === undefined ? "/" : `/q/${encodeURIComponent(next.interaction_id)}`;
  return (
    <p className={styles["onward"]}>
      <Link ref={link} href={href} className={buttonLook(next === undefined ? "plain" : "primary")}>
        {next === undefined ? messages.detail.toList : messages.detail.next}
      </Link>
    </p>
  );
}

export function Outcome({ item, now }: { item: Item; now: number }): ReactElement {
  return (
    <>
      {item.status === "answered" ? (
        <section className={styles["answer"]} aria-labelledby="given-answer">
          <h3 id="given-answer" className={styles["title"]}>
            {messages.detail.answer}
          </h3>
          {item.sensitive ? (
            <p className={styles["quiet"]}>{messages.status.sensitiveAnswer}</p>
          ) : (
            <AnswerView item={item} />
          )}
        </section>
      ) : null}
      <KeptDraft id={item.interaction_id} />
      <Onward item={item} now={now} />
    </>
  );
}
