import { describe, expect, it } from "vitest";
import { createEntryBuffer } from "./entry-buffer.ts";

const OPEN = Promise.resolve();
const SHUT = new Promise<void>(() => undefined);

describe("the buffer between log and read model", () => {
  it("hands over what there is once the gate is open, oldest first", async () => {
    const buffer = createEntryBuffer<number>(10);
    await buffer.push(1);
    await buffer.push(2);
    expect(await buffer.take(OPEN)).toEqual([1, 2]);
  });

  it("waits for an entry when the gate is open and it holds none", async () => {
    const buffer = createEntryBuffer<number>(10);
    const taken = buffer.take(OPEN);
    await buffer.push(7);
    expect(await taken).toEqual([7]);
  });

  it("hands over a full batch although the gate is shut, and never more than one", async () => {
    const buffer = createEntryBuffer<number>(2);
    const pushed = [buffer.push(1), buffer.push(2), buffer.push(3)];
    expect(await buffer.take(SHUT)).toEqual([1, 2]);
    await Promise.all(pushed);
  });

  it("slows the reader down while the writer is behind", async () => {
    const buffer = createEntryBuffer<number>(1);
    await buffer.push(1);
    let isIn = false;
    const second = buffer.push(2).then(() => {
      isIn = true;
    });
    await Promise.resolve();
    expect(isIn).toBe(false);
    await buffer.take(OPEN);
    await second;
  });

  it("gives the rest and then nothing after its end", async () => {
    const buffer = createEntryBuffer<number>(10);
    await buffer.push(1);
    buffer.end();
    expect(await buffer.take(SHUT)).toEqual([1]);
    expect(await buffer.take(SHUT)).toEqual([]);
  });

  it("passes a failure of the reader, or of what the gate waits for, to the writer", async () => {
    const failed = createEntryBuffer<number>(10);
    failed.fail(new Error("log gone"));
    await expect(failed.take(OPEN)).rejects.toThrow("log gone");
    await expect(createEntryBuffer<number>(10).take(Promise.reject(new Error("write lost")))).rejects.toThrow(
      "write lost",
    );
  });
});
