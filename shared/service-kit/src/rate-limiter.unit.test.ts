import { describe, expect, it } from "vitest";
import { createRateLimiter } from "./rate-limiter.ts";

function limiter(perMinute: number, maxKeys?: number) {
  let nowMs = 0;
  const created = createRateLimiter({
    perMinute,
    nowMs: () => nowMs,
    ...(maxKeys === undefined ? {} : { maxKeys }),
  });
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { pass, take: (key: string) => created.take(key) };
}

describe("a rate limiter", () => {
  it("lets as many through a minute as it is told, and then says when to come again", () => {
    const { pass, take } = limiter(3);
    expect([take("a"), take("a"), take("a")]).toEqual([undefined, undefined, undefined]);
    pass(10_500);
    expect(take("a")).toBe(50);
    pass(49_500);
    expect(take("a")).toBeUndefined();
  });

  it("counts each key for itself", () => {
    const { take } = limiter(1);
    expect([take("a"), take("b"), take("a")]).toEqual([undefined, undefined, 60]);
  });

  it("holds a bounded number of keys, and forgets the oldest first", () => {
    const { take } = limiter(1, 2);
    take("a");
    take("b");
    take("c");
    expect([take("c"), take("b"), take("a")]).toEqual([60, 60, undefined]);
  });
});
