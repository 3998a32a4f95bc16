import { useState, type ReactElement, type SyntheticEvent } from "react";
import { DoorError } from "../api/http.ts";
import { messages } from "../messages.ts";
import { startSession } from "../state/session.ts";
import fields from "../styles/field.module.css";
import { Button } from "../ui/button.tsx";
import { Fault } from "../ui/fault.tsx";
import { providerName } from "./provider.ts";
import { SignInCard } from "./sign-in-card.tsx";
import { SignInProvider } from "./sign-in-provider.tsx";
import styles from "./sign-in.module.css";

function explain(error: unknown): string {
  return error instanceof DoorError && [400, 401, 403].includes(error.status)
    ? messages.signIn.keyWrong
    : messages.signIn.failed;
}

/** Shown wherever somebody is not signed in; the address stays, so that they arrive where they wanted to go. */
export function SignInKey({ ended }: { ended: boolean }): ReactElement {
  const [key, setKey] = useState("");
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();

  const submit = async (): Promise<void> => {
    const trimmed = key.trim();
    if (trimmed === "") {
      setFault(messages.signIn.keyMissing);
      return;
    }
    setBusy(true);
    setFault(undefined);
    await startSession({ key: trimmed }).catch((error: unknown) => {
      setFault(explain(error));
    });
    setBusy(false);
  };
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    void submit();
  };

  const provider = providerName();
  const text = provider === undefined ? messages.signIn.keyText : messages.signIn.providerText;
  return (
    <SignInCard text={ended ? messages.signIn.ended : text}>
      {provider === undefined ? null : <SignInProvider name={provider} />}
      <form className={styles["form"]} onSubmit={onSubmit} noValidate>
        <div className={fields["field"]}>
          <label className={fields["label"]} htmlFor="key">
            {messages.signIn.keyLabel}
          </label>
          <input
            id="key"
            className={fields["input"]}
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={key}
            aria-invalid={fault !== undefined}
            aria-describedby="key-fault"
            onChange={(event) => {
              setKey(event.target.value);
            }}
          />
          <Fault id="key-fault" message={fault} alert />
        </div>
        <Button type="submit" look={provider === undefined ? "primary" : "plain"} disabled={busy}>
          {provider === undefined ? messages.signIn.title : messages.signIn.withKeyToo}
        </Button>
      </form>
    </SignInCard>
  );
}
