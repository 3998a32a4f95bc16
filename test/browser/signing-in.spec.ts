import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InboxUnderTest, startInbox } from "./inbox-under-test.ts";

describe("signing in to the inbox", () => {
  let inbox: InboxUnderTest;

  beforeAll(async () => {
    inbox = await startInbox();
  }, 120_000);

  afterAll(async () => {
    await inbox.stop();
  });

  it("takes a one-time link by a press of its button, however often the link was opened before", async () => {
    const context = await inbox.browser.newContext();
    const page = await context.newPage();
    const link = await inbox.signInLink();
    for (const _scanner of [1, 2, 3]) await page.goto(link);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Inbox" }).waitFor();

    await page.goto(link);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("has been used").waitFor();
    await context.close();
  });

  it("takes an API key, says when it is wrong, and goes on to the question that was wanted", async () => {
    const id = await inbox.ask({ question: "Where did you want to go?" });
    const context = await inbox.browser.newContext();
    const page = await context.newPage();
    await page.goto(`${inbox.url}/q/${id}`);
    await page.getByLabel("API key").fill("not-a-key");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("not known").waitFor();
    await page.getByLabel("API key").fill(inbox.apiKey);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Where did you want to go?" }).waitFor();
    await context.close();
  });

  it("signs every tab out, and another reload stays signed out", async () => {
    const { context, page } = await inbox.open();
    const other = await context.newPage();
    await other.goto(inbox.url);
    await other.getByRole("button", { name: "Sign out" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    await other.getByLabel("API key").waitFor();
    await page.reload();
    await page.getByLabel("API key").waitFor();
    await context.close();
  });

  it("keeps what was typed when the session ends under the reader", async () => {
    const id = await inbox.ask({ question: "A long answer, please." });
    const { context, page } = await inbox.open();
    await page.goto(`${inbox.url}/q/${id}`);
    await page.getByRole("textbox", { name: "Answer" }).fill("Half of a long answer");
    await context.clearCookies();
    // A read of the page's own may find the session over before the press does; the press is then on the notice.
    const notice = page.getByText("You were signed out");
    await page.getByRole("button", { name: "Send" }).or(notice).click();
    await notice.waitFor();
    await page.getByLabel("API key").fill(inbox.apiKey);
    await page.getByRole("button", { name: "Sign in" }).click();
    const box = page.getByRole("textbox", { name: "Answer" });
    await box.waitFor();
    expect(await box.inputValue()).toBe("Half of a long answer");
    await context.close();
  });
});
