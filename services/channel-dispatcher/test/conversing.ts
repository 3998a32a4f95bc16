import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createTelegramChannel } from "@interlude/channel-telegram";
import { type RunEvent, TURN_LABEL, TurnContentSchema } from "@interlude/contract";
import {
  createConversationStore,
  createInboundStore,
  createRunStore,
  handleRunCommand,
  logBounds,
  type ParkAddress,
  readRunsForward,
  STREAMS,
} from "@interlude/event-log";
import { openSealedPayload } from "@interlude/secrets";
import { startTelegramFake } from "@interlude/test-fakes";
import { eventually } from "@interlude/testing";
import { placeOf } from "../src/conversations/logged-queue.ts";
import { recordUpdate } from "../src/inbound/record-update.ts";
import { openDispatchers } from "./dispatcher-under-test.ts";

const SCRIPT = new URL("worker-alone.ts", import.meta.url).pathname;

type Stored = { address: ParkAddress; event: RunEvent };

/** Something that a person said, as a driver is given it. */
export type Turn = { address: ParkAddress; thread: string; text: string };

/** People who talk to drivers over Telegram, and workers in processes of their own, to be stopped and killed. */
export async function openConversing(people: readonly number[], routes: readonly object[]) {
  const test = await openDispatchers();
  const { log, keyring } = test;
  const telegram = await startTelegramFake({
    chats: people.map((id) => ({ id, type: "private", people: [{ id, name: `Person ${id}` }] })),
  });
  const children = new Set<ChildProcess>();
  const channel = createTelegramChannel({
    ...{ botToken: telegram.token, webhookSecret: "secret", apiUrl: telegram.apiUrl },
    recipients: { default: undefined, allowed: undefined },
  });

  /** Everything that is stored of runs, in the log's order. */
  async function runs(): Promise<Stored[]> {
    const { lastSequence } = await logBounds(log, STREAMS.runs);
    const stored: Stored[] = [];
    if (lastSequence === 0) return stored;
    const { signal } = new AbortController();
    const options = { fromSequence: 1, signal, onUnreadable: () => undefined };
    for await (const each of readRunsForward(log, options)) {
      if (each.address !== undefined) stored.push({ address: each.address, event: each.entry });
      if (each.sequence >= lastSequence) break;
    }
    return stored;
  }

  return {
    test,
    telegram,
    placeOf: (person: number) => placeOf(keyring, "telegram", String(person)),

    async worker(settings: Record<string, unknown> = {}): Promise<ChildProcess> {
      const started = spawn(process.execPath, ["--import", "tsx", SCRIPT], {
        env: {
          ...process.env,
          ...{ NATS_URL: test.server.url, TOKEN: telegram.token, API_URL: telegram.apiUrl, KEYS: test.keys },
          ...{ ROUTES: JSON.stringify(routes), SETTINGS: JSON.stringify(settings) },
        },
        stdio: ["ignore", "pipe", "inherit"],
      });
      children.add(started);
      let text = "";
      started.stdout.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      await eventually(() => text.includes("ready"), { withinMs: 20_000 });
      return started;
    },

    /** Ends a worker by a signal, and waits until it has gone. */
    async end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
      const exited = once(child, "exit");
      child.kill(signal);
      await exited;
      children.delete(child);
    },

    /** What a person writes, as a door keeps it. */
    says(person: number, text: string, updateId: string): Promise<unknown> {
      const kept = {
        ...{ inbound: createInboundStore(log), conversations: createConversationStore(log), keyring },
        ...{ clock: log.clock, onIgnored: () => undefined },
      };
      return recordUpdate(kept, channel, {
        ...{ kind: "message", updateId, address: String(person), from: String(person), text },
        ...{ messageId: updateId, isDirect: true },
      });
    },

    /** Every turn, oldest first, with what was said. */
    async turns(): Promise<Turn[]> {
      return (await runs()).flatMap(({ address, event }) => {
        if (event.type !== "turn_received") return [];
        const { thread, sealed } = event.data.turn;
        const { text } = TurnContentSchema.parse(openSealedPayload(keyring, TURN_LABEL, sealed));
        return [{ address, thread, text }];
      });
    },

    /** Claims and completes as a driver's worker does; without a result of its own it says what it was told. */
    async completes({ address, text }: Turn, result: string = text): Promise<void> {
      const store = createRunStore(log);
      const nowMs = () => log.clock.nowMs();
      const claimId = randomUUID();
      const claim = { type: "Claim", claimId, leaseMs: 60_000, maxAttempts: 3, owner: "ann" } as const;
      const claimed = await handleRunCommand(store, address, (now) => ({ ...claim, nowMs: now }), nowMs);
      if (!claimed.ok) throw new Error("it was not claimed");
      const complete = (now: number) => ({ type: "Complete", claimId, result, nowMs: now }) as const;
      await handleRunCommand(store, address, complete, nowMs);
    },

    /** What the provider was given for a person, in its order. */
    said(person: number): string[] {
      return telegram.requests
        .filter(({ fields }) => String(fields["chat_id"]) === String(person))
        .map(({ fields }) => String(fields["text"]));
    },

    async close() {
      for (const child of children) child.kill("SIGKILL");
      await test.close();
      await telegram.stop();
    },
  };
}
