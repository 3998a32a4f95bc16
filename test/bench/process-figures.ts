import { readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** What Linux tells of a process. */
export type ProcessFigures = { cpuSeconds: number; rssKb: number; peakRssKb: number };

/** `undefined` where there is no /proc or no such process. */
export function processFigures(pid: number): ProcessFigures | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command's name may hold spaces and brackets; fields are counted after it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const sized = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? NaN);
    return {
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
      rssKb: sized("VmRSS"),
      peakRssKb: sized("VmHWM"),
    };
  } catch {
    return undefined;
  }
}
