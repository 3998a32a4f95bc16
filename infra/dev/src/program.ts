import type { Version } from "./version.ts";

/** A server's executables: a folder of this machine, or an image of a Docker engine that answers. */
export type Program =
  | { kind: "folder"; folder: string; version: Version; origin: string }
  | { kind: "image"; docker: string; image: string; version: Version; origin: string };

/** What may run a program: a lone process, seen by this machine. */
export type Launch = {
  command: string;
  args: string[];
  cwd: string;
  uid?: number;
  gid?: number;
};

export type InsideContainer = { name: string; mount: string; port?: number; user: string };

/** The command line of one executable of the program; `inside` says what a container needs. */
export function commandOf(
  program: Program,
  executable: string,
  args: readonly string[],
  inside: InsideContainer,
): {
  command: string;
  args: string[];
} {
  if (program.kind === "folder") return { command: `${program.folder}/${executable}`, args: [...args] };
  const publish = inside.port === undefined ? [] : ["-p", `127.0.0.1:${inside.port}:${inside.port}`];
  return {
    command: program.docker,
    args: [
      "run",
      "--rm",
      "--init",
      "--name",
      inside.name,
      "--user",
      inside.user,
      ...publish,
      // The same path on both sides, so that configuration and arguments mean the same files.
      "-v",
      `${inside.mount}:${inside.mount}`,
      "--entrypoint",
      executable,
      program.image,
      ...args,
    ],
  };
}
