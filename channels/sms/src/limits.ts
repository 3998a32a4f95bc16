/** Twilio's limits, each with the page that it comes from. Lengths are counted in UTF-16 units. */
export const LIMITS = {
  /** twilio.com/docs/api/errors/21617 */
  BODY_MAX_CHARS: 1_600,
  /** twilio.com/docs/api/errors/21623 */
  MEDIA_MAX_ITEMS: 10,
} as const;
