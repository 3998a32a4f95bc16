import { AxeBuilder } from "@axe-core/playwright";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChannelName, CHANNELS, type ChatsUnderTest, startChats } from "./chats-under-test.ts";

const BO: Record<ChannelName, string> = {
  slack: "D0BO",
  telegram: "1002",
  sms: "+15550001002",
  whatsapp: "15550001002",
};
const CITIES = ["Amsterdam", "Kraków", { value: "lis", label: "Lisbon" }, "Zürich"];
const TAPPED = ["slack", "telegram", "whatsapp"] as const;

let chats: ChatsUnderTest;

beforeAll(async () => {
  chats = await startChats();
}, 90_000);

afterAll(() => chats.stop());

/** Where the message says how the question ended, it has nothing left to tap. */
async function isClosed(channel: ChannelName, question: string): Promise<void> {
  const message = chats.message(channel, question);
  await eventually(async () => {
    expect(await message.locator(".controls").count()).toBe(0);
  });
}

describe("the first question over each channel", () => {
  it.each([
    ["slack", "Which city shall we meet in?", "Lisbon", "Answered: Lisbon"],
    ["telegram", "Ship release 1.4?", "Yes", "Answered: Yes"],
  ] as const)("waits on the page of %s, and a tap answers it there", async (channel, question, tap, said) => {
    const message = chats.message(channel, question);
    await message.getByRole("button", { name: tap }).click();
    await message.getByText(said).waitFor();
    await isClosed(channel, question);
  });

  it("waits in WhatsApp as a list, whose rows answer", async () => {
    const message = chats.message("whatsapp", "Which city shall we meet in?");
    await message.getByText("Choose", { exact: true }).click();
    await message.getByRole("button", { name: "Kraków" }).click();
    await chats.tab("whatsapp").locator("li.own", { hasText: "Kraków" }).waitFor();
  });

  it("waits in the text messages, and what is typed is taken", async () => {
    await chats.message("sms", "What shall we tell the customer?").waitFor();
    await chats.type("sms", "That it ships tomorrow");
    await chats.tab("sms").getByText("Interlude took it (200)").waitFor();
  });
});

describe.each(CHANNELS)("over %s", (channel) => {
  beforeAll(() => chats.choose(channel, "Bo"));

  const ask = async (question: string, rest: object): Promise<string> => {
    const id = await chats.ask({ channel, recipient: BO[channel], question, ...rest });
    await chats.message(channel, question).waitFor();
    return id;
  };

  it("a reply to a notification is tapped, or typed, and is a turn that is answered there", async () => {
    const told = `Built for ${channel}.`;
    await chats.tell({ channel, recipient: BO[channel], message: told, options: ["Thanks", "Tell me more"] });
    const message = chats.message(channel, told);
    await message.getByText("Tell me more").waitFor();
    if (channel === "sms") await chats.type(channel, "Thanks");
    else await message.getByRole("button", { name: "Thanks" }).click();
    const params = channel === "sms" ? {} : { params: { reply_id: "Thanks" } };
    expect(await chats.thanked("You are welcome")).toMatchObject({ channel, text: "Thanks", ...params });
    await chats.message(channel, "You are welcome").waitFor();
  });

  it("words are answered by typing", async () => {
    const id = await ask("What now?", {});
    await chats.type(channel, "Wait & see <b>");
    expect(await chats.answerOf(id)).toBe("Wait & see <b>");
  });

  it("yes or no is answered by typing", async () => {
    const id = await ask("Go on?", { answer_format: "confirm" });
    await chats.type(channel, "yes");
    expect(await chats.answerOf(id)).toBe(true);
  });

  it("a choice is answered by typing, after what is none was told what would be", async () => {
    const id = await ask("Where to?", { answer_format: "select", options: CITIES });
    await chats.type(channel, "Berlin");
    await chats.message(channel, "Please reply with one of the options").waitFor();
    await chats.type(channel, "lisbon");
    expect(await chats.answerOf(id)).toBe("lis");
  });
});

