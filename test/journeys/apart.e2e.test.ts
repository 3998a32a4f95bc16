import { startTelegramFake, type TelegramFake } from "@interlude/test-fakes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { converse } from "../support/converse.ts";
import { openStream } from "../support/event-stream.ts";
import { type Apart, startApart } from "../support/start-apart.ts";
import { answeringSuite } from "../suites/answering.ts";
import { askingSuite } from "../suites/asking.ts";
import { asyncAskingSuite } from "../suites/async-asking.ts";
import { claimTokenSuite } from "../suites/claim-tokens.ts";
import { endingSuite } from "../suites/ending.ts";
import { listingSuite } from "../suites/listing.ts";
import { runCasesSuite } from "../suites/run-cases.ts";
import { runClaimsSuite } from "../suites/run-claims.ts";
import { runDoorsSuite } from "../suites/run-doors.ts";
import { runsSuite } from "../suites/runs.ts";
import { streamingSuite } from "../suites/streaming.ts";

let telegram: TelegramFake;
let apart: Apart;
const at = () => apart;
const { ask, asked, answer, result, listed, call } = converse(at);

beforeAll(async () => {
  telegram = await startTelegramFake();
  apart = await startApart({
    env: {
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_WEBHOOK_SECRET: "hook-secret",
      TELEGRAM_API_URL: telegram.apiUrl,
    },
  });
  await fetch(`${telegram.apiUrl}/bot${telegram.token}/setWebhook`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: `${apart.url}/api/channels/telegram/webhook`, secret_token: "hook-secret" }),
  });
}, 240_000);

afterAll(async () => {
  await apart.stop();
  await telegram.stop();
});

describe("every service as two processes of its own keeps the same promises:", () => {
  askingSuite(at);
  answeringSuite(at);
  endingSuite(at);
  listingSuite(at);
  streamingSuite(at);
  runsSuite(at);
  runClaimsSuite(at);
  runCasesSuite(at);
  runDoorsSuite(at);
  asyncAskingSuite(at);
  claimTokenSuite(at);

  it("an uploaded file is served, shown and named in a question", async () => {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    const uploaded = await call("/api/interactions/media", {
      key: at().keys.asker,
      body: new Uint8Array(png),
      headers: { "content-type": "image/png" },
    });
    expect(uploaded.status).toBe(201);
    const url = String(uploaded.json["url"]);
    await asked({ media: [{ kind: "image", url }] });
    const served = await call(new URL(url, at().url).pathname);
    expect([served.status, served.headers.get("content-type")]).toEqual([200, "image/png"]);
  });

  it("a question over a channel is sent by one dispatcher, and answered through either", async () => {
    const id = await asked({ answer_format: "confirm", channel: "telegram", recipient: "1001" });
    const message = () =>
      telegram.person
        .see()
        .conversations.find((each) => each.id === "1001")
        ?.messages.at(-1);
    await expect.poll(message, { timeout: 20_000 }).toBeDefined();
    await telegram.person.tap({ conversation: "1001", message: message()?.id ?? "", control: "Yes" });
    expect((await result(id, "?wait=20")).json).toMatchObject({ status: "answered", answer: true });
    expect(telegram.requests.filter(({ operation }) => operation === "sendMessage")).toHaveLength(1);
  });

  it("a reservation and the description of every door are found behind the one address", async () => {
    expect(
      (await call("/api/interactions/reservations", { method: "POST", key: at().keys.asker })).status,
    ).toBe(201);
    expect((await call("/api/openapi.json")).status).toBe(200);
    expect((await call("/api/me", { key: at().keys.asker })).json).toMatchObject({
      subject: "ann",
      groups: ["sales"],
    });
  });
});

it("one of each service killed, the rest goes on with everything", { timeout: 60_000 }, async () => {
  const before = await asked({ question: "Before?" });
  const short = await asked({ timeout_seconds: 1 });
  for (const name of ["inbox-projector", "expiry-scheduler"] as const)
    await apart.processes.get(name)?.[0]?.kill();
  const stream = await openStream(apart.url, { key: apart.keys.operator });
  const after = await ask({ question: "After?" });
  await stream.frameOf(String(after.json["interaction_id"]), "interaction.add");
  expect((await answer(before, "x")).status).toBe(200);
  expect((await result(before)).json["answer"]).toBe("x");
  // What the dead ones held goes to the others once the servers know that they are dead.
  await expect
    .poll(async () => (await listed("?page_size=1", after.json["sequence"])).status, { timeout: 20_000 })
    .toBe(200);
  await expect
    .poll(async () => (await result(short, "?wait=20")).json["status"], { timeout: 40_000 })
    .toBe("expired");
  stream.close();
});
