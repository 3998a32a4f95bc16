import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRoomWatch } from "./room-watch.ts";

const MAX = 1_000_000;

describe("the room for questions", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  function watching(bytes: number) {
    const log = { bytes, maxBytes: MAX };
    const told: number[] = [];
    const room = createRoomWatch(
      () => Promise.resolve({ ...log }),
      (fullness) => told.push(fullness),
    );
    return { log, told, room };
  }

  it("ends at 95 %, told", async () => {
    const { told, room } = watching(950_000);
    await room.start();
    expect(room.hasRoomFor(1)).toBe(false);
    expect(told).toEqual([0.95]);
    room.stop();
  });

  it("counts what was asked since the log was looked at", async () => {
    const { room } = watching(900_000);
    await room.start();
    expect(room.hasRoomFor(49_000)).toBe(true);
    expect(room.hasRoomFor(1)).toBe(false);
    room.stop();
  });

  it("is what the log says as soon as it is looked at again, often when there is little", async () => {
    const { log, room } = watching(900_000);
    await room.start();
    expect(room.hasRoomFor(60_000)).toBe(true);
    expect(room.hasRoomFor(1)).toBe(false);
    log.bytes = 200_000;
    await vi.advanceTimersByTimeAsync(200);
    expect(room.hasRoomFor(1)).toBe(true);
    log.bytes = 990_000;
    await vi.advanceTimersByTimeAsync(4_900);
    expect(room.hasRoomFor(1)).toBe(true);
    await vi.advanceTimersByTimeAsync(200);
    expect(room.hasRoomFor(1)).toBe(false);
    room.stop();
  });
});
