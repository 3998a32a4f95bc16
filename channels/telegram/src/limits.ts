/** Telegram's limits, each with the place that it comes from. Texts are counted in UTF-16 units. */
export const LIMITS = {
  /** core.telegram.org/bots/api#sendmessage */
  TEXT_MAX_CHARS: 4_096,
  /** core.telegram.org/bots/api#sendphoto, and the same for the other kinds */
  CAPTION_MAX_CHARS: 1_024,
  /** core.telegram.org/bots/api#inlinekeyboardbutton; what the buttons carry is made to fit it */
  CALLBACK_DATA_MAX_BYTES: 64,
  /** core.telegram.org/bots/api#answercallbackquery */
  ACKNOWLEDGE_MAX_CHARS: 200,
  /** Not in the reference: github.com/tginfo/Telegram-Limits, issues 187 and 228 */
  KEYBOARD_MAX_BUTTONS: 100,
  /** Not in the reference: github.com/tginfo/Telegram-Limits, issue 228 */
  KEYBOARD_MAX_BYTES: 10_000,
  /** Ours: apps show no more of a button */
  BUTTON_MAX_CHARS: 64,
} as const;
