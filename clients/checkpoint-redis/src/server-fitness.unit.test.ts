import { describe, expect, it } from "vitest";
import { complaintAbout, readFacts } from "./server-fitness.ts";

const FIT =
  "# Server\r\nredis_version:7.0.15\r\n# Memory\r\nmaxmemory_policy:noeviction\r\n# Cluster\r\ncluster_enabled:0\r\n";

function complaint(...changes: [from: string, to: string][]): string | undefined {
  return complaintAbout(readFacts(changes.reduce((info, [from, to]) => info.replace(from, to), FIT)));
}

describe("a server", () => {
  it("is fit from Redis 7 on, be it a Valkey", () => {
    expect(complaint()).toBeUndefined();
    expect(complaint(["7.0.15", "7.2.4\r\nvalkey_version:9.1.2"])).toBeUndefined();
    expect(complaint(["7.0.15", "10.0.0"])).toBeUndefined();
  });

  it("is not when it is too old, or says nothing of itself", () => {
    expect(complaint(["7.0.15", "6.2.14"])).toContain("6.2.14");
    expect(complaintAbout(readFacts(""))).toContain("of no version");
  });

  it("is not when it is a cluster", () => {
    expect(complaint(["cluster_enabled:0", "cluster_enabled:1"])).toContain("Cluster");
  });

  it.each(["allkeys-lru", "allkeys-lfu", "allkeys-random"])(
    "is not when it evicts any key (%s)",
    (policy) => {
      expect(complaint(["noeviction", policy])).toContain(policy);
    },
  );

  it.each(["volatile-lru", "volatile-ttl"])("is when it evicts only what expires (%s)", (policy) => {
    expect(complaint(["noeviction", policy])).toBeUndefined();
  });
});
