import { createHash } from "node:crypto";
import { attributes, markup, raw, type Html } from "./html.ts";
import { STYLESHEET } from "./stylesheet.ts";

const STYLE_HASH = createHash("sha256").update(STYLESHEET).digest("base64");

/** The policy that every public page is served with: nothing runs, and only our one sheet styles. */
export const PAGE_CSP = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "form-action 'self'",
  "img-src https: data: 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

export type PageParts = { readonly title: string; readonly body: Html; readonly language: string };

/** A whole page. `title` and `language` are text; `body` is markup. */
export function renderPage({ title, body, language }: PageParts): string {
  const head = markup`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${raw(STYLESHEET)}</style>`;
  const page = markup`<!doctype html>
<html${attributes({ lang: language })}>
<head>
${head}
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
  return page.text;
}
