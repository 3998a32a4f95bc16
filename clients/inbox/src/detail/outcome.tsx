import { lazy, Suspense, useEffect, useRef, type ReactElement } from "react";
import { Link } from "wouter";
import type { Item } from "../api/item.ts";
import { messages } from "../messages.ts";
import { loadDraft } from "../state/drafts.ts";
import { nextWaiting } from "../state/overlay.ts";
import { useListInput } from "../state/use-list.ts";
import { buttonLook } from "../ui/button.tsx";
import { Disclosure } from "../ui/disclosure.tsx";
import { AnswerView } from "./answer-view.tsx";
import styles from "./outcome.module.css";

const KeptForm = lazy(() => import("../form/kept-form.tsx").then(({ KeptForm }) => ({ default: KeptForm })));

/** Somebody else was first: what was typed here is not sent, and not lost either. */
function KeptDraft({ item }: { item: Item }): ReactElement | null {
  const draft = loadDraft(item.interaction_id);
  if (draft === undefined || draft === "") return null;
  if (item.answer_format === "form")
    return (
      <Disclosure summary={messages.status.keptDraft}>
        {() => (
          <Suspense>
            <KeptForm item={item} kept={draft} />
          </Suspense>
        )}
      </Disclosure>
    );
  if (typeof draft !== "string") return null;
  return (
    <Disclosure summary={messages.status.keptDraft}>
      {() => (
        <p className={styles["text"]} dir="auto">
          {draft}
        </p>
      )}
    </Disclosure>
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
      <KeptDraft item={item} />
      <Onward item={item} now={now} />
    </>
  );
}
