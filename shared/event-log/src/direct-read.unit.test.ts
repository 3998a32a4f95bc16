import { JetStreamError, type StoredMsg } from "@nats-io/jetstream";
import { describe, expect, it } from "vitest";
import { bounded } from "./direct-read.ts";

/** A batch of which nothing comes until it is stopped. */
function silentBatch() {
  let fail: (error?: Error) => void = () => undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  return {
    stop: (error?: Error) => {
      fail(error);
    },
    async *[Symbol.asyncIterator](): AsyncGenerator<StoredMsg> {
      yield await silence;
    },
  };
}

function listening() {
  const listeners = new Set<() => void>();
  const onReconnect = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return { listeners, log: { onReconnect } };
}

async function readAll(batch: AsyncIterable<StoredMsg>): Promise<StoredMsg[]> {
  const messages: StoredMsg[] = [];
  for await (const message of batch) messages.push(message);
  return messages;
}

describe("a read of many", () => {
  it("ends with a failure when no more of it comes", async () => {
    const { log, listeners } = listening();
    await expect(readAll(bounded(log, silentBatch(), 10))).rejects.toMatchObject({
      code: "log_unavailable",
    });
    expect(listeners.size).toBe(0);
  });

  it("ends with a failure when the connection was lost, whose answers do not come later", async () => {
    const { log, listeners } = listening();
    const reading = readAll(bounded(log, silentBatch(), 60_000));
    for (const listener of listeners) listener();
    await expect(reading).rejects.toMatchObject({ code: "log_unavailable" });
  });

  it("passes on what the server says", async () => {
    const { log, listeners } = listening();
    const batch = silentBatch();
    const reading = readAll(bounded(log, batch, 60_000));
    batch.stop(new JetStreamError("too many results"));
    await expect(reading).rejects.toThrow("too many results");
    expect(listeners.size).toBe(0);
  });
});
