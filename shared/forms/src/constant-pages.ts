import { markup, type Html } from "./html.ts";
import { pageMessages, type PageMessages } from "./page-messages.ts";
import { renderPage } from "./render-page.ts";

/** Pages in which nothing of a request or a question appears: the same bytes for everybody. */
export type ConstantPages = {
  /** Yes and No, posted as `answer=true|false` to the page's own address. */
  readonly confirm: string;
  /** One button; the address with its query is what is posted to. */
  readonly externalConfirm: string;
  readonly done: string;
  readonly alreadyAnswered: string;
  readonly replyInChat: string;
};

export function constantPages(language: string): ConstantPages {
  const says = pageMessages(language);
  const page = (title: string, text: string, form?: Html): string =>
    renderPage({ title, language, body: markup`<h1>${title}</h1><p>${text}</p>${form}` });
  return {
    confirm: page(says.confirmTitle, says.confirmText, confirmForm(says)),
    externalConfirm: page(says.externalTitle, says.externalText, externalForm(says)),
    done: page(says.doneTitle, says.doneText),
    alreadyAnswered: page(says.answeredTitle, says.answeredText),
    replyInChat: page(says.replyTitle, says.replyText),
  };
}

function confirmForm(says: PageMessages): Html {
  const yes = markup`<button name="answer" value="true">${says.yes}</button>`;
  const no = markup`<button class="second" name="answer" value="false">${says.no}</button>`;
  return markup`<form method="post"><p class="actions">${yes}${no}</p></form>`;
}

function externalForm(says: PageMessages): Html {
  return markup`<form method="post"><p class="actions"><button>${says.confirm}</button></p></form>`;
}
