import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  addressOfAsked,
  createInteractionStore,
  handleCommand,
  type IdHistory,
  type InteractionStore,
  readHistories,
} from "../src/index.ts";
import { askedAt } from "./asked-at.ts";
import { openTestLog } from "./open-test-log.ts";

let test: Awaited<ReturnType<typeof openTestLog>>;
let store: InteractionStore;
const now = () => test.log.clock.nowMs();

beforeAll(async () => {
  test = await openTestLog();
  store = createInteractionStore(test.log);
});
afterAll(() => test.close());

async function ask(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await Promise.all(
    ids.map((id) => handleCommand(store, id, { type: "Ask", asked: askedAt(id, now()) }, now)),
  );
  return ids;
}

async function readMany(ids: readonly string[], isEnough?: (history: IdHistory["history"]) => boolean) {
  const read: IdHistory[] = [];
  for await (const chunk of readHistories(test.log, store, ids, isEnough)) read.push(...chunk);
  return read;
}

describe("many histories", () => {
  it("come in the order they are asked for, each as it would be read alone", async () => {
    const ids = await ask(300);
    const content = { answer: true, answered_by: "bob", via: "door" } as const;
    for (const id of ids.slice(0, 3)) {
      await handleCommand(store, id, { type: "Answer", content, nowMs: now() }, now);
    }
    const read = await readMany([...ids, "no id at all", "unknown-id"]);
    expect(read.map(({ id }) => id)).toEqual([...ids, "no id at all", "unknown-id"]);
    for (const { id, history } of read.slice(0, 5)) expect(history).toEqual(await store.read(id));
    expect(read.every(({ history }, index) => index < 300 === history.entries.length > 0)).toBe(true);
    expect(read.at(-1)?.history).toEqual({ entries: [], position: 0 });
  });

  it("are read although they have more events than one answer of the server may hold", async () => {
    const ids = await ask(128);
    const { channel, partition } = addressOfAsked({ interaction_id: ids[0] ?? "" });
    for (let kind = 0; kind < 10; kind++) {
      await Promise.all(
        ids.map((id) =>
          test.log.jetstream.publish(`interactions.kind${kind}.${channel}.${partition}.${id}`, "{}"),
        ),
      );
    }
    const read = await readMany(ids);
    expect(read.map(({ history }) => history.entries.length)).toEqual(ids.map(() => 11));
  });

  it("one that does not suffice is read again as the leader has it", async () => {
    const [known = ""] = await ask(1);
    const asked: string[] = [];
    const watched = {
      readFresh: (id: string) => {
        asked.push(id);
        return store.readFresh(id);
      },
    };
    const isEnough = ({ entries }: IdHistory["history"]) => entries.length > 0;
    for await (const chunk of readHistories(test.log, watched, [known, "unknown-id"], isEnough)) {
      expect(chunk.map(({ history }) => history.entries.length)).toEqual([1, 0]);
    }
    expect(asked).toEqual(["unknown-id"]);
  });
});
