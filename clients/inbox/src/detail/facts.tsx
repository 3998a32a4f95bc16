import type { ReactElement } from "react";
import type { Item } from "../api/item.ts";
import { messages } from "../messages.ts";
import styles from "./facts.module.css";

type Fact = readonly [label: string, value: string];

/** A group the caller did not choose is a random id and says nothing to a person. */
const RANDOM_ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

function optional(label: string, value: string | undefined): Fact[] {
  return value === undefined || value === "" ? [] : [[label, value]];
}

function factsOf(item: Item): Fact[] {
  const { detail } = messages;
  return [
    ...item.metadata,
    ...optional(detail.audience, item.audience),
    ...optional(detail.channel, item.channel),
    ...optional(detail.recipient, item.recipient),
    ...(RANDOM_ID.test(item.group_id) ? [] : optional(detail.group, item.group_id)),
  ];
}

export function Facts({ item }: { item: Item }): ReactElement | null {
  const facts = factsOf(item);
  if (facts.length === 0) return null;
  return (
    <dl className={styles["facts"]}>
      {facts.map(([label, value], index) => (
        <div key={`${index}:${label}`} className={styles["fact"]}>
          <dt className={styles["label"]}>{label}</dt>
          <dd className={styles["value"]} dir="auto">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
