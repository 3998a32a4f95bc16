/** What a decider returns: the events to store, or why not. No events and `ok` means: nothing changes. */
export type Decision<Event, Refusal> =
  { ok: true; events: readonly Event[] } | { ok: false; refusal: Refusal };

export function accept<Event>(...events: Event[]): { ok: true; events: readonly Event[] } {
  return { ok: true, events };
}

export function refuse<Refusal>(refusal: Refusal): { ok: false; refusal: Refusal } {
  return { ok: false, refusal };
}
