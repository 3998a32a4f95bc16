import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startTelegramFake, type TelegramFake } from "@interlude/test-fakes";
import { temporaryHome } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

const BIN = fileURLToPath(new URL("../../clients/cli/bin/interlude.mjs", import.meta.url));
const Document = z.record(z.string(), z.unknown());
const folder = temporaryHome("cli-notify");

let telegram: TelegramFake;
let interlude: Interlude;
beforeAll(async () => {
  telegram = await startTelegramFake();
  interlude = await startInterlude({
    env: {
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_WEBHOOK_SECRET: "hook-secret",
      TELEGRAM_API_URL: telegram.apiUrl,
    },
  });
});
afterAll(async () => {
  await interlude.stop();
  await telegram.stop();
});

async function cli(args: string[], input = "") {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      INTERLUDE_URL: interlude.url,
      INTERLUDE_API_KEY: interlude.keys.asker,
    },
    stdio: "pipe",
  });
  const texts = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (texts.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (texts.err += text));
  child.stdin.end(input);
  await once(child, "close");
  return { code: child.exitCode, ...texts };
}

const lastToAda = () => JSON.stringify(telegram.requests.at(-1)?.fields);

it("tells once under a key, in the feed and from standard input", async () => {
  const told = ["notify", "-", "--audience", "bob", "--idempotency-key", "told-once"];
  const [first, second] = [
    await cli(told, "From a pipe.\n"),
    await cli([...told, "--json"], "From a pipe.\n"),
  ];
  expect([first.code, first.err]).toEqual([0, ""]);
  expect(Document.parse(JSON.parse(second.out))["notification_id"]).toBe(first.out.trim());
  const changed = await cli(told, "Something else.\n");
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
