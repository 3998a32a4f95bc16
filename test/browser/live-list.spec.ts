import type { Page } from "playwright-core";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InboxUnderTest, startInbox } from "./inbox-under-test.ts";

/**
 * Reads the rows that there are and goes to the last of them: those that come next begin where these end, however
 * late the page draws them. Their `textContent`, since rows are not visible until they have been measured, and have
 * no `innerText` until then.
 */
const READ_ON = `{
  const rows = [...document.querySelectorAll('[aria-label="Questions"] [role="listitem"], [aria-label="Questions"] > li')];
  rows.at(-1)?.scrollIntoView();
  rows.map((row) => row.textContent);
}`;

describe("the live list", () => {
  let inbox: InboxUnderTest;

  beforeAll(async () => {
    inbox = await startInbox();
  }, 120_000);

  afterAll(async () => {
    await inbox.stop();
  });

  const questions = (page: Page) => page.getByRole("list", { name: "Questions" }).getByRole("listitem");

  it("shows a question the moment it is asked, and drops it the moment it is answered", async () => {
    const { context, page } = await inbox.open();
    const id = await inbox.ask({ question: "Just asked?", answer_format: "confirm" });
    await questions(page).filter({ hasText: "Just asked?" }).waitFor();
    await inbox.call("POST", `/api/interactions/${id}/answer`, { answer: true });
    await questions(page).filter({ hasText: "Just asked?" }).waitFor({ state: "detached" });
    await page.reload();
    await page.getByLabel("Show").selectOption("Answered");
    await questions(page).filter({ hasText: "Just asked?" }).waitFor();
    await context.close();
  });

  it("says what happened elsewhere, and keeps what was typed", async () => {
    const { context, page } = await inbox.open();
    const status = page.getByRole("status");

    const answered = await inbox.ask({ question: "Who is faster?" });
    await page.goto(`${inbox.url}/q/${answered}`);
    await page.getByRole("textbox", { name: "Answer" }).fill("my slower answer");
    await inbox.call("POST", `/api/interactions/${answered}/answer`, { answer: "theirs" });
    await status.getByText("Answered by dev").waitFor();
    await page.getByText("theirs", { exact: true }).waitFor();
    await page.getByText("What you had typed").click();
    await page.getByText("my slower answer").waitFor();

    const cancelled = await inbox.ask({ question: "Still needed?" });
    await page.goto(`${inbox.url}/q/${cancelled}`);
    await page.getByRole("textbox", { name: "Answer" }).waitFor();
    await inbox.call("POST", `/api/interactions/${cancelled}/cancel`, {});
    await status.getByText("Cancelled").waitFor();

    const expired = await inbox.ask({ question: "In time?", timeout_seconds: 2 });
    await page.goto(`${inbox.url}/q/${expired}`);
    await status.getByText("Expired").waitFor();
    await context.close();
  });

  it("lets an operator cancel, and shows the history", async () => {
    const { context, page } = await inbox.open();
    const id = await inbox.ask({ question: "Cancel me?" });
    await page.goto(`${inbox.url}/q/${id}`);
    await page.getByRole("button", { name: "Cancel question…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel question" }).click();
    await page.getByRole("status").getByText("Cancelled").waitFor();
    await page.getByText("History").click();
    await page.getByRole("list").filter({ hasText: "Asked" }).getByText("Cancelled").waitFor();
    await context.close();
  });

  it("shows messages that need no answer, newest first", async () => {
    for (const message of ["The import began.", "The import is done.\n12 rows."])
      await inbox.call("POST", "/api/notifications", { message });
    const { context, page } = await inbox.open();
    await page.getByRole("link", { name: "Notifications" }).click();
    const feed = page.getByRole("list", { name: "Notifications" }).getByRole("listitem");
    await feed.first().waitFor();
    expect(await feed.allInnerTexts()).toEqual([
      expect.stringContaining("The import is done."),
      expect.stringContaining("The import began."),
    ]);
    await context.close();
  });

  it("finds by search, and keeps the view over a reload", async () => {
    const { context, page } = await inbox.open();
    await inbox.ask({ question: "Which xylophone should we buy?" });
    await inbox.ask({ question: "Something else entirely?" });
    await questions(page).filter({ hasText: "Something else entirely?" }).waitFor();
    await page.getByRole("searchbox", { name: "Search questions" }).fill("xylophone");
    await questions(page).filter({ hasText: "Something else entirely?" }).waitFor({ state: "detached" });
    await questions(page).filter({ hasText: "xylophone" }).waitFor();
    await page.reload();
    await questions(page).filter({ hasText: "xylophone" }).waitFor();
    expect(await questions(page).count()).toBe(1);
    await context.close();
  });

  it("walks by j and k, and opens by Enter", async () => {
    const { context, page } = await inbox.open();
    await inbox.ask({ question: "The older one?" });
    await inbox.ask({ question: "The newer one?" });
    await questions(page).filter({ hasText: "The newer one?" }).waitFor();
    for (const key of ["j", "j", "k", "j", "Enter"]) await page.keyboard.press(key);
    await page.getByRole("heading", { name: "The older one?" }).waitFor();
    await context.close();
  });

  it("loads page after page while it is scrolled, each question once, and again what did not come", async () => {
    const asked = Array.from({ length: 230 }, (_, index) => `Paged question ${index}.`);
    for (let at = 0; at < asked.length; at += 10)
      await Promise.all(asked.slice(at, at + 10).map((question) => inbox.ask({ question })));
    const { context, page } = await inbox.open();
    await page.getByLabel("Order").selectOption("Oldest first");
    // Until the search has been answered there may be rows of all, or none for a moment.
    const isFound = page.waitForResponse(/[?&]q=paged/);
    await page.getByRole("searchbox", { name: "Search questions" }).fill("paged");
    await isFound;
    await questions(page).filter({ hasText: "Paged question 0." }).waitFor();
    await page.route(/[?&]cursor=/, (route) => route.abort(), { times: 1 });
    const seen = new Set<string>();
    await eventually(
      async () => {
        const texts = await page.evaluate<string[]>(READ_ON);
        for (const [question] of texts.join("\n").matchAll(/Paged question \d+\./g)) seen.add(question);
        return seen.size === asked.length;
      },
      { withinMs: 30_000 },
    );
    expect([...seen].sort()).toEqual(asked.sort());
    await context.close();
  });

  it("says when the connection is gone, and catches up when it is back", async () => {
    const { context, page } = await inbox.open();
    await page.getByText("Live", { exact: true }).waitFor();
    await context.setOffline(true);
    const away = await context.newPage();
    await away.goto(inbox.url).catch(() => undefined);
    await inbox.ask({ question: "Asked while away?" });
    await context.setOffline(false);
    await questions(page).filter({ hasText: "Asked while away?" }).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    await context.close();
  });

  it("shows somebody who only asks their own questions, without a stream", async () => {
    const own = await inbox.askAs("asker", { question: "Mine to see?" });
    const context = await inbox.browser.newContext();
    const page = await context.newPage();
    await page.goto(`${inbox.url}/q/${own}`);
    await page.getByLabel("API key").fill(inbox.keys.asker);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Mine to see?" }).waitFor();
    await page.getByText("Not live").waitFor();
    await page.getByRole("textbox", { name: "Answer" }).fill("I may not");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("alert").getByText("not answer it").waitFor();
    await context.close();
  });

  it("needs one stream for seven tabs, and goes on when the tab that reads it is closed (A-SSE-3)", async () => {
    const { context, page } = await inbox.open();
    await page.getByText("Live", { exact: true }).waitFor();
    let streams = 0;
    context.on("request", (request) => {
      if (request.url().endsWith("/api/interactions/stream")) streams += 1;
    });
    await page.reload();
    const others: Page[] = [];
    for (let tab = 0; tab < 6; tab++) {
      const other = await context.newPage();
      await other.goto(inbox.url);
      others.push(other);
    }
    for (const tab of [page, ...others]) await tab.getByText("Live", { exact: true }).waitFor();
    await inbox.ask({ question: "Seen in every tab?" });
    for (const tab of [page, ...others])
      await questions(tab).filter({ hasText: "Seen in every tab?" }).waitFor();
    expect(streams).toBe(1);

    await page.close();
    await inbox.ask({ question: "Asked in the gap?" });
    for (const tab of others) await questions(tab).filter({ hasText: "Asked in the gap?" }).waitFor();
    expect(streams).toBe(2);
    await context.close();
  });
});
