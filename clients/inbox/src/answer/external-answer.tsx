import type { ReactElement } from "react";
import type { Item } from "../api/item.ts";
import { messages } from "../messages.ts";
import { buttonLook } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { AnswerForm } from "./answer-form.tsx";
import styles from "./external-answer.module.css";

const WEB = /^https?:/i;

/** The answer comes back by itself, over the callback; nothing is sent from here. */
export function ExternalAnswer({ item }: { item: Item }): ReactElement {
  if (item.url === undefined || !WEB.test(item.url))
    return <p className={styles["text"]}>{messages.answer.openMissing}</p>;
  return (
    <AnswerForm
      message={undefined}
      actions={
        <a className={buttonLook("primary")} href={item.url} target="_blank" rel="noopener noreferrer">
          {messages.answer.open}
          <Icon name="link" />
        </a>
      }
    >
      <p className={styles["text"]}>{messages.answer.openText}</p>
    </AnswerForm>
  );
}
