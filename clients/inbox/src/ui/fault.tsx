import type { ReactElement } from "react";
import styles from "../styles/field.module.css";
import { Icon } from "./icon.tsx";

type Props = { id?: string; message: string | undefined; alert?: boolean };

/** What is wrong, in words and with a sign, never by colour alone. */
export function Fault({ id, message, alert = false }: Props): ReactElement | null {
  if (message === undefined || message === "") return null;
  return (
    <p id={id} className={styles["fault"]} {...(alert ? { role: "alert" } : {})}>
      <Icon name="alert" />
      <span>{message}</span>
    </p>
  );
}
