import { CALLBACK_PLACEHOLDER, fillPlaceholder, ServiceFailure } from "@interlude/kernel";

export type FilledLink =
  { readonly ok: true; readonly link: string } | { readonly ok: false; readonly message: string };

/**
 * Puts the callback URL into an asker's link: percent-encoded where the placeholder stands in the query or the
 * fragment, else as it is. Other braces are the asker's. Under a reservation the link may hold the URL already.
 */
export function fillLink(
  template: string,
  callbackUrl: string,
  { reserved = false }: { reserved?: boolean } = {},
): FilledLink {
  if (/[\s\p{Cc}\p{Cs}]/u.test(template)) return refused("must not hold spaces or control characters");
  const holdsUrl = reserved && FORMS.some(({ whole, of }) => whole && template.includes(of(callbackUrl)));
  if (!template.includes(CALLBACK_PLACEHOLDER) && !holdsUrl) {
    const alternative = reserved ? " or the reservation's callback URL" : "";
    return refused(`must hold ${CALLBACK_PLACEHOLDER}${alternative}`);
  }
  const link = fillPlaceholder(template, callbackUrl);
  // The parser alone would take "https:example" too, and give it another meaning.
  const isAbsolute = /^https?:\/\//i.test(link) && URL.canParse(link);
  return isAbsolute ? { ok: true, link } : refused("must be an absolute http or https URL once filled");
}

/**
 * The link as it may be stored: wherever the callback URL, its ticket or its proof stands, a mark between spaces
 * says in which spelling. A filled link holds no space, so a mark is never mistaken.
 */
export function cutCallback(link: string, callbackUrl: string): string {
  if (link.includes(" ")) {
    throw new ServiceFailure("invariant_broken", { retry: "never", message: "a filled link holds a space" });
  }
  let pieces: { text: string; mark?: string }[] = [{ text: link }];
  for (const { mark, of } of FORMS) {
    const spelling = of(callbackUrl);
    pieces = pieces.flatMap((piece) =>
      piece.mark === undefined ? split(piece.text, spelling, mark) : [piece],
    );
  }
  return pieces.map(({ text, mark }) => (mark === undefined ? text : ` ${mark} `)).join("");
}

/** The link for somebody who may answer: what `cutCallback` cut, back in its spelling. */
export function restoreLink(stored: string, callbackUrl: string): string {
  return stored
    .split(" ")
    .map((text, index) => (index % 2 === 0 ? text : spell(text, callbackUrl)))
    .join("");
}

type Form = { readonly mark: string; readonly whole: boolean; readonly of: (callbackUrl: string) => string };

const lower = (text: string) => text.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
/** Python's `quote` and its like leave slashes alone. */
const quote = (text: string) => encodeURIComponent(text).replaceAll("%2F", "/");
const ticketOf = (url: string) => url.slice(url.lastIndexOf("/") + 1);

function escaped(name: string, encode: (text: string) => string): Form[] {
  // Three times: a link inside a link inside a link, as sign-in pages make them.
  const depths = [encode, (url: string) => encode(encode(url)), (url: string) => encode(encode(encode(url)))];
  return depths.flatMap((of, index) => [
    { mark: `${name}-${index + 1}`, whole: true, of },
    { mark: `${name}-${index + 1}-lower`, whole: true, of: (url: string) => lower(of(url)) },
  ]);
}

/** Every spelling in which a callback URL is recognised, whole ones first; marks are stored and never change. */
const FORMS: readonly Form[] = [
  { mark: "url", whole: true, of: (url) => url },
  ...escaped("encoded", encodeURIComponent),
  ...escaped("quoted", quote),
  { mark: "ticket", whole: false, of: ticketOf },
  // A ticket without its proof opens nothing; no usual encoding changes the proof's letters.
  { mark: "proof", whole: false, of: (url) => url.slice(url.lastIndexOf(".") + 1) },
];

function spell(mark: string, callbackUrl: string): string {
  const form = FORMS.find((each) => each.mark === mark);
  if (form === undefined) {
    throw new ServiceFailure("event_unreadable", {
      retry: "never",
      message: "a stored link has an unknown mark",
    });
  }
  return form.of(callbackUrl);
}

function split(text: string, spelling: string, mark: string): { text: string; mark?: string }[] {
  const parts = text.split(spelling).map((part) => ({ text: part }));
  return parts.flatMap((part, index) => (index === 0 ? [part] : [{ text: "", mark }, part]));
}

function refused(message: string): FilledLink {
  return { ok: false, message };
}
