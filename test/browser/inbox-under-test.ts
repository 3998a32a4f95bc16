import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import {
  type Interlude,
  type InterludeOptions,
  type Person,
  startInterlude,
} from "../support/start-interlude.ts";
import { launchBrowser } from "./launch-browser.ts";

type Body = Readonly<Record<string, unknown>>;

/** The whole product on one port, and a browser in front of it. */
export interface InboxUnderTest {
  readonly url: string;
  readonly apiKey: string;
  readonly browser: Browser;
  /** Asks over HTTP as a program would; text and an hour unless said otherwise. Returns the id. */
  ask(body: Body): Promise<string>;
  /** The same as somebody with fewer roles. */
  askAs(person: Person, body: Body): Promise<string>;
  readonly keys: Interlude["keys"];
  /** Any other door, with the API key. */
  call(method: string, path: string, body?: Body): Promise<Body>;
  /** The answer as its asker reads it. */
  answerOf(id: string): Promise<unknown>;
  signInLink(): Promise<string>;
  /** A fresh browser profile, signed in, on the list. */
  open(options?: BrowserContextOptions): Promise<{ context: BrowserContext; page: Page }>;
  stop(): Promise<void>;
}

const DIST = fileURLToPath(new URL("../../clients/inbox/dist/index.html", import.meta.url));

function isBody(value: unknown): value is Body {
  return typeof value === "object" && value !== null;
}

export async function startInbox(options: InterludeOptions = {}): Promise<InboxUnderTest> {
  if (!existsSync(DIST)) throw new Error("the inbox is not built: run `npm test`, which builds it first");
  const [product, browser] = await Promise.all([startInterlude(options), launchBrowser()]);
  const { url, apiKey } = product;

  const callAs = async (key: string, method: string, path: string, body?: Body): Promise<Body> => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    const parsed: unknown = text === "" ? {} : JSON.parse(text);
    return isBody(parsed) ? parsed : {};
  };
  const call = (method: string, path: string, body?: Body): Promise<Body> =>
    callAs(apiKey, method, path, body);
  const askAs = async (key: string, body: Body): Promise<string> => {
    const asked = await callAs(key, "POST", "/api/interactions", { timeout_seconds: 3600, ...body });
    return String(asked["interaction_id"]);
  };
  const signInLink = async (): Promise<string> =>
    String((await call("POST", "/api/session/links", {}))["url"]);

  return {
    url,
    apiKey,
    browser,
    call,
    signInLink,
    keys: product.keys,
    ask: (body) => askAs(apiKey, body),
    askAs: (person, body) => askAs(product.keys[person], body),
    async answerOf(id) {
      return (await call("GET", `/api/interactions/${id}/result?wait=10`))["answer"];
    },
    async open(options = {}) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      await page.goto(await signInLink());
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "Inbox" }).waitFor();
      return { context, page };
    },
    async stop() {
      await browser.close();
      await product.stop();
    },
  };
}
