/** An id of a channel, a direct message or a person, or a channel's name with its #. */
export const CONVERSATION_SHAPE = /^(?:[CDGUW][A-Z0-9]{2,20}|#[^\s#@<>]{1,80})$/;

/** Where every message is the person's answer; elsewhere only a reply in the thread is. */
export function isDirect(recipient: string): boolean {
  return /^[DUW]/.test(recipient);
}
