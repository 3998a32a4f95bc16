import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { join } from "node:path";

/** Every executable of that name in the order of the search path, links resolved and named once. */
export function findOnPath(searchPath: readonly string[], name: string): string[] {
  const found = searchPath.map((folder) => executable(join(folder, name)));
  return [...new Set(found.filter((path) => path !== undefined))];
}

/** The real path of an executable file, or nothing. */
export function executable(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? realpathSync(path) : undefined;
  } catch {
    return undefined;
  }
}
