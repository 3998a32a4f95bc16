import { closeSync, existsSync, openSync, readSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";

const ROTATE_ABOVE_BYTES = 16 * 1024 * 1024;
const TAIL_BYTES = 16 * 1024;

/** A server's output goes to a file, so that the server outlives whoever started it. */
export type ServerLog = {
  path: string;
  openForChild(): number;
  close(fd: number): void;
  sinceOpened(): string;
};

export function serverLog(folder: string): ServerLog {
  const path = join(folder, "server.log");
  let start = 0;
  return {
    path,
    openForChild() {
      if (existsSync(path) && statSync(path).size > ROTATE_ABOVE_BYTES) renameSync(path, `${path}.old`);
      const fd = openSync(path, "a", 0o600);
      start = statSync(path).size;
      return fd;
    },
    close: closeSync,
    sinceOpened: () => readTail(path, start),
  };
}

function readTail(path: string, start: number): string {
  const fd = openSync(path, "r");
  try {
    const size = statSync(path).size;
    const from = Math.max(start, size - TAIL_BYTES);
    const buffer = Buffer.alloc(Math.max(0, size - from));
    readSync(fd, buffer, 0, buffer.length, from);
    return buffer.toString();
  } finally {
    closeSync(fd);
  }
}
