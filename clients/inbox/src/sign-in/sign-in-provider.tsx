import type { ReactElement } from "react";
import { messages } from "../messages.ts";
import { buttonLook } from "../ui/button.tsx";
import { Fault } from "../ui/fault.tsx";
import { providerFault, providerHref } from "./provider.ts";
import styles from "./sign-in.module.css";

/** A plain link: the way to the provider and back is the browser's. */
export function SignInProvider({ name }: { name: string }): ReactElement {
  return (
    <div className={styles["form"]}>
      <a className={buttonLook("primary")} href={providerHref(location)}>
        {messages.signIn.withProvider(name)}
      </a>
      <Fault message={providerFault(location.search)} alert />
    </div>
  );
}
