import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";
import type { Scenario } from "../bench.ts";
import { timed } from "../load.ts";
import { currentLoad, type Pairs, rowOfPairs } from "../measurement.ts";
import { startSlowProvider } from "../slow-provider.ts";
import { quantile } from "../statistics.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const SECRET = "bench";
const CHATS = 64;
const WARM = 200;
/** Of fewer than this a p99 is only the slowest. */
const AT_LEAST = 500;

/** From an update of a provider to its acknowledgement, against a bare server that stores and acknowledges. */
export const webhookAck: Scenario = {
  name: "webhook-ack",
  onlyNamed: true,
  seconds: ({ pairs }) => 15 + pairs * 5,
  async run(bench) {
    const provider = await startSlowProvider(0);
    const { url, natsUrl } = await bench.start({
      TELEGRAM_BOT_TOKEN: "1:AAbench",
      TELEGRAM_WEBHOOK_SECRET: SECRET,
      TELEGRAM_API_URL: provider.url,
    });
    const bare = await startBare(natsUrl);
    const post = poster([url, bare.url]);
    try {
      for (let sent = 0; sent < WARM; sent++) for (const at of [url, bare.url]) await post(at);
      const measured: Pairs = { ours: [], reference: [], load: [] };
      for (let round = 0; round < bench.options.pairs; round++) {
        const times: { ours: number[]; reference: number[] } = { ours: [], reference: [] };
        // By turns, one by one: a slow moment of the machine meets both.
        for (let sent = 0; sent < Math.max(bench.options.n, AT_LEAST); sent++) {
          times.ours.push(await timed(() => post(url)));
          times.reference.push(await timed(() => post(bare.url)));
        }
        measured.ours.push(quantile(times.ours, 0.99));
        measured.reference.push(quantile(times.reference, 0.99));
        measured.load.push(currentLoad());
      }
      const note = "the reference is a bare HTTP server that publishes to JetStream and answers";
      return [rowOfPairs("update to acknowledgement, p99", "ms", measured, { atMost: 3 }, note)];
    } finally {
      await post.close();
      bare.stop();
      await provider.stop();
    }
  },
};

/** Posts an update that never came before: somebody writes a few words. */
function poster(urls: readonly string[]) {
  const pools = new Map(urls.map((url) => [url, new Pool(url, { connections: 1 })]));
  let updates = 0;
  const post = async (url: string): Promise<void> => {
    updates++;
    const id = 1_000 + (updates % CHATS);
    const message = {
      message_id: updates,
      text: "On my way",
      date: 0,
      chat: { id, type: "private" },
      from: { id },
    };
    const answer = await pools.get(url)?.request({
      path: "/api/channels/telegram/webhook",
      method: "POST",
      headers: { "content-type": "application/json", "x-telegram-bot-api-secret-token": SECRET },
      body: JSON.stringify({ update_id: updates, message }),
    });
    await answer?.body.dump();
    if (answer?.statusCode !== 200) throw new Error(`an update was answered with ${answer?.statusCode ?? 0}`);
  };
  const close = async (): Promise<void> => {
    await Promise.all([...pools.values()].map((pool) => pool.close()));
  };
  return Object.assign(post, { close });
}

async function startBare(natsUrl: string): Promise<{ url: string; stop: () => void }> {
  const child = spawn(process.execPath, ["--import", "tsx", "test/bench/bare-webhook.ts"], {
    cwd: ROOT,
    env: { ...process.env, NATS_URL: natsUrl },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines: unknown[] = await once(createInterface({ input: child.stdout }), "line");
  return {
    url: `http://127.0.0.1:${String(lines[0])}`,
    stop: () => {
      child.stdin.end();
    },
  };
}
