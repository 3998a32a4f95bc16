import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findChromium } from "./find-chromium.ts";
import { describeMachine, type Machine } from "./machine.ts";
import { obtainNatsServer } from "./obtain-nats.ts";
import { obtainPostgresBinaries } from "./obtain-postgres.ts";
import { obtainRedisServer } from "./obtain-redis.ts";
import { silent } from "./report.ts";

let root = "";
let machine: Machine;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "interlude-obtain-"));
  mkdirSync(join(root, "bin"));
  machine = {
    ...describeMachine({ HOME: root, PATH: join(root, "bin") }),
    dockerSocket: join(root, "docker.sock"),
    // An unknown system: nothing is taken from a package archive or the npm package.
    platform: { os: "linux", arch: "unknown", distribution: "other", codename: "", isRoot: false },
  };
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function program(path: string, says: string): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `#!/bin/sh\necho '${says}'\n`, { mode: 0o755 });
}

function cached(version: string, hashOf?: string): void {
  const folder = join(machine.cacheDir, "nats-server", version);
  program(join(folder, "nats-server"), `nats-server: v${version}`);
  const content = hashOf ?? `#!/bin/sh\necho 'nats-server: v${version}'\n`;
  writeFileSync(
    join(folder, "nats-server.sha256"),
    `${createHash("sha256").update(content).digest("hex")}\n`,
  );
}

describe("a nats-server", () => {
  it("on the PATH is taken when it is new enough", async () => {
    program(join(root, "bin", "nats-server"), "nats-server: v2.14.0");
    expect(await obtainNatsServer(machine, silent)).toMatchObject({
      kind: "folder",
      folder: join(root, "bin"),
    });
  });

  it("on the PATH that is too old is passed over, and told", async () => {
    program(join(root, "bin", "nats-server"), "nats-server: v2.10.27");
    cached("2.15.1");
    const lines: string[] = [];
    const found = await obtainNatsServer(machine, (line) => lines.push(line));
    expect(found).toMatchObject({ version: [2, 15, 1], origin: "cache" });
    expect(lines[0]).toContain("2.10.27; 2.14 or newer is needed");
  });

  it("of the cache is the newest one that is whole", async () => {
    cached("2.14.3");
    cached("2.15.1");
    cached("2.16.0", "what was stored before the disk lost half of it");
    cached("2.9.10");
    expect(await obtainNatsServer(machine, silent)).toMatchObject({ version: [2, 15, 1] });
  });

  it("left half made by an interrupted download is not taken", async () => {
    program(
      join(machine.cacheDir, "nats-server", "part-abc", "parcel", "nats-server"),
      "nats-server: v2.15.1",
    );
    await expect(obtainNatsServer(machine, silent)).rejects.toMatchObject({ code: "server_unobtainable" });
  });

  it("comes from Docker only when an engine answers", async () => {
    program(join(root, "bin", "docker"), "Docker");
    await expect(obtainNatsServer(machine, silent)).rejects.toMatchObject({
      code: "server_unobtainable",
      message: expect.stringContaining("package manager") as string,
    });
    const engine = createServer().listen(machine.dockerSocket);
    await new Promise((resolve) => engine.once("listening", resolve));
    expect(await obtainNatsServer(machine, silent)).toMatchObject({
      kind: "image",
      image: "nats:2.14-alpine",
    });
    engine.close();
  });
});

describe("Postgres", () => {
  function postgres(version: string, share: string): void {
    program(join(root, "bin", "postgres"), `postgres (PostgreSQL) ${version}`);
    program(join(root, "bin", "initdb"), `VERSION=${version}\nshare_path=${share}`);
  }

  it("on the PATH is taken when initdb stands beside it and finds its files", async () => {
    postgres("16.2", join(root, "share"));
    mkdirSync(join(root, "share"));
    writeFileSync(join(root, "share", "postgres.bki"), "");
    expect(await obtainPostgresBinaries(machine, silent)).toMatchObject({
      folder: join(root, "bin"),
      version: [16, 2, 0],
    });
  });

  it("without its files is not taken: a lone executable only says its version", async () => {
    postgres("16.2", join(root, "share"));
    await expect(obtainPostgresBinaries(machine, silent)).rejects.toMatchObject({
      code: "server_unobtainable",
    });
  });

  it("of another major version than the data is not taken, and both are named", async () => {
    postgres("16.2", join(root, "bin"));
    writeFileSync(join(root, "bin", "postgres.bki"), "");
    const lines: string[] = [];
    const sought = obtainPostgresBinaries(machine, (line) => lines.push(line), { major: 15 });
    await expect(sought).rejects.toThrow(/made by Postgres 15/);
    expect(lines[0]).toContain("16.2");
  });
});