describe.each(TAPPED)("by tapping in %s", (channel) => {
  beforeAll(() => chats.choose(channel, "Bo"));

  const tapped = async (question: string, rest: object, tap: string): Promise<unknown> => {
    const id = await chats.ask({ channel, recipient: BO[channel], question, ...rest });
    const message = chats.message(channel, question);
    await message.waitFor();
    for (const list of await message.locator("summary").all()) await list.click();
    await message.getByRole("button", { name: tap }).click();
    return chats.answerOf(id);
  };

  it("yes or no is answered", async () => {
    expect(await tapped("Shall it stop?", { answer_format: "confirm" }, "No")).toBe(false);
  });

  it("one of few is answered by its button", async () => {
    const options = CITIES.slice(0, 3);
    expect(await tapped("Few?", { answer_format: "select", options }, "Lisbon")).toBe("lis");
  });

  it("one of many is answered from wherever they are", async () => {
    const options = Array.from({ length: 8 }, (_, place) => `Room ${place + 1}`);
    expect(await tapped("Many?", { answer_format: "select", options }, "Room 7")).toBe("Room 7");
  });

  it("a suggested reply is answered", async () => {
    expect(await tapped("Which reply?", { options: ["Later", "Never"] }, "Later")).toBe("Later");
  });
});

const FORM = {
  answer_format: "form",
  schema: {
    type: "object",
    required: ["stars"],
    properties: {
      stars: { title: "Stars", type: "integer", minimum: 1, maximum: 5 },
      note: { title: "Note", type: "string" },
    },
  },
};

describe.each(["telegram", "sms"] as const)("a link in %s", (channel) => {
  beforeAll(() => chats.choose(channel, "Bo"));

  const openedFrom = async (question: string, rest: object) => {
    const id = await chats.ask({ channel, recipient: BO[channel], question, ...rest });
    const opening = chats.tab(channel).context().waitForEvent("page");
    await chats.message(channel, question).getByRole("link").last().click();
    return { id, page: await opening };
  };

  it("opens a form's page, and what is sent there is the answer", async () => {
    const { id, page } = await openedFrom("How was it?", FORM);
    await page.getByRole("spinbutton", { name: "Stars" }).or(page.getByLabel(/Stars/)).first().fill("4");
    await page.getByRole("button", { name: "Send" }).click();
    expect(await chats.answerOf(id)).toEqual({ stars: 4 });
    await page.close();
  });

  it("opens the page of an external question, and what is done there is the answer", async () => {
    const { id, page } = await openedFrom("Have you signed?", { answer_format: "external" });
    await page.getByRole("button").first().click();
    expect(await chats.answerOf(id)).toBeDefined();
    await page.close();
  });
});

describe.each(["slack", "whatsapp"] as const)("a form in %s", (channel) => {
  beforeAll(() => chats.choose(channel, "Bo"));

  it("opens in front of the chat, and what is sent is the answer", async () => {
    const id = await chats.ask({ channel, recipient: BO[channel], question: "How was it?", ...FORM });
    await chats.message(channel, "How was it?").getByRole("button", { name: "Fill in the form" }).click();
    const form = chats.tab(channel).getByRole("dialog");
    await form.getByLabel("Note").fill("Well <packed>");
    if (channel === "slack") {
      // What Slack lets through is judged by us, and told at its field.
      await form.getByLabel("Stars").fill("9");
      await form.locator("button[type=submit]").click();
      await form.locator(".fault").waitFor();
    }
    await form.getByLabel("Stars").fill("4");
    await form.locator("button[type=submit]").click();
    expect(await chats.answerOf(id)).toEqual({ stars: 4, note: "Well <packed>" });
    await form.waitFor({ state: "hidden" });
  });
});

const TRIP = {
  answer_format: "form",
  schema: {
    type: "object",
    required: ["city", "nights"],
    properties: {
      city: { title: "City", type: "string" },
      nights: { title: "Nights", type: "integer", minimum: 1 },
      class: { title: "Class", type: "string", enum: ["any"] },
    },
  },
  data: {
    values: { city: "Graz", nights: 2 },
    options: {
      class: [
        { value: "eco", label: "By coach" },
        { value: "biz", label: "In front" },
      ],
    },
  },
  pages: [
    { title: "The trip", properties: ["city", "nights"] },
    { title: "The rest", properties: ["class"] },
  ],
};

