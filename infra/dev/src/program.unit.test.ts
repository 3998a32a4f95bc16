import { describe, expect, it } from "vitest";
import { commandOf, type Program } from "./program.ts";
import { demote } from "./unprivileged.ts";

const image: Program = {
  kind: "image",
  docker: "/usr/bin/docker",
  image: "nats:1",
  version: [1, 0, 0],
  origin: "",
};
const inside = { name: "n", mount: "/home/x y/nats", port: 4222, user: "1000:1000" };

describe("a program's command line", () => {
  it("is the executable of its folder", () => {
    const folder: Program = { kind: "folder", folder: "/opt/pg/bin", version: [17, 0, 0], origin: "" };
    expect(commandOf(folder, "initdb", ["-D", "d"], inside)).toEqual({
      command: "/opt/pg/bin/initdb",
      args: ["-D", "d"],
    });
  });

  it("in a container sees the same paths, listens to this machine only, and is not root's", () => {
    const { command, args } = commandOf(image, "nats-server", ["-c", "f"], inside);
    expect(command).toBe("/usr/bin/docker");
    expect(args).toContain("127.0.0.1:4222:4222");
    expect(args).toContain("/home/x y/nats:/home/x y/nats");
    expect(args.join(" ")).toContain("--user 1000:1000");
    expect(args.slice(-3)).toEqual(["nats:1", "-c", "f"]);
  });

  it("is wrapped where root must not be root", () => {
    const launch = { command: "postgres", args: ["-D", "d"], cwd: "/" };
    expect(demote(launch, { kind: "nobody", uid: 65_534, gid: 65_534 })).toEqual({
      ...launch,
      uid: 65_534,
      gid: 65_534,
    });
    expect(demote(launch, { kind: "namespace", unshare: "unshare" }).args.slice(-4)).toEqual([
      "--",
      "postgres",
      "-D",
      "d",
    ]);
  });
});
