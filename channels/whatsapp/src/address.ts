export const NUMBER_SHAPE = /^\+?[1-9](?:[ ().-]*\d){6,14}$/;

/** The number as requests name it: digits only. */
export function digitsOf(recipient: string): string {
  return recipient.replace(/\D/g, "");
}

/**
 * Numbers that WhatsApp writes in two ways, by the form that both come to: Mexico's and Argentina's mobile
 * digit behind the country code, Brazil's ninth digit of mobile numbers.
 */
const TWINS: readonly (readonly [RegExp, string])[] = [
  [/^521(\d{10})$/, "52$1"],
  [/^549(\d{10})$/, "54$1"],
  [/^55(\d{2})9([6-9]\d{7})$/, "55$1$2"],
];

/** One spelling of a person's number, in whichever form it was asked for or reported. */
export function whatsAppAddress(recipient: string): string {
  const digits = digitsOf(recipient);
  if (digits === "") return recipient;
  const twin = TWINS.find(([shape]) => shape.test(digits));
  return twin === undefined ? digits : digits.replace(twin[0], twin[1]);
}
