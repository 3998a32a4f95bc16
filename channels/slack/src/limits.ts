/** Slack's limits, each with the page of docs.slack.dev that it comes from. Lengths are in UTF-16 units. */
export const LIMITS = {
  /** reference/block-kit/blocks */
  BLOCKS_MAX_ITEMS: 50,
  /** Not in the reference: github.com/slackapi/bolt-js, issue 2509 (msg_blocks_too_long) */
  BLOCKS_TOTAL_MAX_CHARS: 13_200,
  /** reference/block-kit/blocks/section-block */
  SECTION_MAX_CHARS: 3_000,
  /** reference/block-kit/blocks/image-block; a button's address has the same, and alt_text is 2,000 */
  URL_MAX_CHARS: 3_000,
  /** reference/block-kit/blocks/actions-block */
  ACTIONS_MAX_ITEMS: 25,
  /** reference/block-kit/block-elements/button-element */
  BUTTON_MAX_CHARS: 75,
  /** reference/block-kit/composition-objects/option-object */
  OPTION_MAX_CHARS: 75,
  /** reference/block-kit/block-elements/select-menu-element */
  SELECT_MAX_ITEMS: 100,
  /** Ours: more buttons than this are a menu */
  BUTTONS_MAX_ITEMS: 5,
  /** reference/views/modal-views */
  MODAL_BLOCKS_MAX_ITEMS: 100,
  /** reference/block-kit/blocks/header-block */
  HEADER_MAX_CHARS: 150,
  /** reference/block-kit/blocks/input-block: of a label, and of a hint */
  LABEL_MAX_CHARS: 2_000,
  /** reference/block-kit/block-elements/plain-text-input-element */
  INPUT_MAX_CHARS: 3_000,
} as const;
