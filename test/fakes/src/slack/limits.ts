import type { Limit } from "../core/limit.ts";

const doc = (path: string): string => `https://docs.slack.dev/reference/${path}`;
const kit = (path: string): string => doc(`block-kit/${path}`);

/** Slack's limits, each once. */
export const SLACK_LIMITS = {
  text: { max: 40_000, page: doc("methods/chat.postMessage") },
  /** In bytes, after `&`, `<` and `>` are escaped. */
  updatedTextBytes: { max: 4000, page: doc("methods/chat.update") },
  messageBlocks: { max: 50, page: kit("blocks") },
  modalBlocks: { min: 1, max: 100, page: kit("blocks") },
  allBlocksCharacters: { max: 13_200, page: "https://github.com/slackapi/bolt-js/issues/2509 (observed)" },
  sectionText: { min: 1, max: 3000, page: kit("blocks/section-block") },
  sectionFields: { min: 1, max: 10, page: kit("blocks/section-block") },
  sectionField: { max: 2000, page: kit("blocks/section-block") },
  headerText: { max: 150, page: kit("blocks/header-block") },
  markdownText: { max: 12_000, page: kit("blocks/markdown-block") },
  actionsElements: { min: 1, max: 25, page: kit("blocks/actions-block") },
  contextElements: { min: 1, max: 10, page: kit("blocks/context-block") },
  imageUrl: { max: 3000, page: kit("blocks/image-block") },
  imageAltText: { max: 2000, page: kit("blocks/image-block") },
  inputLabel: { max: 2000, page: kit("blocks/input-block") },
  inputHint: { max: 2000, page: kit("blocks/input-block") },
  blockId: { max: 255, page: kit("blocks") },
  actionId: { max: 255, page: kit("block-elements") },
  buttonText: { max: 75, page: kit("block-elements/button-element") },
  buttonValue: { max: 2000, page: kit("block-elements/button-element") },
  buttonUrl: { max: 3000, page: kit("block-elements/button-element") },
  selectOptions: { min: 1, max: 100, page: kit("block-elements/select-menu-element") },
  radioOptions: { min: 1, max: 10, page: kit("block-elements/radio-button-group-element") },
  optionText: { max: 75, page: kit("composition-objects/option-object") },
  optionValue: { max: 75, page: kit("composition-objects/option-object") },
  placeholder: { max: 150, page: kit("block-elements/select-menu-element") },
  inputMaxLength: { min: 1, max: 3000, page: kit("block-elements/plain-text-input-element") },
  modalTitle: { max: 24, page: doc("views/modal-views") },
  modalButton: { max: 24, page: doc("views/modal-views") },
  privateMetadata: { max: 3000, page: doc("views/modal-views") },
  callbackId: { max: 255, page: doc("views/modal-views") },
  viewStack: { max: 3, page: "https://docs.slack.dev/surfaces/modals" },
  triggerLifeMs: { max: 3000, page: doc("methods/views.open") },
  acknowledgeMs: { max: 3000, page: "https://docs.slack.dev/interactivity/handling-user-interaction" },
} as const satisfies Record<string, Limit>;
