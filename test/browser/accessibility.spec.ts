import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InboxUnderTest, startInbox } from "./inbox-under-test.ts";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const LOOKS = [
  { name: "light on a desktop", colorScheme: "light", viewport: { width: 1280, height: 820 } },
  { name: "dark on a desktop", colorScheme: "dark", viewport: { width: 1280, height: 820 } },
  { name: "light on a phone", colorScheme: "light", viewport: { width: 390, height: 844 } },
  { name: "dark on a phone", colorScheme: "dark", viewport: { width: 390, height: 844 } },
] as const;

const ASKS = {
  text: { question: "What now?", options: ["This", "That"], metadata: { Order: "88119" } },
  confirm: {
    question: "Approve it?",
    answer_format: "confirm",
    media: [
      { kind: "image", url: PIXEL, caption: "The parcel" },
      { kind: "link", url: "https://shop.example.com/88119", caption: "The order" },
    ],
  },
  few: { question: "Which one?", answer_format: "select", options: ["a", "b"], timeout_seconds: 100 },
  many: { question: "Which of many?", answer_format: "select", options: Array.from("abcdefghij") },
  form: {
    question: "Fill it in.",
    answer_format: "form",
    schema: {
      type: "object",
      required: ["name", "kind"],
      properties: {
        name: { title: "Name", type: "string", description: "As in the contract." },
        kind: { title: "Kind", enum: ["one", "two"] },
        when: { title: "When", type: "string", format: "date-time" },
        done: { title: "Done", type: "boolean" },
        tags: { title: "Tags", type: "array", items: { type: "string" } },
        rest: { title: "Rest", type: "object" },
      },
    },
    data: { values: { tags: ["x"] } },
  },
  external: {
    question: "Sign it.",
    answer_format: "external",
    link: "https://sign.example.com/?b={callback_url}",
  },
} as const;

async function faultsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
}

describe("the inbox is usable by everybody", () => {
  let inbox: InboxUnderTest;
  const ids = new Map<string, string>();

  beforeAll(async () => {
    inbox = await startInbox();
    for (const [name, body] of Object.entries(ASKS)) ids.set(name, await inbox.ask(body));
    const over = await inbox.ask({ question: "Over?" });
    await inbox.call("POST", `/api/interactions/${over}/answer`, { answer: "yes" });
    ids.set("over", over);
  }, 120_000);

  afterAll(async () => {
    await inbox.stop();
  });

  it.each(LOOKS)("has no accessibility fault: $name", async ({ colorScheme, viewport }) => {
    const options = { colorScheme, viewport, reducedMotion: "reduce" } as const;
    const signedOut = await inbox.browser.newContext(options);
    const door = await signedOut.newPage();
    await door.goto(inbox.url);
    await door.getByLabel("API key").waitFor();
    expect(await faultsOf(door)).toEqual([]);
    await signedOut.close();

    const { context, page } = await inbox.open(options);
    await page.getByRole("listitem").first().waitFor();
    expect(await faultsOf(page)).toEqual([]);
    for (const [name, id] of ids) {
      await page.goto(`${inbox.url}/q/${id}`);
      await page.getByRole("heading", { level: 2 }).waitFor();
      if (name === "form") {
        await page.getByRole("button", { name: "Send" }).click();
        await page.getByText("Please check 2 fields.").waitFor();
      }
      expect(await faultsOf(page), name).toEqual([]);
    }
    await context.close();
  });

  it("shows list and question one after the other on a phone, with targets a thumb can hit", async () => {
    const { context, page } = await inbox.open({ viewport: { width: 390, height: 844 }, hasTouch: true });
    await page.getByRole("link", { name: /What now/ }).tap();
    await page.getByRole("heading", { name: "What now?" }).waitFor();
    expect(await page.getByRole("list", { name: "Questions" }).count()).toBe(0);
    for (const name of ["Send", "This", "That"]) {
      const box = await page.getByRole("button", { name, exact: true }).boundingBox();
      expect(box?.height, name).toBeGreaterThanOrEqual(44);
    }
    await page.getByRole("link", { name: "Inbox" }).tap();
    await page.getByRole("list", { name: "Questions" }).waitFor();
    await context.close();
  });

  it("runs under its own content policy without a complaint", async () => {
    const { context, page } = await inbox.open();
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) complaints.push(message.text());
    });
    for (const id of ids.values()) {
      await page.goto(`${inbox.url}/q/${id}`);
      await page.getByRole("heading", { level: 2 }).waitFor();
    }
    expect(complaints).toEqual([]);
    await context.close();
  });
});
