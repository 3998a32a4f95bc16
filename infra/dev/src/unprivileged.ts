import { findOnPath } from "./find-on-path.ts";
import type { Launch } from "./program.ts";
import { runProgram } from "./run-program.ts";

/** `nobody`: Postgres refuses to run as root, and a numeric user without a passwd entry. */
const NOBODY = 65_534;

/** How a program is run without root's rights. */
export type Demotion =
  | { kind: "as-is" }
  | { kind: "nobody"; uid: number; gid: number }
  /** The files stay root's; inside its namespace the program believes to be nobody. */
  | { kind: "namespace"; unshare: string };

export const asIs: Demotion = { kind: "as-is" };

export function demote(launch: Launch, demotion: Demotion): Launch {
  switch (demotion.kind) {
    case "as-is":
      return launch;
    case "nobody":
      return { ...launch, uid: demotion.uid, gid: demotion.gid };
    case "namespace": {
      const mapping = ["-U", `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, "--"];
      return { ...launch, command: demotion.unshare, args: [...mapping, launch.command, ...launch.args] };
    }
  }
}

/** The user that owns what a demoted program writes. */
export function ownerOf(demotion: Demotion): { uid: number; gid: number } | undefined {
  if (demotion.kind === "as-is") return undefined;
  return demotion.kind === "nobody" ? { uid: demotion.uid, gid: demotion.gid } : { uid: 0, gid: 0 };
}

/** Every way that may work on this machine, the plainest first. */
export function waysToDemote(isRoot: boolean, searchPath: readonly string[]): Demotion[] {
  if (!isRoot) return [asIs];
  const [unshare] = findOnPath(searchPath, "unshare");
  const namespace: Demotion[] = unshare === undefined ? [] : [{ kind: "namespace", unshare }];
  return [{ kind: "nobody", uid: NOBODY, gid: NOBODY }, ...namespace];
}

/** Whether a program run that way can run `executable` and enter `folder`. */
export async function canUse(demotion: Demotion, executable: string, folder: string): Promise<boolean> {
  const probe = 'test -x "$1" && test -x "$2" && "$1" --version';
  const launch = demote(
    { command: "/bin/sh", args: ["-c", probe, "sh", executable, folder], cwd: "/" },
    demotion,
  );
  return (await runLaunch(launch, 10_000)).exitCode === 0;
}

export function runLaunch(launch: Launch, timeoutMs: number, input?: string): ReturnType<typeof runProgram> {
  const { command, args, ...rest } = launch;
  return runProgram(command, args, { ...rest, timeoutMs, ...(input === undefined ? {} : { input }) });
}
