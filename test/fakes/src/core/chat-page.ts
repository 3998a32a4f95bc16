import { readFile } from "node:fs/promises";
import type { ChangeFeed } from "./change-feed.ts";
import type { Answer, Received } from "./exchange.ts";
import type { PersonSide } from "./person.ts";

const FILES: Readonly<Record<string, readonly [file: string, contentType: string]>> = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/_fake/chat.css": ["chat.css", "text/css; charset=utf-8"],
  ...Object.fromEntries(
    ["chat", "element", "faults", "fields", "message"].map((name) => [
      `/_fake/${name}.mjs`,
      [`${name}.mjs`, "text/javascript; charset=utf-8"] as const,
    ]),
  ),
};
const SECURITY = {
  "content-security-policy":
    "default-src 'none'; img-src http: https: data:; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

/** A chat page among several that belong together, this one among them. */
export type ChatLink = Readonly<{ title: string; url: string }>;

/** The page where one chats as the person; undefined for every other address. */
export function serveChatPage(
  person: PersonSide,
  feed: ChangeFeed,
  others: () => readonly ChatLink[],
): (received: Received) => Promise<Answer | undefined> {
  return async ({ method, path }) => {
    if (method !== "GET") return undefined;
    if (path === "/_fake/events") return events(() => ({ ...person.see(), others: others() }), feed);
    const entry = FILES[path];
    if (entry === undefined) return undefined;
    const [file, contentType] = entry;
    const body = await readFile(new URL(`../../page/${file}`, import.meta.url));
    return { status: 200, headers: { "content-type": contentType, ...SECURITY }, body };
  };
}

/** The whole view with each change; several changes in one turn are one event. */
function events(see: () => unknown, feed: ChangeFeed): Answer {
  const headers = { "content-type": "text/event-stream", "cache-control": "no-store" };
  return {
    kind: "stream",
    headers,
    open(write) {
      let isWaiting = false;
      const tell = (): void => {
        isWaiting = false;
        write(`data: ${JSON.stringify(see())}\n\n`);
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
