import type { ButtonHTMLAttributes, ReactElement } from "react";
import styles from "./button.module.css";
import { cx } from "./cx.ts";

type Props = ButtonHTMLAttributes<HTMLButtonElement> & { look?: "primary" | "plain" | "quiet" | "danger" };

export function Button({ look = "plain", className, type = "button", ...rest }: Props): ReactElement {
  return <button {...rest} type={type} className={cx(styles["button"], styles[look], className)} />;
}

/** For links that look like buttons. */
export const buttonLook = (look: "primary" | "plain"): string => cx(styles["button"], styles[look]);
