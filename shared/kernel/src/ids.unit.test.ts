import { describe, expect, it } from "vitest";
import { idempotentId, partitionOf, sha256Base64Url, subjectToken, uuidV7 } from "./ids.ts";

describe("ids", () => {
  it("uuidV7 carries the time, the version and the variant", () => {
    const id = uuidV7(Date.UTC(2026, 0, 1));
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(parseInt(id.replace("-", "").slice(0, 12), 16)).toBe(Date.UTC(2026, 0, 1));
  });

  it.each([
    "a.b *>",
    "user@example.com/2026.01.01",
    "tenant:*",
    "x".repeat(300),
    "",
    "日本",
    "k_abc",
    "x_abc",
    "r_abc",
  ])("A-SUB-2: %j becomes a hashed token", (text) => {
    expect(subjectToken(text)).toMatch(/^x_[A-Za-z0-9_-]{43}$/);
  });

  it("two different texts never share a token", () => {
    expect(subjectToken("a.b")).not.toBe(subjectToken("a_b"));
    expect(subjectToken("a_b")).toBe("a_b");
    expect(sha256Base64Url("ab", "c")).not.toBe(sha256Base64Url("a", "bc"));
  });

  it("an idempotent id is a caller's id for nobody else", () => {
    expect(idempotentId("ann", "key-1")).toMatch(/^k_[A-Za-z0-9_-]{43}$/);
    expect(idempotentId("ann", "key-1")).not.toBe(idempotentId("bob", "key-1"));
  });

  it("partitions are stable and spread", () => {
    expect(partitionOf("a")).toBe(12);
    const seen = new Set(Array.from({ length: 500 }, (_, index) => partitionOf(`id-${index}`)));
    expect(seen.size).toBe(16);
  });
});
