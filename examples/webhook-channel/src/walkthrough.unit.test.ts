import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openChannel } from "./index.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const page = read("../../../docs/adding-a-channel.md");
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(
    ([, block = ""]) => block,
  );
/** How far a line stands in is no part of what it says. */
const flat = (text: string): string => text.replace(/\s+/g, " ").trim();

it("every piece of code on the page is in the example", () => {
  const sources = readdirSync(new URL(".", import.meta.url)).map((name) => flat(read(name)));
  expect(blocks("ts").length).toBeGreaterThan(5);
  for (const block of blocks("ts")) {
    expect(
      sources.some((source) => source.includes(flat(block))),
      block,
    ).toBe(true);
  }
});

it("the message on the page is the one that is sent, and the reply on it is taken", () => {
  const setup = openChannel(
    { WEBHOOK_SECRET: "s", WEBHOOK_ALLOWED_ORIGINS: "https://desk.example.com" },
    { language: "en" },
  );
  if (!("config" in setup)) return expect.fail(JSON.stringify(setup));
  const [message = "", reply = ""] = blocks("json");
  const recipient = "https://desk.example.com/ada";
  const [request] = setup.config.render({
    ...{ question: "Ship release 1.4?", format: "confirm", recipient, pageUrl: "" },
    ...{ reference: "0198c1d2-0000-7000-8000-000000000000", deadlineMs: 1_800_000_000_000 },
  }).requests;
  expect(request?.body).toEqual({ to: recipient, ...(JSON.parse(message) as object) });
  const delivery = { method: "POST", url: "/", headers: { get: () => null }, rawBody: Buffer.from(reply) };
  expect(setup.config.parse(delivery).inbound).toEqual([
    expect.objectContaining({ kind: "message", address: recipient, text: "yes", replyTo: "m1" }),
  ]);
});
