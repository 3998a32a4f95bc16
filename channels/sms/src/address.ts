/** A number in international form, however it is spaced. */
export const NUMBER_SHAPE = /^\+[1-9](?:[ ().-]*\d){6,14}$/;

/** E.164: a plus and digits. What is no such number (a short code that wrote to us) stays as it is. */
export function smsAddress(recipient: string): string {
  const trimmed = recipient.trim();
  return NUMBER_SHAPE.test(trimmed) ? `+${trimmed.replace(/\D/g, "")}` : trimmed;
}
