import {
  emptyCheckpoint,
  MemorySaver,
  type BaseCheckpointSaver,
  type CheckpointTuple,
} from "@langchain/langgraph-checkpoint";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collect, hasRedis, ofThread, saverUnderTest } from "./saver-under-test.ts";

const THREADS = ["t", "t:2"];
const NAMESPACES = ["", "inner|1"];
const place = fc.record({ thread: fc.constantFrom(...THREADS), namespace: fc.constantFrom(...NAMESPACES) });
/** Few, so that a checkpoint is put again, written to before it is there, and comes back after it was deleted. */
const id = fc.constantFrom("1", "2", "3");
const parent = fc.option(id, { nil: undefined });
const values = fc.dictionary(fc.constantFrom("a", "b", "__error__", "__interrupt__"), fc.integer(), {
  minKeys: 1,
});
const metadata = fc.record({
  source: fc.constant("loop" as const),
  step: fc.nat(),
  parents: fc.constant({}),
});

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("put" as const), place, id, parent, values, metadata }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("write" as const),
      place,
      id,
      task: fc.constantFrom("t1", "t2"),
      path: fc.constantFrom("", "p1", "p2"),
      values,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), place }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe.skipIf(!hasRedis)("whatever is stored and deleted [needs a Redis server]", () => {
  const test = saverUnderTest();
  let runs = 0;

  it("reads the same as with the saver in memory", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: "max" }), async (steps) => {
        const savers = [new MemorySaver(), test.open({ keyPrefix: `${test.prefix}:${runs++}` })];
        for (const each of steps) await doStep(savers, each);
        const [inMemory, onRedis] = await Promise.all(savers.map(readAll));
        expect(onRedis).toEqual(inMemory);
      }),
      { numRuns: 60 },
    );
  }, 30_000);
});

async function doStep(savers: readonly BaseCheckpointSaver[], each: Step): Promise<void> {
  const { thread, namespace } = each.place;
  if (each.do === "delete") {
    for (const saver of savers) await saver.deleteThread(thread);
    return;
  }
  const at = (checkpoint_id: string | undefined) => ({
    configurable: { ...ofThread(thread, namespace).configurable, ...(checkpoint_id && { checkpoint_id }) },
  });
  if (each.do === "write") {
    const writes = Object.entries(each.values);
    for (const saver of savers) await saver.putWrites(at(each.id), writes, each.task, each.path);
    return;
  }
  // Every version is new: the saver in memory keeps all the values of a checkpoint with it.
  const versions = Object.fromEntries(Object.keys(each.values).map((name) => [name, Math.random()]));
  const checkpoint = {
    ...emptyCheckpoint(),
    id: each.id,
    channel_values: each.values,
    channel_versions: versions,
  };
  for (const saver of savers) await saver.put(at(each.parent), checkpoint, each.metadata, versions);
}

async function readAll(saver: BaseCheckpointSaver): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (const thread of THREADS) {
    for (const namespace of NAMESPACES) {
      const config = ofThread(thread, namespace);
      const all = await collect(saver.list(config));
      const [first, middle] = [all[0], all[Math.floor(all.length / 2)]];
      seen.push(
        all.map(plain),
        plain(await saver.getTuple(config)),
        plain(first && (await saver.getTuple(first.config))),
      );
      if (middle !== undefined) {
        seen.push((await collect(saver.list(config, { before: middle.config, limit: 2 }))).map(plain));
      }
    }
  }
  return seen;
}

/** A member that is undefined is one that is not there. */
function plain(tuple: CheckpointTuple | undefined): unknown {
  return tuple === undefined ? undefined : { ...tuple, parentConfig: tuple.parentConfig ?? null };
}
