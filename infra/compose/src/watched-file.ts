import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { ServiceFailure } from "@interlude/kernel";

export type Watched<T> = { current(): T; stop(): void };

const LOOK_EVERY_MS = 500;

/**
 * A file that is read again when it changes. At start a bad file refuses; later a bad change is told and the
 * last good content stays, so that a slip of the editor locks nobody out.
 */
export type Read<T> = { ok: true; value: T } | { ok: false; reason: string };

export function watchedFile<T>(
  path: string,
  parse: (text: string) => Read<T>,
  onBadChange: (reason: string) => void,
): Watched<T> {
  const first = read(path, parse);
  if (!first.ok) {
    throw new ServiceFailure("configuration_invalid", {
      retry: "never",
      message: `${path}: ${first.reason}`,
    });
  }
  let value = first.value;
  // Polled by stat: an editor that replaces the file, or a mounted secret, escapes a watch on the inode.
  const onChange = () => {
    const next = read(path, parse);
    if (next.ok) value = next.value;
    else onBadChange(`${path}: ${next.reason}`);
  };
  watchFile(path, { interval: LOOK_EVERY_MS, persistent: false }, onChange);
  return {
    current: () => value,
    stop: () => {
      unwatchFile(path, onChange);
    },
  };
}

function read<T>(path: string, parse: (text: string) => Read<T>): Read<T> {
  try {
    return parse(readFileSync(path, "utf8"));
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}
