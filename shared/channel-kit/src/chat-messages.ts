/** What chats are told, by language: a new one is a new entry, and every key is asked for by the type. */
const ENGLISH = {
  yes: "Yes",
  no: "No",
  open: "Open",
  openForm: "Fill in the form",
  choose: "Choose",
  chooseOne: "Choose an option",
  replyHere: "Reply to this message.",
  replyInThread: "Reply in this message's thread.",
  question: "A question",
  send: "Send",
  next: "Next",
  back: "Back",
  step: "Step {page} of {pages}",
  answer: "Answer",
  replyYesNo: "Reply yes or no.",
  replyNumber: "Reply with the number or the text of one of them.",
  replyOption: "Reply with the text of one of them.",
  answered: "Answered",
  expired: "This question has expired.",
  cancelled: "This question was cancelled.",
  failed: "This question is closed.",
  formNotOpened: "The form could not be opened. Please try again.",
  sendAgain:
    "Checking it takes longer than usual. What you sent has arrived and counts if it fits; sending it again is harmless.",
  sendStepAgain: "Checking it takes longer than usual. Please send this step again.",
  formLost: "What you put in before is gone. Please close this form and open it again.",
  expectText: "Please reply with a text.",
  expectYesNo: "Please answer yes or no.",
  expectOption: "Please reply with one of the options:",
  expectOptionAbove: "Please reply with one of the options of the question.",
  expectForm: "Please use the form to answer.",
  expectLink: "Please use the link to answer.",
  expectContext: "Please reply to the message of the question that you mean.",
} as const;

export type ChatMessages = Readonly<Record<keyof typeof ENGLISH, string>>;

const LANGUAGES: ReadonlyMap<string, ChatMessages> = new Map([["en", ENGLISH]]);

/** English where the language is unknown: a chat is always told something. */
export function chatMessages(language: string): ChatMessages {
  return LANGUAGES.get(language) ?? ENGLISH;
}
