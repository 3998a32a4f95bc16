import { createInteractionStore, openLog, STREAMS } from "@interlude/event-log";
import { eventually } from "@interlude/testing";
import { Pool } from "undici";
import { seededRandom } from "../../support/seeded-random.ts";
import type { Scenario } from "../bench.ts";
import { evenChats } from "../channel-questions.ts";
import { rowOf } from "../measurement.ts";
import { pendingQuestion, seedQuestions } from "../seed.ts";
import { startSlowProvider } from "../slow-provider.ts";

const SECRET = "bench";
const UPDATES_PER_QUESTION = 5;
const TIMES = 10;
const CALLERS = 32;
const SETTLED = { withinMs: 120_000, everyMs: 200 };

type Update = { body: string };

/** Every update ten times, in no order, most of them against each other: one answer for each question. */
export const inboundStorm: Scenario = {
  name: "inbound-storm",
  onlyNamed: true,
  seconds: () => 60,
  async run(bench) {
    const provider = await startSlowProvider(0);
    const { url, natsUrl } = await bench.start({
      TELEGRAM_BOT_TOKEN: "1:AAbench",
      TELEGRAM_WEBHOOK_SECRET: SECRET,
      TELEGRAM_API_URL: provider.url,
    });
    const log = await openLog({ url: natsUrl, service: "bench" });
    const pool = new Pool(url, { connections: CALLERS });
    try {
      const chats = evenChats("telegram", 1);
      const questions = Array.from({ length: bench.options.n }, (_, place) => {
        const recipient = chats[place % chats.length] ?? "";
        return { ...pendingQuestion(log.clock.nowMs()), channel: "telegram", recipient };
      });
      await seedQuestions(log, questions.length, (place) => questions[place] ?? pendingQuestion(0));
      await eventually(() => provider.arrivals.length >= questions.length, SETTLED);

      const distinct = questions.flatMap(({ interaction_id: id, recipient }, place) =>
        taps(id, recipient, place),
      );
      const all = shuffled(Array.from({ length: TIMES }, () => distinct).flat());
      const beganMs = performance.now();
      await postAll(pool, all);
      const rate = (all.length * 1_000) / (performance.now() - beganMs);

      const store = createInteractionStore(log);
      const answers = (id: string) => countAnswers(store, id);
      for (const { interaction_id: id } of questions) {
        await eventually(async () => (await answers(id)) >= 1, SETTLED);
      }
      // Once more when all is decided.
      await postAll(pool, shuffled(distinct));
      const kept = (await log.manager.streams.info(STREAMS.inbound)).state.messages;
      if (kept !== distinct.length) throw new Error(`${kept} updates are kept of ${distinct.length}`);
      for (const { interaction_id: id } of questions) {
        const count = await answers(id);
        if (count !== 1) throw new Error(`${id} has ${count} answers`);
      }
      const note = `${distinct.length} updates ${TIMES} times each, in no order: each was kept once, and each of ${questions.length} questions has one answer`;
      return [rowOf("updates acknowledged in a storm of repeats", "/s", [rate], note)];
    } finally {
      await pool.close();
      await log.close();
      await provider.stop();
    }
  },
};

/** One person who cannot decide. */
function taps(id: string, chat: string, place: number): Update[] {
  return Array.from({ length: UPDATES_PER_QUESTION }, (_, index) => {
    const update = place * UPDATES_PER_QUESTION + index + 1;
    const from = { id: Number(chat) };
    const message = { message_id: 1, chat: from };
    const data = `${id}:${index % 2 === 0 ? "yes" : "no"}`;
    return {
      body: JSON.stringify({ update_id: update, callback_query: { id: `q${update}`, from, message, data } }),
    };
  });
}

function shuffled<T>(values: readonly T[]): T[] {
  const random = seededRandom(values.length);
  const keyed = values.map((value) => ({ value, key: random() }));
  return keyed.sort((one, other) => one.key - other.key).map(({ value }) => value);
}

async function postAll(pool: Pool, updates: readonly Update[]): Promise<void> {
  let next = 0;
  const caller = async (): Promise<void> => {
    for (let update = updates[next++]; update !== undefined; update = updates[next++]) {
      const { statusCode, body } = await pool.request({
        path: "/api/channels/telegram/webhook",
        method: "POST",
        headers: { "content-type": "application/json", "x-telegram-bot-api-secret-token": SECRET },
        body: update.body,
      });
      await body.dump();
      if (statusCode !== 200) throw new Error(`an update was answered with ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

async function countAnswers(store: ReturnType<typeof createInteractionStore>, id: string): Promise<number> {
  const events = await store.readAll(id);
  return events.filter(({ entry }) => !("unknownType" in entry) && entry.type === "answered").length;
}
