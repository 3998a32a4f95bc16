export type Version = readonly [major: number, minor: number, patch: number];

/** The first dotted number of a program's `--version` line; a missing part counts as 0. */
export function readVersion(text: string): Version | undefined {
  const found = /(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(text);
  if (found === null) return undefined;
  return [Number(found[1]), Number(found[2] ?? 0), Number(found[3] ?? 0)];
}

export function isAtLeast(version: Version, wanted: Version): boolean {
  return compareVersions(version, wanted) >= 0;
}

export function compareVersions(left: Version, right: Version): number {
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
}
