import { randomUUID } from "node:crypto";
import {
  DeliverPolicy,
  jetstream,
  type JetStreamClient,
  type JetStreamManager,
  jetstreamManager,
  StorageType,
} from "@nats-io/jetstream";
import { headers } from "@nats-io/nats-core";
import { connect } from "@nats-io/transport-node";

const STREAM = "BENCH";

/** A question in the raw stream: its first message is stored. */
export type RawQuestion = { filter: string; answerSubject: string; sequence: number };

/** The same log without the product: one stream of its own, our message sizes, headers and expectations. */
export type RawLog = {
  /** Publishes what an ask stores, expecting nothing before it. */
  ask(): Promise<RawQuestion>;
  /** Publishes what an answer stores, expecting the ask before it. */
  answer(question: RawQuestion): Promise<void>;
  /** As `answer`; resolves when an ordered consumer has delivered it. */
  answerDelivered(question: RawQuestion): Promise<void>;
  /** As `ask`; resolves when an ordered consumer has delivered it. */
  askDelivered(): Promise<void>;
  /** Reads the product's stream from its beginning as fast as it comes; events a second. */
  consume(stream: string, upTo: number): Promise<number>;
  close(): Promise<void>;
};

type Sample = { payload: Uint8Array; attributes: readonly (readonly [string, string])[] };

/** @param natsUrl a server whose product has stored at least one question and one answer */
export async function openRawLog(natsUrl: string): Promise<RawLog> {
  const connection = await connect({ servers: natsUrl, name: "bench-reference" });
  const manager = await jetstreamManager(connection);
  await manager.streams.add({
    name: STREAM,
    subjects: ["bench.>"],
    storage: StorageType.File,
    allow_direct: true,
    deny_delete: true,
  });
  const client = jetstream(connection);
  const asked = await storedSample(manager, "asked");
  const answered = await storedSample(manager, "answered");
  const delivery = await openDelivery(client);

  async function publish(subject: string, filter: string, position: number, sample: Sample): Promise<number> {
    const fresh = headers();
    for (const [name, value] of sample.attributes) fresh.set(name, value);
    const expect = { lastSubjectSequence: position, lastSubjectSequenceSubject: filter };
    return (await client.publish(subject, sample.payload, { headers: fresh, expect })).seq;
  }

  function address() {
    const id = randomUUID();
    const subject = (event: string) => `bench.${event}.inbox.3.${id}`;
    return { filter: `bench.*.*.*.${id}`, askSubject: subject("asked"), answerSubject: subject("answered") };
  }

  async function ask(): Promise<RawQuestion> {
    const { filter, askSubject, answerSubject } = address();
    return { filter, answerSubject, sequence: await publish(askSubject, filter, 0, asked) };
  }

  async function answer({ answerSubject, filter, sequence }: RawQuestion): Promise<void> {
    await publish(answerSubject, filter, sequence, answered);
  }

  return {
    ask,
    answer,
    async answerDelivered(question) {
      const delivered = delivery.of(question.answerSubject);
      await answer(question);
      await delivered;
    },
    async askDelivered() {
      const { filter, askSubject } = address();
      const delivered = delivery.of(askSubject);
      await publish(askSubject, filter, 0, asked);
      await delivered;
    },
    consume: (stream, upTo) => consume(client, stream, upTo),
    async close() {
      delivery.close();
      await connection.close();
    },
  };
}

/** What the product stores for such an event, without what the server added. */
async function storedSample(manager: JetStreamManager, event: string): Promise<Sample> {
  const subject = `interactions.${event}.>`;
  const message = await manager.streams.getMessage("INTERACTIONS", { last_by_subj: subject });
  if (message === null) throw new Error(`nothing is stored on ${subject}`);
  const attributes = [...message.header]
    .filter(([name]) => !name.startsWith("Nats-"))
    .map(([name, [value = ""]]) => [name, value] as const);
  return { payload: message.data, attributes };
}

async function openDelivery(client: JetStreamClient) {
  const waiting = new Map<string, () => void>();
  const consumer = await client.consumers.get(STREAM, { deliver_policy: DeliverPolicy.New });
  const messages = await consumer.consume({ max_messages: 1_000 });
  const deliver = async () => {
    for await (const { subject } of messages) {
      waiting.get(subject)?.();
      waiting.delete(subject);
    }
  };
  void deliver();
  return {
    of: (subject: string) => new Promise<void>((resolve) => waiting.set(subject, resolve)),
    close: () => {
      messages.stop();
    },
  };
}

async function consume(client: JetStreamClient, stream: string, upTo: number): Promise<number> {
  const consumer = await client.consumers.get(stream, { deliver_policy: DeliverPolicy.All });
  const startedAt = performance.now();
  const messages = await consumer.consume({ max_messages: 2_000 });
  let events = 0;
  for await (const message of messages) {
    events += 1;
    if (message.seq >= upTo) break;
  }
  return (events * 1_000) / (performance.now() - startedAt);
}
