import { createTelegramChannel } from "@interlude/channel-telegram";
import { openBucket, openLog } from "@interlude/event-log";
import { generateKeyring, parseKeyring } from "@interlude/secrets";
import { createAnswerKeys, createLogger, createMetrics, Settings } from "@interlude/service-kit";
import { createChannelDispatcher, parseRoutes } from "../src/index.ts";

/** A worker in a process of its own, to be killed. Says "ready" once it works. */
const variable = (name: string): string => process.env[name] ?? "";
const log = await openLog({ url: variable("NATS_URL"), service: "channel-dispatcher" });
const keyring = parseKeyring(process.env["KEYS"] ?? generateKeyring(), "test");
const routes = parseRoutes(JSON.parse(process.env["ROUTES"] ?? "[]"));
if (!routes.ok) throw new Error(routes.faults.join());
const channel = createTelegramChannel({
  botToken: variable("TOKEN"),
  webhookSecret: "secret",
  apiUrl: variable("API_URL"),
  recipients: { default: undefined, allowed: undefined },
});
const service = createChannelDispatcher({
  log,
  channels: new Map([[channel.name, channel]]),
  misconfigured: new Map(),
  routes: routes.routes,
  conversationKeys: keyring,
  links: { baseUrl: "http://127.0.0.1:8787", keyring },
  answerKeys: createAnswerKeys(await openBucket(log, "answerKeys"), keyring),
  settings: Settings.parse(JSON.parse(process.env["SETTINGS"] ?? "{}")),
  logger: createLogger({ service: "channel-dispatcher", level: "warn" }),
  metrics: createMetrics(),
});
await service.start();
process.stdout.write("ready\n");
process.on("SIGTERM", () => {
  const beganMs = performance.now();
  void service
    .stop()
    .then(() => log.close())
    .then(() => {
      process.stdout.write(`stopped in ${Math.round(performance.now() - beganMs)}\n`);
      process.exit(0);
    });
});
