import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createLanes } from "./lanes.ts";

describe("lanes", () => {
  it("keep the order of a conversation, whatever one of its works takes", async () => {
    const lanes = createLanes();
    const done: string[] = [];
    let finish: (() => void) | undefined;
    const held = new Promise<undefined>((resolve) => {
      finish = () => {
        resolve(undefined);
      };
    });
    void lanes.run("a", async () => {
      await held;
      done.push("a1");
    });
    const second = lanes.run("a", () => {
      done.push("a2");
      return Promise.resolve();
    });
    await lanes.run("b", () => {
      done.push("b1");
      return Promise.resolve();
    });
    expect(done).toEqual(["b1"]);
    finish?.();
    await second;
    expect(done).toEqual(["b1", "a1", "a2"]);
  });

  it("go on after a work that failed, and tell its failure to whoever gave it", async () => {
    const lanes = createLanes();
    const failing = lanes.run("a", () => Promise.reject(new Error("no")));
    const next = lanes.run("a", () => Promise.resolve("yes"));
    await expect(failing).rejects.toThrow("no");
    await expect(next).resolves.toBe("yes");
  });

  it("forget a conversation with nothing left to do", async () => {
    const lanes = createLanes();
    await lanes.run("a", () => Promise.resolve());
    await lanes.idle();
    expect(lanes.size).toBe(0);
  });

  it("are idle once work that came meanwhile has ended too", async () => {
    const lanes = createLanes();
    const done: number[] = [];
    void lanes.run("a", async () => {
      await setImmediate();
      void lanes.run("b", async () => {
        await setImmediate();
        done.push(2);
      });
      done.push(1);
    });
    await lanes.idle();
    expect(done).toEqual([1, 2]);
  });
});
