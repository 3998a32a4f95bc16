import { parseJson, type Json } from "../api/json.ts";

const PREFIX = "interlude-draft:";

/** One draft a question, kept by the tab: a reload, a sign-in or a look at another question loses nothing. */
export function loadDraft(id: string): Json | undefined {
  try {
    const text = sessionStorage.getItem(PREFIX + id);
    return text === null ? undefined : parseJson(text);
  } catch {
    return undefined; // Storage is denied: drafts then live as long as the page.
  }
}

export function saveDraft(id: string, draft: Json): void {
  try {
    sessionStorage.setItem(PREFIX + id, JSON.stringify(draft));
  } catch {
    // Full or denied storage must not stop somebody from typing.
  }
}

export function dropDraft(id: string): void {
  try {
    sessionStorage.removeItem(PREFIX + id);
  } catch {
    // Nothing was kept.
  }
}

/** On signing out by hand: the next person on this device must not find them. */
export function dropAllDrafts(): void {
  try {
    const keys = Array.from({ length: sessionStorage.length }, (_, index) => sessionStorage.key(index));
    for (const key of keys) if (key?.startsWith(PREFIX) === true) sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}
