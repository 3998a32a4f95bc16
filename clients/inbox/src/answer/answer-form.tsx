import { useRef, type KeyboardEvent, type ReactElement, type ReactNode, type SyntheticEvent } from "react";
import { Fault } from "../ui/fault.tsx";
import styles from "./answer-form.module.css";

type Props = {
  children: ReactNode;
  actions: ReactNode;
  message: string | undefined;
  onSubmit?: () => void;
};

/** What every answer shares: Ctrl+Enter sends, the actions stay in reach of a thumb, a failure stands beside them. */
export function AnswerForm({ children, actions, message, onSubmit }: Props): ReactElement {
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    onSubmit?.();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || onSubmit === undefined) return;
    event.preventDefault();
    form.current?.requestSubmit();
  };
  return (
    <form ref={form} className={styles["form"]} onSubmit={submit} onKeyDown={onKeyDown} noValidate>
      {children}
      <div className={styles["bar"]}>
        <Fault message={message} alert />
        <div className={styles["actions"]}>{actions}</div>
      </div>
    </form>
  );
}
