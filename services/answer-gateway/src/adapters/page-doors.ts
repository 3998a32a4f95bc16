import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { Route } from "@interlude/service-kit";
import { problemResponse } from "@interlude/service-kit";

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".html": "text/html; charset=utf-8",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
  ".json": "application/json",
};

const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' https: data:",
  "media-src 'self' https:",
  "font-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const SAFE_NAME = /^[A-Za-z0-9._-]{1,200}$/;

/** How the page, which is the same everywhere else, learns that there is an identity provider. */
const providerMeta = (name = "") =>
  `<meta name="identity-provider" content="${name.replaceAll('"', "&quot;")}" />`;
const NO_PROVIDER = providerMeta();

/**
 * Serves the built inbox page; its assets carry their hash in their name.
 * @param provider what people call the identity provider they may sign in at: a host
 */
export function pageDoors(directory: string, provider?: string): Route[] {
  const named = (html: string) => html.replace(NO_PROVIDER, () => providerMeta(provider));
  const page = (): Promise<Response> => file(join(directory, "index.html"), "no-cache", named);
  const doors: Route[] = [
    { door: "GET /", body: "none", handle: page },
    { door: "GET /q/:id", body: "none", handle: page },
    { door: "GET /signin", body: "none", handle: page },
    { door: "GET /signin/:token", body: "none", handle: page },
    { door: "GET /notifications", body: "none", handle: page },
    { door: "GET /runs", body: "none", handle: page },
    { door: "GET /runs/:driver/:runId", body: "none", handle: page },
    {
      door: "GET /favicon.svg",
      body: "none",
      handle: () => file(join(directory, "favicon.svg"), "max-age=86400"),
    },
    {
      door: "GET /assets/:file",
      body: "none",
      handle: (context) => {
        const name = context.param("file");
        if (!SAFE_NAME.test(name) || name.startsWith(".")) return missing();
        return file(join(directory, "assets", name), "max-age=31536000, immutable");
      },
    },
  ];
  // Files are the same whatever is asked of them, and links to a page carry what others add to them.
  return doors.map((door) => ({ ...door, query: "unchecked" }));
}

async function file(
  path: string,
  cacheControl: string,
  change?: (text: string) => string,
): Promise<Response> {
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) return missing();
  return new Response(change === undefined ? bytes : change(bytes.toString("utf8")), {
    headers: {
      "content-type": TYPES[extname(path)] ?? "application/octet-stream",
      "cache-control": cacheControl,
      "content-security-policy": CSP,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
    },
  });
}

function missing(): Response {
  return problemResponse({ code: "not_found", detail: "There is no such file." });
}
