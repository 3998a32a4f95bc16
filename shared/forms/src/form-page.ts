import type { MediaItem } from "@interlude/contract";
import { attributes, markup, type Html } from "./html.ts";
import { pageMessages } from "./page-messages.ts";
import { renderForm, type FormView } from "./render-form.ts";
import { renderPage } from "./render-page.ts";

export type FormPageView = FormView & {
  readonly question: string;
  readonly media?: readonly MediaItem[];
};

/** From here on a question reads as text, not as a headline. */
const LONG_QUESTION = 140;

/** The page that asks a form's question. */
export function renderFormPage(view: FormPageView): string {
  const isLong = view.question.length > LONG_QUESTION || view.question.includes("\n");
  const heading = markup`<h1${attributes({ class: isLong && "long" })}>${view.question}</h1>`;
  const items = (view.media ?? []).map(renderMedia);
  const media = items.length > 0 && markup`<div class="media">${items}</div>`;
  return renderPage({
    title: pageMessages(view.language).question,
    language: view.language,
    body: markup`${heading}${media}${renderForm(view)}`,
  });
}

function renderMedia(item: MediaItem): Html {
  const caption = item.caption ?? ("filename" in item ? item.filename : undefined);
  // Checked when asked, and once more here: nothing but these may become an address.
  if (!/^(?:https?:\/\/|\/api\/interactions\/media\/|data:image\/)/.test(item.url)) return markup``;
  if (item.kind === "image") {
    const note = caption === undefined ? undefined : markup`<figcaption>${caption}</figcaption>`;
    const image = attributes({ src: item.url, alt: caption ?? "", loading: "lazy" });
    return markup`<figure><img${image}>${note}</figure>`;
  }
  const link = attributes({ href: item.url, rel: "noreferrer noopener", target: "_blank" });
  return markup`<p><a${link}>${caption ?? item.url}</a></p>`;
}
