import { randomUUID } from "node:crypto";
import { AxeBuilder } from "@axe-core/playwright";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InboxUnderTest, startInbox } from "./inbox-under-test.ts";

const LOOKS = [
  { name: "light on a desktop", colorScheme: "light", viewport: { width: 1280, height: 820 } },
  { name: "dark on a desktop", colorScheme: "dark", viewport: { width: 1280, height: 820 } },
  { name: "light on a phone", colorScheme: "light", viewport: { width: 390, height: 844 } },
  { name: "dark on a phone", colorScheme: "dark", viewport: { width: 390, height: 844 } },
] as const;

describe("runs in the inbox", () => {
  let inbox: InboxUnderTest;

  beforeAll(async () => {
    inbox = await startInbox();
    await registered("trips");
  }, 120_000);

  afterAll(async () => {
    await inbox.stop();
  });

  const registered = (name: string) =>
    inbox.call("POST", "/api/drivers", { name, checkpointer: { kind: "postgres" } });

  /** Parks a run on these questions; gives their ids. */
  async function parked(runId: string, questions: string[], driver = "trips"): Promise<string[]> {
    const ids: string[] = [];
    for (const question of questions) {
      const expiry_at = new Date(Date.now() + 3_600_000).toISOString();
      const run = { driver, run_id: runId };
      const body = { question, mode: "async", expiry_at, run };
      ids.push(String((await inbox.call("POST", "/api/interactions", body))["interaction_id"]));
    }
    const path = `/api/runs/${driver}/${encodeURIComponent(runId)}/park`;
    await inbox.call("POST", path, { interaction_ids: ids });
    return ids;
  }

  const answer = (id: string) => inbox.call("POST", `/api/interactions/${id}/answer`, { answer: "yes" });

  /** A run of a driver of its own, which nobody else claims from. */
  async function fails(runId: string, driver: string): Promise<void> {
    await registered(driver);
    const [id = ""] = await parked(runId, ["Ready?"], driver);
    await answer(id);
    const claim = await inbox.call("POST", `/api/drivers/${driver}/claims?wait=20`, {});
    const fault = { reason: "the booking system said 503", retry: false };
    await inbox.call("POST", `/api/claims/${String(claim["claim_id"])}/fail`, fault);
  }

  async function signedIn(key: string, path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await (await inbox.browser.newContext(options)).newPage();
    await page.goto(inbox.url + path);
    await page.getByLabel("API key").fill(key);
    await page.getByRole("button", { name: "Sign in" }).click();
    return page;
  }

  it("are listed by state, and one shows what it waits for and what has arrived as it arrives", async () => {
    const runId = `Trip to Graz/50% ${randomUUID().slice(0, 4)}`;
    const [hotel = ""] = await parked(runId, ["Which hotel?", "Which flight?"]);
    const page = await signedIn(inbox.apiKey, "/");
    await page.getByRole("link", { name: "Runs" }).click();
    await page.getByLabel("Show runs").selectOption("Failed");
    await page.getByText("No run matches this view.").waitFor();
    await page.getByLabel("Show runs").selectOption("Waiting for people");
    await page.getByRole("list", { name: "Runs" }).getByRole("link", { name: runId }).click();
    await page.getByRole("heading", { name: runId }).waitFor();
    await page.getByRole("status").getByText("Waits for 2 of 2 questions").waitFor();
    await answer(hotel);
    await page.getByRole("status").getByText("Waits for 1 of 2 questions").waitFor();
    await page.getByRole("list", { name: "Arrived" }).getByText("Answered by dev").waitFor();
    await page.reload();
    await page.getByRole("list", { name: "Waits for" }).getByRole("link", { name: "Which flight?" }).click();
    await page.getByRole("heading", { name: "Which flight?" }).waitFor();
    await page.context().close();
  });

  it("are one click from each of their questions, for who may see them", async () => {
    const runId = `Trip to Linz/100% ${randomUUID().slice(0, 4)}`;
    const [hotel = ""] = await parked(runId, ["Which hotel in Linz?", "Which train to Linz?"]);
    const page = await signedIn(inbox.apiKey, `/q/${hotel}`);
    await page.getByRole("link", { name: runId }).click();
    await page.getByRole("heading", { name: runId }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/runs/trips/${encodeURIComponent(runId)}`);
    await page.getByRole("link", { name: "Which train to Linz?" }).click();
    await page.getByRole("heading", { name: "Which train to Linz?" }).waitFor();
    await page.getByText("trips · Waiting for people").waitFor();
    const bob = await signedIn(inbox.keys.answerer, `/q/${hotel}`);
    await bob.getByRole("heading", { name: "Which hotel in Linz?" }).waitFor();
    expect(await bob.getByRole("link", { name: runId }).count()).toBe(0);
    for (const one of [page, bob]) await one.context().close();
  });

  it("are walked by j and k, opened by Enter, and searched by /, as questions are", async () => {
    const driver = `walks-${randomUUID().slice(0, 4)}`;
    await registered(driver);
    for (const runId of ["oldest", "middle", "newest"]) await parked(runId, ["Go?"], driver);
    const page = await signedIn(inbox.apiKey, "/runs");
    const rows = page.getByRole("list", { name: "Runs" }).getByRole("link");
    await page.getByLabel("Driver").fill(driver);
    await rows.filter({ hasText: "oldest" }).waitFor();
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByLabel("Driver").blur();
    for (const key of ["j", "j", "j", "j", "k", "Enter"]) await page.keyboard.press(key);
    await page.getByRole("heading", { name: "middle" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("none");
    await page.getByText("No run matches this view.").waitFor();
    await page.context().close();
  });

  it("that have failed say why, are replayed by a press, and say who put them back", async () => {
    await fails("Refund 4711", "refunds");
    const page = await signedIn(inbox.apiKey, "/runs/refunds/Refund%204711");
    await page.getByRole("status").getByText("the booking system said 503").waitFor();
    await page.getByRole("button", { name: "Replay" }).click();
    await page.getByRole("status").getByText("Put back; a worker may go on with it.").waitFor();
    await page.getByRole("list", { name: "History" }).getByText("Put back by dev").waitFor();
    expect(await page.getByRole("button", { name: "Replay" }).count()).toBe(0);
    await page.context().close();
  });

  it("are shown to who asks and to operators, and not offered to anybody else", async () => {
    await parked("Only mine", ["Go?"]);
    const olga = await signedIn(inbox.keys.operator, `/runs/trips/Only%20mine`);
    await olga.getByRole("heading", { name: "Only mine" }).waitFor();
    const alan = await signedIn(inbox.keys.otherAsker, "/runs");
    await alan.getByText("No runs").waitFor();
    await alan.goto(`${inbox.url}/runs/trips/Only%20mine`);
    await alan.getByText("This run is not here").waitFor();
    const bob = await signedIn(inbox.keys.answerer, "/");
    await bob.getByRole("heading", { name: "Inbox" }).waitFor();
    expect(await bob.getByRole("link", { name: "Runs" }).count()).toBe(0);
    await bob.goto(`${inbox.url}/runs`);
    await bob.getByText("Runs are not shown to you").waitFor();
    for (const page of [olga, alan, bob]) await page.context().close();
  });

  it.each(LOOKS)(
    "have no accessibility fault and break no policy: $name",
    async ({ colorScheme, viewport, name }) => {
      await fails(`Refund ${name}`, name.replaceAll(" ", "-"));
      const page = await signedIn(inbox.apiKey, "/runs", { colorScheme, viewport, reducedMotion: "reduce" });
      const refusals: string[] = [];
      page.on("console", (message) => {
        if (message.text().includes("Content Security Policy")) refusals.push(message.text());
      });
      const row = page.getByRole("list", { name: "Runs" }).getByRole("link", { name: `Refund ${name}` });
      await row.waitFor();
      const faults = async () => (await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id);
      expect(await faults()).toEqual([]);
      await row.click();
      await page.getByRole("button", { name: "Replay" }).waitFor();
      expect(await faults()).toEqual([]);
      expect(refusals).toEqual([]);
      await page.context().close();
    },
  );
});
