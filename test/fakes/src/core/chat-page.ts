import { readFile } from "node:fs/promises";
import type { ChangeFeed } from "./change-feed.ts";
import type { Answer, Received } from "./exchange.ts";
import type { PersonSide } from "./person.ts";

const FILES: Readonly<Record<string, readonly [file: string, contentType: string]>> = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/_fake/chat.css": ["chat.css", "text/css; charset=utf-8"],
  "/_fake/chat.mjs": ["chat.mjs", "text/javascript; charset=utf-8"],
  "/_fake/fields.mjs": ["fields.mjs", "text/javascript; charset=utf-8"],
};
const SECURITY = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

/** The page where one chats as the person; undefined for every other address. */
export function serveChatPage(
  person: PersonSide,
  feed: ChangeFeed,
): (received: Received) => Promise<Answer | undefined> {
  return async ({ method, path }) => {
    if (method !== "GET") return undefined;
    if (path === "/_fake/events") return events(person, feed);
    const entry = FILES[path];
    if (entry === undefined) return undefined;
    const [file, contentType] = entry;
    const body = await readFile(new URL(`../../page/${file}`, import.meta.url));
    return { status: 200, headers: { "content-type": contentType, ...SECURITY }, body };
  };
}

/** The whole view with each change; several changes in one turn are one event. */
function events(person: PersonSide, feed: ChangeFeed): Answer {
  const headers = { "content-type": "text/event-stream", "cache-control": "no-store" };
  return {
    kind: "stream",
    headers,
    open(write) {
      let isWaiting = false;
      const tell = (): void => {
        isWaiting = false;
        write(`data: ${JSON.stringify(person.see())}\n\n`);
      };
      tell();
      return feed.subscribe(() => {
        if (isWaiting) return;
        isWaiting = true;
        setImmediate(tell);
      });
    },
  };
}
