import type { ReactElement } from "react";
import type { Item } from "../api/item.ts";
import { isJsonArray, isJsonObject, own, ownText, type Json } from "../api/json.ts";
import { messages } from "../messages.ts";
import styles from "./answer-view.module.css";

function Text({ children }: { children: string }): ReactElement {
  return (
    <p className={styles["text"]} dir="auto">
      {children === "" ? "–" : children}
    </p>
  );
}

function scalar(value: string | number | boolean | null): string {
  if (typeof value === "boolean") return value ? messages.answer.yes : messages.answer.no;
  return value === null ? "–" : String(value);
}

function titleOf(schema: Json | undefined, name: string): string {
  const part = partOf(schema, name);
  return isJsonObject(part) ? (ownText(part, "title") ?? name) : name;
}

function partOf(schema: Json | undefined, name: string): Json | undefined {
  if (!isJsonObject(schema)) return undefined;
  const properties = own(schema, "properties");
  return isJsonObject(properties) ? own(properties, name) : undefined;
}

function Value({ value, schema }: { value: Json; schema: Json | undefined }): ReactElement {
  if (isJsonArray(value)) {
    const entry = isJsonObject(schema) ? own(schema, "items") : undefined;
    return (
      <ol className={styles["list"]}>
        {value.map((part, index) => (
          <li key={index}>
            <Value value={part} schema={entry} />
          </li>
        ))}
      </ol>
    );
  }
  if (isJsonObject(value))
    return (
      <dl className={styles["object"]}>
        {Object.entries(value).map(([name, part]) => (
          <div key={name} className={styles["pair"]}>
            <dt className={styles["name"]}>{titleOf(schema, name)}</dt>
            <dd>
              <Value value={part} schema={partOf(schema, name)} />
            </dd>
          </div>
        ))}
      </dl>
    );
  return <Text>{scalar(value)}</Text>;
}

/** The answer as its asker reads it, in the words of the question: labels for values, titles for names. */
export function AnswerView({ item }: { item: Item }): ReactElement {
  const { answer } = item;
  if (answer === undefined) return <Text>{messages.loading}</Text>;
  if (item.answer_format === "select" && typeof answer === "string")
    return <Text>{item.options.find((option) => option.value === answer)?.label ?? answer}</Text>;
  return <Value value={answer} schema={item.schema} />;
}
