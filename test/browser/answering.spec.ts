import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InboxUnderTest, startInbox } from "./inbox-under-test.ts";

describe("answering in the inbox", () => {
  let inbox: InboxUnderTest;
  let page: Page;

  beforeAll(async () => {
    inbox = await startInbox();
    ({ page } = await inbox.open());
  }, 120_000);

  afterAll(async () => {
    await inbox.stop();
  });

  const go = async (id: string, question: string): Promise<void> => {
    await page.goto(`${inbox.url}/q/${id}`);
    await page.getByRole("heading", { name: question }).waitFor();
  };
  const answered = (): Promise<void> => page.getByRole("status").getByText("Answered by").waitFor();
  const send = (): Promise<void> => page.getByRole("button", { name: "Send" }).click();

  it("sends text with the keyboard, from a draft that outlived a reload", async () => {
    const id = await inbox.ask({ question: "What should we tell them?", options: ["Nothing yet"] });
    await go(id, "What should we tell them?");
    await page.getByRole("textbox", { name: "Answer" }).fill("That it ships\ntomorrow.");
    await page.reload();
    const box = page.getByRole("textbox", { name: "Answer" });
    await box.waitFor();
    expect(await box.inputValue()).toBe("That it ships\ntomorrow.");
    await box.press("Control+Enter");
    await answered();
    expect(await inbox.answerOf(id)).toBe("That it ships\ntomorrow.");
  });

  it("fills in a suggested reply, which may still be changed", async () => {
    const id = await inbox.ask({ question: "Which reply?", options: [{ value: "later", label: "Later" }] });
    await go(id, "Which reply?");
    await page.getByRole("button", { name: "Later" }).click();
    await page.getByRole("textbox", { name: "Answer" }).press("End");
    await page.keyboard.type(" today");
    await send();
    await answered();
    expect(await inbox.answerOf(id)).toBe("later today");
  });

  it("confirms with one press", async () => {
    const yes = await inbox.ask({ question: "Approve it?", answer_format: "confirm" });
    await go(yes, "Approve it?");
    await page.getByRole("button", { name: "Yes" }).click();
    await answered();
    expect(await inbox.answerOf(yes)).toBe(true);

    const no = await inbox.ask({ question: "And this?", answer_format: "confirm" });
    await go(no, "And this?");
    await page.getByRole("button", { name: "Add a comment" }).click();
    await page.getByRole("textbox", { name: "Comment" }).fill("not before Monday");
    await page.getByRole("button", { name: "No" }).click();
    await answered();
    const result = await inbox.call("GET", `/api/interactions/${no}/result`);
    expect(result).toMatchObject({ answer: false, params: { comment: "not before Monday" } });
  });

  it("selects one of few by a radio, and one of many from a list", async () => {
    const options = [{ value: "dhl", label: "DHL Express" }, "UPS"];
    const few = await inbox.ask({ question: "Which carrier?", answer_format: "select", options });
    await go(few, "Which carrier?");
    await send();
    await page.getByText("Choose one of the options").waitFor();
    await page.getByRole("radio", { name: "DHL Express" }).check();
    await send();
    await answered();
    expect(await inbox.answerOf(few)).toBe("dhl");

    const rooms = Array.from({ length: 30 }, (_, index) => `Room ${index + 1}`);
    const many = await inbox.ask({ question: "Which room?", answer_format: "select", options: rooms });
    await go(many, "Which room?");
    await page.getByRole("combobox", { name: "Answer" }).selectOption("Room 17");
    await send();
    await answered();
    expect(await inbox.answerOf(many)).toBe("Room 17");
  });

  it("leads through a form's pages, pins what is wrong to its field, and sends the typed values", async () => {
    const id = await inbox.ask({
      question: "Onboard the supplier.",
      answer_format: "form",
      schema: {
        type: "object",
        required: ["name", "country", "iban", "agree"],
        properties: {
          name: { title: "Company name", type: "string", minLength: 2 },
          country: { title: "Country", type: "string" },
          iban: { title: "IBAN", type: "string", pattern: "^[A-Z]{2}[0-9]{2,30}$" },
          days: { title: "Payment days", type: "integer" },
          agree: { title: "Terms accepted", type: "boolean", const: true },
        },
      },
      data: {
        values: { days: 0 },
        options: { country: [{ value: "PT", label: "Portugal" }, { value: "NO" }] },
      },
      pages: [
        { title: "Company", properties: ["name", "country"] },
        { title: "Payment", properties: ["iban", "days", "agree"] },
      ],
    });
    await go(id, "Onboard the supplier.");
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("Please check 2 fields.").waitFor();
    await page.getByRole("textbox", { name: "Company name" }).fill("Acme");
    await page.getByRole("radio", { name: "Portugal" }).check();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("textbox", { name: "IBAN" }).fill("no iban");
    await page.getByRole("checkbox", { name: "Terms accepted" }).check();
    await page.getByRole("button", { name: "Back" }).click();
    expect(await page.getByRole("textbox", { name: "Company name" }).inputValue()).toBe("Acme");
    await page.getByRole("button", { name: "Next" }).click();
    // The pattern is the server's to judge: its fault arrives at the same field.
    await send();
    await page.getByText("Please check 1 field.").waitFor();
    expect(await page.getByRole("textbox", { name: "IBAN" }).getAttribute("aria-invalid")).toBe("true");
    await page.getByRole("textbox", { name: "IBAN" }).fill("PT5000");
    await send();
    await answered();
    expect(await inbox.answerOf(id)).toEqual({
      name: "Acme",
      country: "PT",
      iban: "PT5000",
      days: 0,
      agree: true,
    });
  });

  it("fills nested groups, lists and JSON, and leaves out what was left empty", async () => {
    const id = await inbox.ask({
      question: "Correct the order.",
      answer_format: "form",
      schema: {
        type: "object",
        required: ["lines"],
        properties: {
          lines: {
            title: "Lines",
            type: "array",
            items: {
              type: "object",
              title: "Line",
              required: ["sku"],
              properties: {
                sku: { title: "SKU", type: "string" },
                count: { title: "Count", type: "integer" },
              },
            },
          },
          address: {
            title: "Address",
            type: "object",
            required: ["city"],
            properties: { city: { title: "City", type: "string" } },
          },
          due: { title: "Due date", type: "string", format: "date" },
          note: { title: "Note", type: "string" },
          extra: { title: "Extra", type: "object" },
        },
      },
      data: { values: { lines: [{ sku: "A-1", count: 2 }] } },
    });
    await go(id, "Correct the order.");
    await page.getByRole("button", { name: "Add Lines" }).click();
    await page.getByRole("textbox", { name: "SKU" }).last().fill("B-2");
    await page.getByRole("button", { name: "Add Address" }).click();
    await page.getByRole("textbox", { name: "City" }).fill("Porto");
    await page.getByLabel("Due date").fill("2026-12-24");
    await page.getByRole("textbox", { name: "Extra" }).fill('{"gift": true}');
    await send();
    await answered();
    expect(await inbox.answerOf(id)).toEqual({
      lines: [{ sku: "A-1", count: 2 }, { sku: "B-2" }],
      address: { city: "Porto" },
      due: "2026-12-24",
      extra: { gift: true },
    });
  });

  it("opens an external question's link, and says when its answer came back", async () => {
    const id = await inbox.ask({
      question: "Sign the note.",
      answer_format: "external",
      link: "https://sign.example.com/doc?back={callback_url}",
    });
    await go(id, "Sign the note.");
    const href = await page.getByRole("link", { name: "Open", exact: true }).getAttribute("href");
    const callback = new URL(href ?? "").searchParams.get("back") ?? "";
    expect(callback.startsWith(`${inbox.url}/api/interactions/callback/`)).toBe(true);
    await fetch(callback, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ signed: true }),
    });
    await page.getByRole("status").getByText("Answered by external-callback").waitFor();
  });

  it("shows every text as text", async () => {
    const question = `" autofocus onfocus=alert(1) x='</option><script>alert(2)</script>{{7*7}}`;
    const options = ["<img src=x onerror=alert(3)>", "plain"];
    const id = await inbox.ask({ question, answer_format: "select", options });
    await go(id, question);
    await page.getByRole("radio", { name: options[0] ?? "" }).check();
    await send();
    await answered();
    expect(await inbox.answerOf(id)).toBe(options[0]);
  });

  it("does not show a confidential answer again", async () => {
    const id = await inbox.ask({ question: "The door code?", sensitive: true });
    await go(id, "The door code?");
    await page.getByRole("textbox", { name: "Answer" }).fill("4711-secret");
    await send();
    await answered();
    await page.getByText("The answer is confidential").waitFor();
    expect(await page.getByText("4711-secret").count()).toBe(0);
    expect(await inbox.answerOf(id)).toBe("4711-secret");
  });

  it("goes on to the next waiting question by the keyboard", async () => {
    const first = await inbox.ask({ question: "First of two?", answer_format: "confirm" });
    await inbox.ask({ question: "Second of two?", answer_format: "confirm" });
    await go(first, "First of two?");
    await page.getByRole("button", { name: "Yes" }).click();
    await page.getByRole("link", { name: "Next question" }).press("Enter");
    await page.getByRole("heading", { name: "Second of two?" }).waitFor();
  });
});