describe.each(["slack", "whatsapp"] as const)("a form of pages in %s", (channel) => {
  beforeAll(() => chats.choose(channel, "Bo"));

  it("is gone through step by step and back, keeps what was put in, and passes axe", async () => {
    const id = await chats.ask({ channel, recipient: BO[channel], question: "Where to?", ...TRIP });
    await chats.message(channel, "Where to?").getByRole("button", { name: "Fill in the form" }).click();
    const form = chats.tab(channel).getByRole("dialog");
    await form.getByText("The trip").waitFor();
    expect(await form.getByLabel("City").inputValue()).toBe("Graz");
    await form.getByLabel("City").fill("Wien");
    await form.getByRole("button", { name: "Next" }).click();
    await form.getByText("The rest").waitFor();
    await form.getByLabel("Class").selectOption("In front");
    expect((await new AxeBuilder({ page: chats.tab(channel) }).analyze()).violations).toEqual([]);
    await form.getByRole("button", { name: "Back" }).click();
    await form.getByText("The trip").waitFor();
    expect(await form.getByLabel("City").inputValue()).toBe("Wien");
    await form.getByLabel("Nights").fill("5");
    await form.getByRole("button", { name: "Next" }).click();
    await form.getByText("The rest").waitFor();
    await form.getByLabel("Class").selectOption("In front");
    await form.getByRole("button", { name: "Send" }).click();
    expect(await chats.answerOf(id)).toEqual({ city: "Wien", nights: 5, class: "biz" });
    await form.waitFor({ state: "hidden" });
  });
});

describe("the page", () => {
  it("replies in a thread of a group, as whoever is chosen", async () => {
    await chats.choose("slack", "ops");
    const id = await chats.ask({ channel: "slack", recipient: "C0OPS", question: "Who takes it?" });
    await chats
      .message("slack", "Who takes it?")
      .getByRole("button", { name: /^Reply to/ })
      .click();
    await chats.tab("slack").getByRole("combobox", { name: "As" }).selectOption("Bo");
    await chats.type("slack", "I do");
    expect(await chats.answerOf(id)).toBe("I do");
    expect(await chats.item(id)).toMatchObject({ answered_by: "channel:slack:U0BO" });
    await chats.message("slack", "I do").locator("blockquote").waitFor();
  });

  it("shows pictures, with their captions as their names or beside them", async () => {
    const media = [{ kind: "image", url: "https://pictures.example/label.png", caption: "The new label" }];
    for (const channel of TAPPED) {
      await chats.choose(channel, "Bo");
      await chats.ask({ channel, recipient: BO[channel], question: "Is it right?", media });
      const picture = chats.message(channel, "The new label").or(chats.message(channel, "Is it right?"));
      await picture.getByRole("img").first().waitFor();
    }
  });

  it("makes the stand-in fail, and the question arrives with the next attempt", async () => {
    await chats.choose("telegram", "Ada");
    const tab = chats.tab("telegram");
    await tab.getByText("Misbehave").click();
    await tab.getByRole("button", { name: "Fails (500)" }).click();
    await tab.getByText("The next call fails with 500").waitFor();
    const id = await chats.ask({ channel: "telegram", recipient: "1001", question: "In spite of all?" });
    await chats.message("telegram", "In spite of all?").waitFor();
    await eventually(async () => {
      expect(await chats.item(id)).toMatchObject({ delivery: { state: "sent", attempts: 2 } });
    });
    await tab.getByRole("button", { name: "Hold" }).click();
    await chats.type("telegram", "Still here");
    await tab.getByText("Held until it is released").waitFor();
    await tab.getByRole("button", { name: "Release in order" }).click();
    expect(await chats.answerOf(id)).toBe("Still here");
    await tab.getByRole("button", { name: "Deliver the last again" }).click();
    await tab.getByText("Delivered again").waitFor();
    expect(await chats.item(id)).toMatchObject({ status: "answered", answer: "Still here" });
  });

  it.each([
    { look: "light on a desktop", colorScheme: "light", viewport: { width: 1200, height: 800 } },
    { look: "dark on a phone", colorScheme: "dark", viewport: { width: 390, height: 800 } },
  ] as const)("is usable by everybody, $look", async ({ colorScheme, viewport }) => {
    const context = await chats.browser.newContext({ colorScheme, viewport });
    const page = await context.newPage();
    for (const channel of CHANNELS) {
      await page.goto(chats.addresses[channel]);
      await page.locator("li.message").first().waitFor();
      await page.getByText("Misbehave").click();
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual(
        [],
      );
      const width = await page.evaluate("document.documentElement.scrollWidth");
      expect(width).toBeLessThanOrEqual(viewport.width);
    }
    await context.close();
  });
});
