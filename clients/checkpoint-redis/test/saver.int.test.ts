import { INTERRUPT, JsonPlusSerializer, uuid6 } from "@langchain/langgraph-checkpoint";
import { createClient } from "redis";
import { describe, expect, it } from "vitest";
import { RedisCheckpointSaver } from "../src/index.ts";
import {
  checkpointOf,
  collect,
  hasRedis,
  idsOf,
  keysOf,
  loopMetadata,
  ofThread,
  putAll,
  saverUnderTest,
} from "./saver-under-test.ts";

const ODD_IDS = [
  "a:b:c",
  "a/b",
  "a%2Fb",
  "{a}b",
  "Grüße 👋 今日は",
  " leading and trailing ",
  "line\nend\0zero",
  "*?[a]\\",
  "__proto__",
  "e\u0301",
  "é",
];

describe.skipIf(!hasRedis)("a checkpoint saver on Redis [needs a Redis server]", () => {
  const test = saverUnderTest();

  describe("a thread", () => {
    it("may have any text as its id, and shares nothing with a similar one", async () => {
      const saver = test.open();
      for (const id of ODD_IDS) await putAll(saver, id, checkpointOf({ whose: id }));
      for (const id of ODD_IDS) {
        const tuple = await saver.getTuple(ofThread(id));
        expect(tuple?.checkpoint.channel_values).toEqual({ whose: id });
        expect(tuple?.config.configurable).toMatchObject({ thread_id: id });
      }
      expect(await collect(saver.list({}))).toHaveLength(ODD_IDS.length);
      await saver.deleteThread("a/b");
      expect(await collect(saver.list({}))).toHaveLength(ODD_IDS.length - 1);
    });

    it("has namespaces of any name, each with its own checkpoints", async () => {
      const saver = test.open();
      for (const namespace of ["", ...ODD_IDS]) {
        await putAll(saver, "t", checkpointOf({ where: namespace }), { namespace });
      }
      for (const namespace of ["", ...ODD_IDS]) {
        const tuples = await collect(saver.list(ofThread("t", namespace)));
        expect(tuples.map(({ checkpoint }) => checkpoint.channel_values)).toEqual([{ where: namespace }]);
      }
    });

    it("is refused when its id is half a character, no text, or missing", async () => {
      const saver = test.open();
      const checkpoint = checkpointOf();
      for (const thread_id of ["\ud83d", 7, {}, undefined, null, ""]) {
        const put = saver.put({ configurable: { thread_id } }, checkpoint, loopMetadata, {});
        await expect(put).rejects.toMatchObject({ code: "config_invalid" });
      }
      expect(await keysOf(test.client, test.prefix)).toEqual([]);
    });

    it("is gone with all its keys when it is deleted", async () => {
      const saver = test.open();
      const config = await putAll(saver, "t", checkpointOf({ a: 1 }), { namespace: "child" });
      await saver.putWrites(config, [["a", 2]], "task");
      expect(await keysOf(test.client, test.prefix)).toHaveLength(6);
      await saver.deleteThread("t");
      await saver.deleteThread("t");
      expect(await keysOf(test.client, test.prefix)).toEqual([]);
      expect(await saver.getTuple(config)).toBeUndefined();
    });

    it("never gets an expiry of its own", async () => {
      const saver = test.open({ retentionSeconds: 1 });
      const config = await putAll(saver, "t", checkpointOf({ a: 1 }));
      await saver.putWrites(config, [["a", 2]], "task");
      for (const key of await keysOf(test.client, test.prefix)) expect(await test.client.ttl(key)).toBe(-1);
    });

    it("is not seen under another prefix", async () => {
      await putAll(test.open(), "t", checkpointOf());
      const other = test.open({ keyPrefix: `${test.prefix}-other` });
      expect(await other.getTuple(ofThread("t"))).toBeUndefined();
      expect(await collect(other.list({}))).toEqual([]);
    });
  });

  describe("a checkpoint", () => {
    it("keeps values that JSON cannot hold, and bytes as bytes", async () => {
      const saver = test.open();
      const bytes = new Uint8Array([0, 10, 255, 123]);
      const values = { bytes, set: new Set([1]), map: new Map([["k", "v"]]), nothing: null, text: "ü\n\0" };
      await putAll(saver, "t", checkpointOf(values));
      expect((await saver.getTuple(ofThread("t")))?.checkpoint.channel_values).toEqual(values);
    });

    it("has channels of any name", async () => {
      const saver = test.open();
      const values = Object.fromEntries([...ODD_IDS, "constructor"].map((name, value) => [name, value]));
      const config = await putAll(saver, "t", checkpointOf(values));
      await saver.putWrites(config, [["constructor", 1]], "task:1/2");
      const tuple = await saver.getTuple(config);
      expect(tuple?.checkpoint.channel_values).toEqual(values);
      expect(tuple?.pendingWrites).toEqual([["task:1/2", "constructor", 1]]);
    });

    it("is written through the given serializer, metadata and writes included", async () => {
      const serde = new Reversed();
      const saver = test.open({ serde });
      const config = await putAll(saver, "t", checkpointOf({ secret: "plain" }));
      await saver.putWrites(config, [["secret", "plain too"]], "task");
      expect(await saver.getTuple(config)).toMatchObject({
        checkpoint: { channel_values: { secret: "plain" } },
        metadata: loopMetadata,
        pendingWrites: [["task", "secret", "plain too"]],
      });
      for (const kind of ["records", "values", "writes"]) {
        const stored = await test.client.hVals(`${test.prefix}:thread:t:${kind}`);
        expect(stored.join()).not.toMatch(/plain|loop/);
      }
    });

    it("that is put again, as after a lost reply, is there once and keeps its writes", async () => {
      const saver = test.open();
      const checkpoint = checkpointOf({ a: 1 });
      const config = await putAll(saver, "t", checkpoint);
      await saver.putWrites(config, [["a", 2]], "task");
      await putAll(saver, "t", checkpoint);
      const tuples = await collect(saver.list(ofThread("t")));
      expect(tuples).toHaveLength(1);
      expect(tuples[0]?.pendingWrites).toEqual([["task", "a", 2]]);
    });
  });

  describe("pending writes", () => {
    it("stay what they were when a task runs again, and interrupts and errors are replaced", async () => {
      const saver = test.open();
      const config = await putAll(saver, "t", checkpointOf());
      await saver.putWrites(config, [["a", "first"]], "task");
      await saver.putWrites(config, [[INTERRUPT, "first"]], "task");
      await saver.putWrites(config, [["a", "second"]], "task");
      await saver.putWrites(config, [[INTERRUPT, "second"]], "task");
      expect((await saver.getTuple(config))?.pendingWrites).toEqual([
        ["task", INTERRUPT, "second"],
        ["task", "a", "first"],
      ]);
    });

    it("come in the order in which a run applies them: by path, then task, then position", async () => {
      const saver = test.open();
      const config = await putAll(saver, "t", checkpointOf());
      const many = Array.from({ length: 12 }, (_, position): [string, number] => ["a", position]);
      await saver.putWrites(config, many, "z", "1");
      await saver.putWrites(config, [["a", "path 2"]], "a", "2");
      await saver.putWrites(config, [["a", "no path"]], "y");
      const values = (await saver.getTuple(config))?.pendingWrites?.map(([, , value]: unknown[]) => value);
      expect(values).toEqual(["no path", ...many.map(([, position]) => position), "path 2"]);
    });

    it("may come before their checkpoint", async () => {
      const saver = test.open();
      const checkpoint = checkpointOf();
      const configurable = { thread_id: "t", checkpoint_ns: "", checkpoint_id: checkpoint.id };
      await saver.putWrites({ configurable }, [["a", 1]], "task");
      expect(await saver.getTuple({ configurable })).toBeUndefined();
      await putAll(saver, "t", checkpoint);
      expect((await saver.getTuple(ofThread("t")))?.pendingWrites).toEqual([["task", "a", 1]]);
    });

    it("belong to one checkpoint only, however alike two ids are", async () => {
      const saver = test.open();
      const [short, long] = [
        await putAll(saver, "t", checkpointOf({}, "1")),
        await putAll(saver, "t", checkpointOf({}, "1/2")),
      ];
      await saver.putWrites(long, [["a", "of the long one"]], "task");
      expect((await saver.getTuple(short))?.pendingWrites).toEqual([]);
      expect((await saver.getTuple(long))?.pendingWrites).toHaveLength(1);
    });
  });

  describe("a list", () => {
    it("has the newest first, over more than one page, within a namespace and over all", async () => {
      const saver = test.open();
      const ids: string[] = [];
      for (let step = 0; step < 230; step++) {
        const checkpoint = checkpointOf({}, uuid6(0));
        ids.unshift(checkpoint.id);
        await putAll(saver, "t", checkpoint, { namespace: step % 2 === 0 ? "" : "child" });
      }
      expect(idsOf(await collect(saver.list({ configurable: { thread_id: "t" } })))).toEqual(ids);
      const evens = ids.filter((_, position) => position % 2 === 1);
      expect(idsOf(await collect(saver.list(ofThread("t"))))).toEqual(evens);
      const before = { configurable: { checkpoint_id: evens[49] } };
      expect(idsOf(await collect(saver.list(ofThread("t"), { before, limit: 60 })))).toEqual(
        evens.slice(50, 110),
      );
    });

    it("over all threads begins with the one that was written to last", async () => {
      const saver = test.open();
      await putAll(saver, "old", checkpointOf());
      await putAll(saver, "new", checkpointOf());
      await test.client.zAdd(`${test.prefix}:threads`, { score: 1, value: "old" });
      const threads = (await collect(saver.list({}))).map(
        ({ config }) => config.configurable?.["thread_id"] as string,
      );
      expect(threads).toEqual(["new", "old"]);
    });

    it("filters by whole members of the metadata, and limits what is left", async () => {
      const saver = test.open();
      const tagged = async (tags: unknown, step: number) =>
        saver.put(ofThread("t"), checkpointOf(), { ...loopMetadata, step, tags } as typeof loopMetadata, {});
      await tagged(["a", { b: 1 }], 1);
      await tagged(["a", { b: 2 }], 2);
      await tagged(["a", { b: 1 }], 3);
      const steps = async (filter: Record<string, unknown>, limit?: number) => {
        const options = limit === undefined ? { filter } : { filter, limit };
        return (await collect(saver.list(ofThread("t"), options))).map(({ metadata }) => metadata?.step);
      };
      expect(await steps({ tags: ["a", { b: 1 }] })).toEqual([3, 1]);
      expect(await steps({ tags: ["a", { b: 1 }] }, 1)).toEqual([3]);
      expect(await steps({ tags: ["a", { b: 1 }], step: 1 })).toEqual([1]);
      expect(await steps({ toString: undefined, nobody: null })).toEqual([]);
    });

    it("leaves out what is deleted while it is read", async () => {
      const saver = test.open();
      for (let step = 0; step < 40; step++) await putAll(saver, "t", checkpointOf());
      const seen: string[] = [];
      for await (const { checkpoint } of saver.list(ofThread("t"))) {
        if (seen.length === 0) await saver.deleteThread("t");
        seen.push(checkpoint.id);
      }
      expect(seen.length).toBeLessThan(40);
    });

    it("of nothing is empty, and a limit of 0 gives nothing", async () => {
      const saver = test.open();
      expect(await collect(saver.list({}))).toEqual([]);
      await putAll(saver, "t", checkpointOf());
      expect(await collect(saver.list(ofThread("t"), { limit: 0 }))).toEqual([]);
    });
  });

  describe("a connection", () => {
    it("by URL is made for a server that is found fit, and ends with the saver", async () => {
      const saver = await RedisCheckpointSaver.fromUrl(test.url, { keyPrefix: test.prefix });
      await putAll(saver, "t", checkpointOf());
      await saver.end();
      await saver.end();
      await expect(saver.getTuple(ofThread("t"))).rejects.toThrow(/closed/);
    });

    it("that cannot be made is told at once", async () => {
      await expect(RedisCheckpointSaver.fromUrl("redis://127.0.0.1:1")).rejects.toThrow(/ECONNREFUSED/);
    });

    it("that was given stays open", async () => {
      await test.open().end();
      expect(test.client.isOpen).toBe(true);
    });

    it("may be a client of either protocol version", async () => {
      const client = createClient({ url: test.url, RESP: 2 });
      await client.connect();
      const saver = new RedisCheckpointSaver(client, { keyPrefix: test.prefix });
      await saver.setup();
      const config = await putAll(saver, "t", checkpointOf({ a: [1] }));
      await saver.putWrites(config, [["a", 2]], "task");
      expect(await collect(saver.list({}))).toEqual(await collect(test.open().list({})));
      await client.close();
    });

    it("to a server that has lost its scripts, as after a restart, gives them again", async () => {
      const saver = test.open();
      await putAll(saver, "t", checkpointOf());
      await test.client.scriptFlush();
      expect(await saver.getTuple(ofThread("t"))).toBeDefined();
    });
  });
});

/** Stands for an encrypting serializer: nothing of the text is left as it was. */
class Reversed extends JsonPlusSerializer {
  override async dumpsTyped(value: unknown): Promise<[string, Uint8Array]> {
    const [type, bytes] = await super.dumpsTyped(value);
    return [`reversed-${type}`, bytes.map((byte) => 255 - byte)];
  }

  override loadsTyped(type: string, stored: Uint8Array | string): Promise<unknown> {
    const bytes = typeof stored === "string" ? new TextEncoder().encode(stored) : stored;
    return super.loadsTyped(
      type.replace("reversed-", ""),
      bytes.map((byte) => 255 - byte),
    );
  }
}
