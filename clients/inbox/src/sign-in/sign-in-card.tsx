import type { ReactElement, ReactNode } from "react";
import { messages } from "../messages.ts";
import styles from "./sign-in.module.css";

export function SignInCard({ text, children }: { text: string; children: ReactNode }): ReactElement {
  return (
    <main className={styles["page"]}>
      <div className={styles["card"]}>
        <p className={styles["product"]}>
          <img src="/favicon.svg" alt="" width="28" height="28" />
          {messages.product}
        </p>
        <h1 className={styles["title"]}>{messages.signIn.title}</h1>
        <p className={styles["text"]}>{text}</p>
        {children}
      </div>
    </main>
  );
}
