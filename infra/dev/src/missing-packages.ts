import type { PrivateApt } from "./private-apt.ts";
import { runProgram } from "./run-program.ts";

/** A chain of dependencies of programs and libraries is short; a longer one is no such chain. */
const MOST_ROUNDS = 6;

/**
 * The packages that must be unpacked beside `first` so that its programs find their libraries: what it
 * depends on, but for what this machine has. Only what `isCarrier` names can carry programs or
 * libraries that it runs with; the rest (users, scripts, documentation) is for an installation.
 */
export async function missingPackages(
  apt: PrivateApt,
  first: string,
  isCarrier: (packageName: string) => boolean,
): Promise<string[]> {
  const missing = new Set<string>();
  let round = [first];
  for (let rounds = 0; rounds < MOST_ROUNDS && round.length > 0; rounds++) {
    const needs = await apt.dependencies(round);
    const installed = await installedAmong([...new Set(needs.flat())]);
    const taken = needs.flatMap((alternatives) => {
      const isThere = alternatives.some((name) => installed.has(name) || missing.has(name));
      const carrier = isThere ? undefined : alternatives.find(isCarrier);
      return carrier === undefined ? [] : [carrier];
    });
    round = [...new Set(taken)];
    for (const name of round) missing.add(name);
  }
  return [...missing];
}

async function installedAmong(names: readonly string[]): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  // It ends with an error when it does not know one of them, and shows the others all the same.
  const shown = await runProgram("dpkg-query", ["-W", "-f", "${Package} ${db:Status-Abbrev}\n", ...names]);
  return new Set(
    shown.stdout
      .split("\n")
      .map((line) => line.split(" "))
      .filter(([, status]) => status === "ii")
      .map(([name = ""]) => name),
  );
}
