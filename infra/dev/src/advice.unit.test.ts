import { describe, expect, it } from "vitest";
import { adviceFor, type Wanted } from "./advice.ts";
import type { Platform } from "./machine.ts";

type Where = Pick<Platform, "os" | "distribution" | "arch">;

const mac: Where = { os: "darwin", distribution: "other", arch: "arm64" };
const debian: Where = { os: "linux", distribution: "debian", arch: "x64" };
const ubuntu: Where = { os: "linux", distribution: "ubuntu", arch: "arm64" };
const fedora: Where = { os: "linux", distribution: "other", arch: "x64" };
const fedoraArm: Where = { os: "linux", distribution: "other", arch: "arm64" };
const windows: Where = { os: "other", distribution: "other", arch: "x64" };

const TABLE: [Wanted, string, Where, string[]][] = [
  ["nats", "macOS", mac, ["nats-server 2.14 or newer", "brew install nats-server", "NATS_URL", "Docker"]],
  ["nats", "Debian", debian, ["apt-get", "nothing is installed", "linux-amd64", "NATS_URL", "Docker"]],
  ["nats", "Ubuntu on arm64", ubuntu, ["apt-get", "linux-arm64", "NATS_URL"]],
  ["nats", "another Linux", fedora, ["package manager", "linux-amd64", "on the PATH"]],
  ["nats", "another Linux on arm64", fedoraArm, ["package manager", "linux-arm64"]],
  ["nats", "anything else", windows, ["WSL 2", "NATS_URL"]],
  ["postgres", "macOS", mac, ["Postgres 15 or newer", "brew install postgresql", "DATABASE_URL", "Docker"]],
  ["postgres", "Debian", debian, ["sudo apt-get install postgresql", "DATABASE_URL"]],
  ["postgres", "Ubuntu on arm64", ubuntu, ["sudo apt-get install postgresql"]],
  ["postgres", "another Linux", fedora, ["package manager", "`postgres` and `initdb`"]],
  ["redis", "macOS", mac, ["Redis 7 or newer, or Valkey", "brew install valkey", "REDIS_URL", "Docker"]],
  ["redis", "Debian", debian, ["sudo apt-get install redis-server", "REDIS_URL"]],
  ["redis", "another Linux", fedora, ["package manager", "`redis-server` or `valkey-server`"]],
  ["chromium", "macOS", mac, ["brew install --cask chromium", "CHROMIUM_PATH"]],
  ["chromium", "Debian", debian, ["sudo apt-get install chromium", "CHROMIUM_PATH"]],
  ["chromium", "Ubuntu on arm64", ubuntu, ["sudo apt-get install chromium-browser"]],
  ["chromium", "another Linux", fedora, ["package manager", "CHROMIUM_PATH"]],
];

describe("what to do when a program cannot be obtained", () => {
  it.each(TABLE)("is said exactly: %s on %s", (wanted, _name, where, parts) => {
    const advice = adviceFor(wanted, where);
    for (const part of parts) expect(advice).toContain(part);
    expect(advice).toMatch(/^\S.*\.$/);
  });

  it("never speaks of Docker for a browser", () => {
    expect(adviceFor("chromium", fedora)).not.toContain("Docker");
  });
});
