import { describe, expect, it } from "vitest";
import { describeMachine, parseOsRelease } from "./machine.ts";
import { chooseMirror } from "./private-apt.ts";
import { isAtLeast, readVersion } from "./version.ts";

describe("the machine", () => {
  it("keeps its cache in the caller's home, or where XDG_CACHE_HOME says", () => {
    expect(describeMachine({ HOME: "/home/ada" }).cacheDir).toBe("/home/ada/.cache/interlude");
    expect(describeMachine({ HOME: "/home/ada", XDG_CACHE_HOME: "/caches" }).cacheDir).toBe(
      "/caches/interlude",
    );
    expect(describeMachine({ HOME: "/home/ada", XDG_CACHE_HOME: "relative" }).cacheDir).toBe(
      "/home/ada/.cache/interlude",
    );
  });

  it("takes an empty variable for an absent one", () => {
    expect(describeMachine({ CHROMIUM_PATH: "" }).chromiumPath).toBeUndefined();
  });

  it("asks the Docker engine where DOCKER_HOST says, when that is a socket", () => {
    expect(describeMachine({ DOCKER_HOST: "unix:///run/user/1000/docker.sock" }).dockerSocket).toBe(
      "/run/user/1000/docker.sock",
    );
    expect(describeMachine({}).dockerSocket).toBe("/var/run/docker.sock");
  });

  it.each([
    ["ID=debian\nVERSION_CODENAME=bookworm\n", "debian", "bookworm"],
    ["ID=ubuntu\nID_LIKE=debian\nVERSION_CODENAME=noble\nUBUNTU_CODENAME=noble\n", "ubuntu", "noble"],
    [
      'ID=linuxmint\nID_LIKE="ubuntu debian"\nVERSION_CODENAME=xia\nUBUNTU_CODENAME=noble\n',
      "ubuntu",
      "noble",
    ],
    ['ID="fedora"\nVERSION_ID=42\n', "other", ""],
  ] as const)("is recognised by its release file %#", (text, distribution, codename) => {
    expect(parseOsRelease(text)).toEqual({ distribution, codename });
  });
});

describe("the archive that packages are taken from", () => {
  it("is the one the machine takes its own release from, not a third party's", () => {
    const targets = [
      "https://third.test/apt|cloud-bookworm|main",
      "http://archive.test/debian-security/|bookworm-security|main",
      "http://archive.test/debian/|bookworm|main",
    ].join("\n");
    expect(chooseMirror(targets, "bookworm")).toBe("http://archive.test/debian/");
    expect(chooseMirror("", "bookworm")).toBeUndefined();
  });
});

describe("a version", () => {
  it.each([
    ["nats-server: v2.15.1", [2, 15, 1]],
    ["2.15.1-1", [2, 15, 1]],
    ["18.4", [18, 4, 0]],
    ["none", undefined],
  ])("is read from %s", (text, version) => {
    expect(readVersion(text)).toEqual(version);
  });

  it("is compared by number", () => {
    expect(isAtLeast([2, 14, 0], [2, 14, 0])).toBe(true);
    expect(isAtLeast([2, 9, 10], [2, 14, 0])).toBe(false);
    expect(isAtLeast([3, 0, 0], [2, 14, 0])).toBe(true);
  });
});
