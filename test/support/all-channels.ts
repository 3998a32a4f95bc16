import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { type Fakes, startFakes } from "@interlude/test-fakes";
import { type Interlude, type InterludeOptions, startInterlude } from "./start-interlude.ts";

const WEBHOOK_MODULE = fileURLToPath(new URL("../../examples/webhook-channel/src/index.ts", import.meta.url));

export const CHAT_CHANNELS = ["slack", "telegram", "sms", "whatsapp"] as const;
export type ChatChannel = (typeof CHAT_CHANNELS)[number];

/** One composition with the four channels, each before its provider's stand-in, and the example's `webhook`. */
export type AllChannels = {
  interlude: Interlude;
  fakes: Fakes;
  /** The address of the webhook channel's receiver. */
  desk: string;
  /** How many requests all the other sides have been sent. */
  sent: () => number;
  stop: () => Promise<void>;
};

export async function startAllChannels(options: InterludeOptions = {}): Promise<AllChannels> {
  const running = await startFakes("http://127.0.0.1:9");
  const { fakes } = running;
  let posted = 0;
  const desk = createServer((request, response) => {
    posted += 1;
    request.resume().on("end", () => response.end(JSON.stringify({ id: `m${posted}` })));
  }).listen(0, "127.0.0.1");
  await once(desk, "listening");
  const origin = `http://127.0.0.1:${(desk.address() as AddressInfo).port}`;
  const interlude = await startInterlude({
    ...options,
    env: {
      ...running.environment,
      INTERLUDE_CHANNELS: `webhook=${WEBHOOK_MODULE}`,
      WEBHOOK_SECRET: "desk-secret",
      WEBHOOK_ALLOWED_ORIGINS: origin,
      ...options.env,
    },
  });
  const hook = (channel: ChatChannel) => `${interlude.url}/api/channels/${channel}/webhook`;
  fakes.telegram.deliverTo(hook("telegram"), running.environment["TELEGRAM_WEBHOOK_SECRET"] ?? "");
  for (const channel of ["slack", "sms", "whatsapp"] as const) fakes[channel].deliverTo(hook(channel));
  return {
    interlude,
    fakes,
    desk: `${origin}/ada`,
    sent: () => Object.values(fakes).reduce((sum, { requests }) => sum + requests.length, posted),
    async stop() {
      await interlude.stop();
      await running.stop();
      desk.close();
    },
  };
}