describe("a Redis", () => {
  function cachedRedis(version: string, executable: string, hashOf?: string): void {
    const folder = join(machine.cacheDir, "redis-server", version);
    const says = `Redis server v=${version} sha=00000000:0 malloc=libc bits=64`;
    program(join(folder, executable), says);
    program(join(folder, "libexec", executable), says);
    const content = hashOf ?? `#!/bin/sh\necho '${says}'\n`;
    writeFileSync(
      join(folder, "libexec", `${executable}.sha256`),
      `${createHash("sha256").update(content).digest("hex")}\n`,
    );
  }

  it("on the PATH is taken when it is new enough, be it a Valkey", async () => {
    program(join(root, "bin", "redis-server"), "Redis server v=6.2.14 sha=00000000:0 malloc=jemalloc-5.2.1");
    program(join(root, "bin", "valkey-server"), "Valkey server v=8.1.1 sha=00000000:0 malloc=jemalloc-5.3.0");
    const lines: string[] = [];
    expect(await obtainRedisServer(machine, (line) => lines.push(line))).toMatchObject({
      kind: "folder",
      folder: join(root, "bin"),
      executable: "valkey-server",
      version: [8, 1, 1],
    });
    expect(lines[0]).toContain("6.2.14; 7 or newer is needed");
  });

  it("of the cache is the newest one that is whole", async () => {
    cachedRedis("7.0.15", "redis-server");
    cachedRedis("8.1.1", "valkey-server");
    cachedRedis("8.2.0", "redis-server", "what was stored before the disk lost half of it");
    cachedRedis("6.0.16", "redis-server");
    expect(await obtainRedisServer(machine, silent)).toMatchObject({
      version: [8, 1, 1],
      executable: "valkey-server",
      origin: "cache",
    });
  });

  it("comes from Docker only when an engine answers, and else is told with what to do", async () => {
    program(join(root, "bin", "docker"), "Docker");
    await expect(obtainRedisServer(machine, silent)).rejects.toMatchObject({
      code: "server_unobtainable",
      message: expect.stringContaining("REDIS_URL") as string,
    });
    const engine = createServer().listen(machine.dockerSocket);
    await new Promise((resolve) => engine.once("listening", resolve));
    expect(await obtainRedisServer(machine, silent)).toMatchObject({
      kind: "image",
      image: "redis:7-alpine",
      executable: "redis-server",
    });
    engine.close();
  });
});

describe("a browser", () => {
  it("is the given one", async () => {
    program(join(root, "mine"), "Chromium 1");
    expect(await findChromium({ ...machine, chromiumPath: join(root, "mine") })).toBe(join(root, "mine"));
  });

  it("that was given and does not exist is not replaced by another", async () => {
    program(join(root, "bin", "chromium"), "Chromium 1");
    const given = findChromium({ ...machine, chromiumPath: join(root, "missing") });
    await expect(given).rejects.toMatchObject({ code: "configuration_invalid" });
  });

  it("on the PATH comes before the newest of Playwright's cache", async () => {
    for (const build of ["1100", "1200"]) {
      program(
        join(root, ".cache", "ms-playwright", `chromium-${build}`, "chrome-linux", "chrome"),
        "Chromium 2",
      );
    }
    expect(await findChromium(machine)).toContain("chromium-1200");
    program(join(root, "bin", "google-chrome"), "Chrome 3");
    expect(await findChromium(machine)).toBe(join(root, "bin", "google-chrome"));
  });

  it("that cannot be had is told with what to do", async () => {
    await expect(findChromium(machine)).rejects.toMatchObject({
      code: "server_unobtainable",
      message: expect.stringContaining("CHROMIUM_PATH") as string,
    });
  });
});
