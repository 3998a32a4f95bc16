import type { FieldFault, FormData, FormPage, MediaItem } from "@interlude/contract";
import { decodeFields, type FormEntries, typeSubmission } from "@interlude/forms";
import { type JsonObject, sha256Base64Url } from "@interlude/kernel";
import { readableForm } from "./readable-form.ts";

/** A form as it was sent with a notification. */
export type SentForm = Readonly<{
  notificationId: string;
  channel: string;
  /** The conversation that it was sent to. */
  address: string;
  message: string;
  media?: readonly MediaItem[];
  schema: JsonObject;
  data?: FormData;
  pages?: readonly FormPage[];
}>;

/** What was sent and refused. */
export type Shown = Readonly<{ entries: FormEntries; faults: readonly FieldFault[] }>;

export type PageSubmission =
  | (Readonly<{ ok: false }> & Shown)
  /** `digest`: of what was put in, the same for the same. */
  | Readonly<{ ok: true; text: string; digest: string }>;

/** A submitted page, typed and checked as any other form is. */
export function readSubmission(form: SentForm, body: Uint8Array): PageSubmission {
  const decoded = readFields(body);
  if (!decoded.ok) return { ok: false, entries: [], faults: decoded.faults };
  const entries = decoded.value;
  const typed = typeSubmission(form, entries);
  if (!typed.ok) return { ok: false, entries, faults: typed.faults };
  const text = readableForm(form, typed.answer);
  return { ok: true, text, digest: sha256Base64Url(JSON.stringify(typed.answer)) };
}

function readFields(body: Uint8Array): ReturnType<typeof decodeFields> {
  try {
    return decodeFields(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    return { ok: false, faults: [{ path: "", message: "the body is not UTF-8" }] };
  }
}
