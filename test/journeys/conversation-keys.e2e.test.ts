import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateKeyring } from "@interlude/secrets";
import { startTelegramFake, type TelegramFake } from "@interlude/test-fakes";
import { eventually, temporaryHome } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";
import { talk } from "../support/talk.ts";

const PERSON = 1001;
const OTHER = 1002;

let telegram: TelegramFake;
let variables: Record<string, string>;
let first: Interlude;
let interlude: Interlude;
const talking = talk(() => interlude);

beforeAll(async () => {
  const routesFile = join(temporaryHome("routes"), "routes.json");
  writeFileSync(routesFile, JSON.stringify([{ channel: "telegram", target: { driver: "chat" } }]));
  telegram = await startTelegramFake({
    chats: [PERSON, OTHER].map((id) => ({ id, type: "private", people: [{ id, name: `Person ${id}` }] })),
  });
  variables = {
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_WEBHOOK_SECRET: "hook-secret",
    TELEGRAM_API_URL: telegram.apiUrl,
    INTERLUDE_ROUTES_FILE: routesFile,
  };
  first = await startInterlude({ env: variables });
  await use(first);
});
afterAll(async () => {
  if (interlude !== first) await interlude.stop();
  await first.stop();
  await telegram.stop();
});

/** The provider delivers there from now on. */
async function use(started: Interlude): Promise<void> {
  interlude = started;
  await fetch(`${telegram.apiUrl}/bot${telegram.token}/setWebhook`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      ...{ url: `${started.url}/api/channels/telegram/webhook`, secret_token: "hook-secret" },
    }),
  });
}

/** Everything stops, and is started with these ticket keys. */
async function restartWith(...keys: string[]): Promise<void> {
  const before = interlude;
  await (before === first ? before.detach() : before.stop());
  await use(
    await startInterlude({ beside: first, env: { ...variables, INTERLUDE_TICKET_KEYS: keys.join(",") } }),
  );
}

type Claimed = { claim_id: string; kind: string; run_id: string; text?: string };

async function claimed(): Promise<Claimed> {
  const { status, body } = await talking.call("POST", "/api/drivers/chat/claims?wait=20");
  expect(status).toBe(200);
  const claim = body as {
    claim_id: string;
    kind: string;
    turn?: { run_id: string; text: string };
    continuation?: { run_id: string };
  };
  const { claim_id, kind, turn, continuation } = claim;
  return {
    claim_id,
    kind,
    run_id: turn?.run_id ?? continuation?.run_id ?? "",
    ...(turn && { text: turn.text }),
  };
}

const complete = (claim: Claimed, body: object) =>
  talking.call("POST", `/api/claims/${claim.claim_id}/complete`, body);

const say = (who: number, text: string) => telegram.person.type({ conversation: String(who), text });

async function untilHeard(who: number, text: string): Promise<void> {
  await eventually(
    () => {
      const said = telegram.requests.filter(
        ({ operation, fields }) => operation === "sendMessage" && String(fields["chat_id"]) === String(who),
      );
      expect(said.filter(({ fields }) => String(fields["text"]).includes(text))).toHaveLength(1);
    },
    { withinMs: 15_000 },
  );
}

it("a conversation goes on, and what it waits for is said in it, while the ticket keys are rolled to new ones", async () => {
  await talking.call("POST", "/api/drivers", { name: "chat", checkpointer: { kind: "postgres" } });
  await say(PERSON, "hello");
  const begun = await claimed();
  const run = { driver: "chat", run_id: begun.run_id };
  const expiry_at = new Date(Date.now() + 600_000).toISOString();
  await talking.ask({
    ...{ id: "how-many", question: "How many?", mode: "async", expiry_at, run },
    ...{ channel: "telegram", recipient: String(PERSON) },
  });
  await talking.call("POST", `/api/runs/chat/${begun.run_id}/park`, { interaction_ids: ["how-many"] });
  expect((await complete(begun, { parked: true })).status).toBe(200);
  // Claimed by nobody until the key that was in force when it was said is gone.
  await say(OTHER, "are you there?");
  await eventually(async () => {
    expect((await talking.call("GET", "/api/runs?state=resuming")).body).toMatchObject({ items: [{}] });
  });

  const [old, next] = [first.shared["INTERLUDE_TICKET_KEYS"] ?? "", generateKeyring()];
  await restartWith(next, old);
  await restartWith(next);

  const waited = await claimed();
  expect(waited).toMatchObject({ kind: "turn", text: "are you there?" });
  await complete(waited, { result: "still here" });
  await untilHeard(OTHER, "still here");
  await say(PERSON, "two");
  const late = await claimed();
  expect(late).toMatchObject({ kind: "resume", run_id: begun.run_id });
  await complete(late, { result: "two it is" });
  await untilHeard(PERSON, "two it is");
  await say(PERSON, "and again");
  expect(await claimed()).toMatchObject({ kind: "turn", text: "and again", run_id: begun.run_id });
});

it("a dispatcher whose ring lacks every key that opens the conversations does not start, and says which does", async () => {
  const env = { ...variables, INTERLUDE_TICKET_KEYS: generateKeyring() };
  await expect(startInterlude({ beside: first, env })).rejects.toMatchObject({
    ...{
      code: "configuration_invalid",
      message: expect.stringContaining("INTERLUDE_TICKET_KEYS") as unknown,
    },
  });
});
