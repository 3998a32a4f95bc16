import type { ReactElement } from "react";
import type { Item } from "../api/item.ts";
import { isJsonObject, own, type Json } from "../api/json.ts";
import { AnswerView } from "../detail/answer-view.tsx";
import { readDraft } from "./read-draft.ts";
import { reviveDraft } from "./revive-draft.ts";
import { toForm } from "./to-field.ts";

/** What somebody had filled in when another answered first: to read and to copy, not to send. */
export function KeptForm({ item, kept }: { item: Item; kept: Json }): ReactElement | null {
  const form = toForm(item.schema ?? true, item.choices);
  const draft = reviveDraft(form, isJsonObject(kept) ? own(kept, "draft") : undefined);
  const value = draft === undefined ? undefined : readDraft(form, draft, "").value;
  return value === undefined ? null : <AnswerView item={{ ...item, answer: value }} />;
}
