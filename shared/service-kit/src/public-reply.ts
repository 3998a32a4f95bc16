import { json } from "./respond.ts";

/** What every reply of a public door carries: nothing keeps it, frames it, or learns where it came from. */
const HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
};
const NO_CONTENT_CSP = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const PUBLIC_DATA_HEADERS = { ...HEADERS, "content-security-policy": NO_CONTENT_CSP };

export function publicJson(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return json(status, body, { ...PUBLIC_DATA_HEADERS, ...headers });
}

/** `policy`: the content security policy that the page is made for. */
export function publicPage(html: string, policy: string, status = 200): Response {
  const headers = {
    ...HEADERS,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
  };
  return new Response(html, { status, headers });
}
