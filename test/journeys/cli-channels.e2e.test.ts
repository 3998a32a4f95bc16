import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startTelegramFake, type TelegramFake } from "@interlude/test-fakes";
import { eventually, temporaryHome } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type CliOptions, type Ended, startCli } from "../support/run-cli.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

const Document = z.record(z.string(), z.unknown());
const folder = temporaryHome("cli-channels");

let telegram: TelegramFake;
let interlude: Interlude;
beforeAll(async () => {
  telegram = await startTelegramFake();
  interlude = await startInterlude({
    env: {
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_WEBHOOK_SECRET: "hook-secret",
      TELEGRAM_API_URL: telegram.apiUrl,
      TELEGRAM_DEFAULT_RECIPIENT: "1002",
      SLACK_BOT_TOKEN: "xoxb-half",
    },
  });
  telegram.deliverTo(`${interlude.url}/api/channels/telegram/webhook`, "hook-secret");
});
afterAll(async () => {
  await interlude.stop();
  await telegram.stop();
});

const cli = (args: string[], options?: CliOptions): Promise<Ended> =>
  startCli({ ...interlude, folder }, args, options).end;

const lastToAda = () => JSON.stringify(telegram.requests.at(-1)?.fields);

describe("interlude channels", () => {
  const key = (): { key: string } => ({ key: interlude.keys.answerer });
  const chat = (id: string): string[] =>
    (telegram.person.see().conversations.find((each) => each.id === id)?.messages ?? []).map(
      ({ text }) => text,
    );

  it("list: says whether each works and what it can do, or what is missing", async () => {
    const listed = await cli(["channels", "list"], key());
    expect(listed.code).toBe(0);
    expect(listed.out.trim().split("\n")).toEqual([
      expect.stringMatching(/^misconfigured +slack +SLACK_SIGNING_SECRET not set$/),
      expect.stringMatching(
        /^ok +telegram +buttons; forms as a page; any number of questions at a time; media: /,
      ),
    ]);
    const { items } = Document.parse(JSON.parse((await cli(["channels", "list", "--json"], key())).out));
    expect(items).toMatchObject([
      { name: "slack", health: { status: "misconfigured" } },
      { name: "telegram", capabilities: { form_delivery: "page", reply_context: true } },
    ]);
  });

  it("test: sends a message to whom it is told to, or to the default recipient", async () => {
    const sent = await cli(["channels", "test", "telegram", "--to", "1001", "--message", "Is this on?"]);
    expect([sent.code, sent.out]).toEqual([0, expect.stringMatching(/^sent over telegram: \S+\n$/)]);
    await expect.poll(() => chat("1001"), { timeout: 10_000 }).toEqual(["Is this on?"]);
    const json = Document.parse(JSON.parse((await cli(["channels", "test", "telegram", "--json"])).out));
    expect(json["notification_id"]).toEqual(expect.any(String));
    await expect
      .poll(() => chat("1002"), { timeout: 10_000 })
      .toEqual([expect.stringContaining("a test of the channel telegram")]);
  });

  it("test: says so, in 5, when the provider does not take it", async () => {
    const refused = await cli(["channels", "test", "telegram", "--to", "4242"]);
    expect([refused.code, refused.out]).toEqual([5, ""]);
    expect(refused.err).toContain("chat not found");
  });

  it.each([
    [["slack"], "SLACK_SIGNING_SECRET"],
    [["pigeon"], "pigeon"],
    [["telegram", "--to", "+1"], "/recipient"],
  ])("test %j: is refused with the reason", async (args, reason) => {
    const refused = await cli(["channels", "test", ...args]);
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toContain(reason);
  });

  it("ask over one: with media, and with words of one's own for a reply that does not fit", async () => {
    const asking = cli([
      ...["ask", "Which colour?", "--format", "select", "--option", "red", "--option", "green"],
      ...["--channel", "telegram", "--recipient", "1001", "--timeout", "30"],
      ...["--media", JSON.stringify([{ kind: "link", url: "https://a.example/colours" }])],
      ...["--on-mismatch", "retry", "--mismatch-notice", "No such colour: {reason}"],
    ]);
    const says = (text: string) => telegram.person.type({ conversation: "1001", text });
    await eventually(() => {
      expect(chat("1001").join()).toContain("https://a.example/colours");
    });
    await says("mauve");
    await eventually(() => {
      expect(chat("1001").at(-1)).toMatch(/^No such colour: ./);
    });
    await says("green");
    expect([(await asking).code, (await asking).out]).toEqual([0, "green\n"]);
  });
});

describe("interlude notify", () => {
  it("tells once under a key, in the feed and from standard input", async () => {
    const told = ["notify", "-", "--audience", "bob", "--idempotency-key", "told-once"];
    const [first, second] = [
      await cli(told, { input: "From a pipe.\n" }),
      await cli([...told, "--json"], { input: "From a pipe.\n" }),
    ];
    expect([first.code, first.err]).toEqual([0, ""]);
    expect(Document.parse(JSON.parse(second.out))["notification_id"]).toBe(first.out.trim());
    const changed = await cli(told, { input: "Something else.\n" });
    expect([changed.code, changed.out]).toEqual([1, ""]);
  });

  it("sends replies to tap, media and a form over a channel", async () => {
    const to = ["--channel", "telegram", "--recipient", "1001"];
    const media = '[{"kind":"link","url":"https://ci.example/7","caption":"The log"}]';
    const shown = await cli(["notify", "Done.", ...to, "--option", "more=Tell me more", "--media", media]);
    expect([shown.code, shown.err]).toEqual([0, ""]);
    await expect.poll(lastToAda).toMatch(/Done\..*The log: https:\/\/ci\.example\/7.*Tell me more/);
    writeFileSync(
      join(folder, "size.json"),
      '{"type":"object","properties":{"size":{"type":"string"},"note":{"type":"string"}}}',
    );
    const pages = '[{"title":"One","properties":["size"]},{"title":"Two","properties":["note"]}]';
    const form = ["--schema", "@size.json", "--data", '{"values":{"size":"m"}}', "--pages", pages];
    expect((await cli(["notify", "Which size?", ...to, ...form])).code).toBe(0);
    await expect.poll(lastToAda).toContain("/api/notifications/form/");
    const refused = await cli(["notify", "Which size?", ...to, "--schema", "@size.json", "--pages", "[]"]);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("pages")]);
  });

  it.each([
    ["--media", "{}", "a list of {kind, url"],
    ["--media", '[{"kind":"film","url":"x"}]', "a list of {kind, url"],
    ["--schema", "@missing.json", "cannot be read"],
    ["--data", "[", "is not JSON"],
    ["--pages", "7", "a list of {title, properties}"],
  ])("a flag that does not parse is a fault of the command line: %s %s", async (flag, value, told) => {
    const { code, err } = await cli(["notify", "x", "--channel", "telegram", flag, value]);
    expect([code, err]).toEqual([2, expect.stringContaining(told)]);
  });
});
