import { createHash } from "node:crypto";

const STYLE = [
  ":root{color-scheme:light dark;--paper:#fbfaf8;--ink:#1d1b18;--soft:#6a655d;--line:#d9d4cb;--accent:#1f5fbf;--on:#fff}",
  "@media(prefers-color-scheme:dark){:root{--paper:#171614;--ink:#f1eee8;--soft:#a8a297;--line:#3b3833;--accent:#8db5f5;--on:#10151d}}",
  "*{box-sizing:border-box}",
  "body{margin:0;min-height:100dvh;display:grid;place-items:center;padding:1.25rem;background:var(--paper);color:var(--ink);font:1.0625rem/1.5 system-ui,sans-serif}",
  "main{width:100%;max-width:26rem}",
  "h1{font-size:1.375rem;line-height:1.3;margin:0 0 .5rem;text-wrap:balance}",
  "p{margin:0 0 1.25rem;color:var(--soft)}",
  "form{display:grid;gap:.75rem}",
  "button{min-height:3rem;padding:.5rem 1rem;border:1px solid var(--line);border-radius:.625rem;background:transparent;color:inherit;font:inherit;font-weight:600;cursor:pointer}",
  "button.main{background:var(--accent);border-color:var(--accent);color:var(--on)}",
  "button:focus-visible{outline:3px solid var(--accent);outline-offset:2px}",
].join("");

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** Nothing runs on these pages, and they can send to nobody but us. */
export const PAGE_CSP = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${title}</title><style>${STYLE}</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
}

/**
 * The pages that are the same bytes for every question: a preview or a scanner learns nothing from one. Their
 * forms have no action: they post to the address they were opened at, query and all.
 */
export const CONSTANT_PAGES = {
  confirm: page(
    "Please answer",
    '<p>You were asked to confirm. Nothing happens until you choose.</p><form method="post"><button class="main" name="answer" value="true">Yes</button><button name="answer" value="false">No</button></form>',
  ),
  external: page(
    "Please confirm",
    '<p>Nothing happens until you confirm.</p><form method="post"><button class="main">Confirm</button></form>',
  ),
  elsewhere: page(
    "Please reply where you were asked",
    "<p>Your answer is awaited in the conversation this link came from. Reply to the message there.</p>",
  ),
  done: page("Thank you", "<p>Your answer is in. You can close this page.</p>"),
  invalid: page(
    "That did not work",
    "<p>Your answer could not be read, and nothing was sent on. Go back and try again.</p>",
  ),
} as const;

export type ConstantPage = keyof typeof CONSTANT_PAGES;
