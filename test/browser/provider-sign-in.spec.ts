import { freePort } from "@interlude/testing";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type IdentityProvider, startIdentityProvider } from "../support/identity-provider.ts";
import { type InboxUnderTest, startInbox } from "./inbox-under-test.ts";

describe("signing in to the inbox at an identity provider", () => {
  let provider: IdentityProvider;
  let inbox: InboxUnderTest;
  let context: BrowserContext;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    const port = String(await freePort());
    provider = await startIdentityProvider({
      publicUrl: `http://127.0.0.1:${port}`,
      people: { dora: { roles: ["answerer"], groups: ["finance"] }, nobody: {} },
    });
    inbox = await startInbox({ env: { ...provider.variables, PORT: port } });
  }, 120_000);

  afterAll(async () => {
    await inbox.stop();
    await provider.stop();
  });

  beforeEach(async () => {
    complaints.length = 0;
    context = await inbox.browser.newContext();
    page = await context.newPage();
    page.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) complaints.push(message.text());
    });
  });

  afterEach(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });

  const goOut = async () => {
    await page.getByRole("link", { name: `Sign in with ${new URL(provider.issuer).host}` }).click();
  };
  const logIn = async (name: string) => {
    await page.getByLabel("Name").fill(name);
    await page.getByRole("button", { name: "Log in" }).click();
  };

  it("ends on the question that was wanted, and answers it as whom the provider knows", async () => {
    const id = await inbox.ask({
      question: "Pay the invoice?",
      answer_format: "confirm",
      audience: "group:finance",
    });
    await page.goto(`${inbox.url}/q/${id}`);
    await goOut();
    await logIn("dora");
    await page.getByRole("heading", { name: "Pay the invoice?" }).waitFor();
    await page.getByRole("button", { name: "Yes" }).click();
    await page.getByText("Answered by dora").first().waitFor();
    expect(await inbox.answerOf(id)).toBe(true);
    const kept = await context.cookies(inbox.url);
    const session = kept.find(({ name }) => name.startsWith("interlude_session"));
    expect(session).toMatchObject({ httpOnly: true, sameSite: "Strict" });
    await page.reload();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
  });

  it("says why nobody was signed in, and may be tried again", async () => {
    await page.goto(inbox.url);
    await goOut();
    await logIn("");
    await page.getByRole("alert").getByText("was cancelled").waitFor();
    await goOut();
    await logIn("nobody");
    await page.getByRole("alert").getByText("have no role here").waitFor();
    expect(new URL(page.url()).pathname).toBe("/signin");
  });

  it("shows nothing of what an address claims went wrong", async () => {
    await page.goto(`${inbox.url}/signin?fault=${encodeURIComponent("Call +1 555 0100")}`);
    await page.getByRole("link", { name: "Sign in with" }).waitFor();
    expect(await page.getByText("555").count()).toBe(0);
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("takes a key as before", async () => {
    await page.goto(inbox.url);
    await page.getByLabel("API key").fill(inbox.apiKey);
    await page.getByRole("button", { name: "Sign in with the key" }).click();
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
  });
});
