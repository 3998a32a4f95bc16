import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeMachine, obtainNatsServer, obtainRedisServer } from "../src/index.ts";
import { openPrivateApt } from "../src/private-apt.ts";

const machine = describeMachine(process.env);
const cache = mkdtempSync(join(tmpdir(), "interlude-download-"));
let isOffered = false;
let isRedisOffered = false;

beforeAll(async () => {
  if (machine.platform.distribution !== "debian") return;
  const apt = await openPrivateApt(join(cache, "probe"), "sid", machine.platform);
  isOffered = (await apt?.candidate("nats-server")) !== undefined;
  const own = await openPrivateApt(join(cache, "probe"), machine.platform.codename, machine.platform);
  isRedisOffered = (await own?.candidate("redis-server")) !== undefined;
}, 180_000);

afterAll(() => {
  rmSync(cache, { recursive: true, force: true });
});

describe("a machine without a nats-server", () => {
  it("gets one into its cache, once, when two starts need it [needs Debian's package archive]", async (context) => {
    if (!isOffered) context.skip();
    // Nothing but the tools: no server on the PATH and none in the cache.
    const bare = {
      ...machine,
      cacheDir: join(cache, "cache"),
      searchPath: ["/usr/bin", "/bin", "/usr/sbin"],
    };
    const lines: string[] = [];
    const report = (line: string): void => void lines.push(line);
    const [one, other] = await Promise.all([obtainNatsServer(bare, report), obtainNatsServer(bare, report)]);
    expect(one.version).toEqual(other.version);
    expect(lines.filter((line) => line.startsWith("nats: downloading"))).toHaveLength(1);
    const [version = ""] = readdirSync(join(bare.cacheDir, "nats-server"));
    const kept = readdirSync(join(bare.cacheDir, "nats-server", version)).sort();
    expect(kept).toHaveLength(4);
    expect(kept).toEqual(
      expect.arrayContaining(["nats-server", "nats-server.sha256", expect.stringMatching(/\.deb$/)]),
    );
  }, 180_000);
});

describe("a machine without a Redis", () => {
  it("gets one with its libraries into its cache, once, when two starts need it [needs Debian's package archive]", async (context) => {
    if (!isRedisOffered) context.skip();
    const bare = {
      ...machine,
      cacheDir: join(cache, "redis-cache"),
      searchPath: ["/usr/bin", "/bin", "/usr/sbin"].filter((folder) => !hasRedis(folder)),
    };
    const lines: string[] = [];
    const report = (line: string): void => void lines.push(line);
    const [one, other] = await Promise.all([
      obtainRedisServer(bare, report),
      obtainRedisServer(bare, report),
    ]);
    expect(one.version).toEqual(other.version);
    expect(lines.filter((line) => line.startsWith("redis: downloading"))).toHaveLength(1);
    const names = readdirSync(join(bare.cacheDir, "redis-server"));
    expect(names).toEqual([one.version.join(".")]);
    expect(readdirSync(join(bare.cacheDir, "redis-server", names[0] ?? "")).sort()).toEqual([
      "lib",
      "libexec",
      one.executable,
    ]);
  }, 180_000);
});

function hasRedis(folder: string): boolean {
  return ["redis-server", "valkey-server"].some((name) => existsSync(join(folder, name)));
}
