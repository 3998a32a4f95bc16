import { useState, type ReactElement } from "react";
import { Link, useLocation } from "wouter";
import { DoorError } from "../api/http.ts";
import { messages } from "../messages.ts";
import { startSession } from "../state/session.ts";
import { Button } from "../ui/button.tsx";
import { Fault } from "../ui/fault.tsx";
import { SignInCard } from "./sign-in-card.tsx";
import styles from "./sign-in.module.css";

/** Opening the link only shows this: mail scanners open links too, and must not use it up. */
export function SignInLink({ token }: { token: string }): ReactElement {
  const [, navigate] = useLocation();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();

  const submit = async (): Promise<void> => {
    setBusy(true);
    setFault(undefined);
    try {
      await startSession({ link: token });
      navigate("/", { replace: true });
    } catch (error) {
      const refused = error instanceof DoorError && error.status >= 400 && error.status < 500;
      setFault(refused ? messages.signIn.linkUsed : messages.signIn.failed);
      setBusy(false);
    }
  };

  return (
    <SignInCard text={messages.signIn.linkText}>
      <div className={styles["form"]}>
        <Button look="primary" disabled={busy} onClick={() => void submit()}>
          {messages.signIn.linkButton}
        </Button>
        <Fault message={fault} alert />
        {fault === undefined ? null : (
          <Link className={styles["other"]} href="/signin">
            {messages.signIn.withKey}
          </Link>
        )}
      </div>
    </SignInCard>
  );
}
