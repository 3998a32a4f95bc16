import { useRef, useState, type ReactElement, type SyntheticEvent } from "react";
import { cancelQuestion, getQuestion } from "../api/doors.ts";
import { DoorError } from "../api/http.ts";
import type { Item } from "../api/item.ts";
import { messages } from "../messages.ts";
import { rememberItem } from "../state/questions.ts";
import fields from "../styles/field.module.css";
import { cutToCodePoints } from "../ui/code-points.ts";
import { Button } from "../ui/button.tsx";
import { Fault } from "../ui/fault.tsx";
import styles from "./cancel.module.css";

/** Over already is as good as cancelled: the question is read anew and says what became of it. */
async function cancel(item: Item, reason: string): Promise<void> {
  await cancelQuestion(item.interaction_id, reason).catch((error: unknown) => {
    if (!(error instanceof DoorError) || (error.status !== 409 && error.status !== 410)) throw error;
  });
  const read = await getQuestion(item.interaction_id, AbortSignal.timeout(10_000));
  if (read !== undefined) rememberItem(read);
}

export function Cancel({ item }: { item: Item }): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  const [reason, setReason] = useState("");
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const close = (): void => dialog.current?.close();
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setFailed(false);
    await cancel(item, reason.trim()).catch(() => {
      setFailed(true);
    });
    setBusy(false);
  };
  return (
    <>
      <Button look="quiet" onClick={() => dialog.current?.showModal()}>
        {messages.detail.cancel}
      </Button>
      <dialog ref={dialog} className={styles["dialog"]} aria-labelledby="cancel-title">
        <form className={styles["form"]} onSubmit={(event) => void submit(event)} noValidate>
          <h3 id="cancel-title" className={styles["title"]}>
            {messages.detail.cancelTitle}
          </h3>
          <p className={styles["text"]}>{messages.detail.cancelText}</p>
          <div className={fields["field"]}>
            <label className={fields["label"]} htmlFor="cancel-reason">
              {messages.detail.cancelReason}
            </label>
            <input
              id="cancel-reason"
              className={fields["input"]}
              value={reason}
              onChange={(event) => {
                setReason(cutToCodePoints(event.target.value, 1_000));
              }}
            />
          </div>
          <Fault message={failed ? messages.detail.cancelFailed : undefined} alert />
          <div className={styles["actions"]}>
            <Button onClick={close}>{messages.detail.cancelKeep}</Button>
            <Button type="submit" look="danger" disabled={busy}>
              {messages.detail.cancelConfirm}
            </Button>
          </div>
        </form>
      </dialog>
    </>
  );
}
