import { MemorySaver } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { describe, expect, it } from "vitest";
import { checkpointerOf } from "./checkpointer-of.ts";

class SqliteSaver extends MemorySaver {}
class Unheard extends PostgresSaver {}
class RedisSaver extends MemorySaver {}

/** Known by its ancestry, and by nothing that it was called when it was built. */
const anonymous = (saver: object, name: string) => {
  const renamed = Object.create(Object.getPrototypeOf(saver) as object) as object;
  Object.defineProperty(renamed, "constructor", { value: { [name]: () => undefined }[name] });
  return renamed;
};
const postgres = PostgresSaver.fromConnString("postgres://nobody@127.0.0.1:9/none");

describe("the checkpointer of a graph", () => {
  it.each([
    ["none", undefined],
    ["an inherited one", true],
    ["memory", new MemorySaver()],
    ["a kind of memory", new SqliteSaver()],
    ["memory by another name", new RedisSaver()],
  ])("that is %s is refused, and the refusal says what to use", (_, checkpointer) => {
    for (const said of [undefined, { kind: "postgres" } as const]) {
      expect(() => checkpointerOf({ checkpointer }, said)).toThrow(
        /PostgresSaver .* or a RedisCheckpointSaver/,
      );
    }
  });

  it("is known by its class and those that it extends", () => {
    for (const checkpointer of [postgres, Unheard.fromConnString("postgres://nobody@127.0.0.1:9/none")]) {
      expect(checkpointerOf({ checkpointer })).toMatchObject({ checkpointer: { kind: "postgres" } });
    }
  });

  it("of a class that is not known is what its owner says", () => {
    const checkpointer = anonymous(postgres, "t");
    expect(() => checkpointerOf({ checkpointer })).toThrow(/give checkpointer: \{ kind \}/);
    expect(checkpointerOf({ checkpointer }, { kind: "postgres" })).toMatchObject({
      checkpointer: { kind: "postgres" },
    });
  });

  it("says itself for how long it keeps an idle thread, unless its owner does", () => {
    const known = (facts: object) => Object.assign(anonymous(postgres, "RedisSaver"), facts);
    const retention = (facts: object, said?: { retentionSeconds: number }) =>
      checkpointerOf({ checkpointer: known(facts) }, said).checkpointer;
    expect(retention({})).toEqual({ kind: "redis" });
    expect(retention({ retentionSeconds: 60 })).toEqual({ kind: "redis", retentionSeconds: 60 });
    expect(retention({ ttlConfig: { defaultTTL: 2 } })).toEqual({ kind: "redis", retentionSeconds: 120 });
    expect(retention({ retentionSeconds: 60 }, { retentionSeconds: 30 })).toMatchObject({
      retentionSeconds: 30,
    });
  });
});
