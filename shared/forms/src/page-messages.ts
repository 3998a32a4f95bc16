/** What the pages say, by language: a new one is a new entry here, and every key is asked for by the type. */
const ENGLISH = {
  question: "A question for you",
  send: "Send",
  yes: "Yes",
  no: "No",
  confirm: "Confirm",
  required: "required",
  chooseOne: "Choose one",
  noChoice: "No choice",
  faultsTitle: "Some answers need another look",
  dateTimeHint: "With its offset, like 2026-03-31T14:30:00+02:00",
  timeHint: "With its offset, like 14:30:00+02:00",
  jsonHint: "As JSON",
  confirmTitle: "Please confirm",
  confirmText: "You were asked a question. Your answer is sent when you choose one.",
  externalTitle: "Please confirm",
  externalText: "Confirm to send the answer that this link carries.",
  doneTitle: "Thank you",
  doneText: "Your answer was sent. You can close this page.",
  answeredTitle: "Already answered",
  answeredText: "This question has its answer. There is nothing left to do.",
  replyTitle: "Please reply where you were asked",
  replyText: "This question is answered by replying to the message that brought it.",
} as const;

export type PageMessages = Readonly<Record<keyof typeof ENGLISH, string>>;

const LANGUAGES: ReadonlyMap<string, PageMessages> = new Map([["en", ENGLISH]]);

/** The languages that pages exist in. */
export const PAGE_LANGUAGES: readonly string[] = [...LANGUAGES.keys()];

/** English where the language is unknown: a page always says something. */
export function pageMessages(language: string): PageMessages {
  return LANGUAGES.get(language) ?? ENGLISH;
}
