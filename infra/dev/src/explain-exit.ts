import { ServiceFailure, type FailureCode } from "@interlude/kernel";

type Exit = { server: string; folder: string; port: number; log: string; logPath: string };

type Explanation = {
  code: FailureCode;
  pattern: RegExp;
  retry: "later" | "never";
  say: (exit: Exit) => string;
};

const EXPLANATIONS: readonly Explanation[] = [
  {
    code: "disk_full",
    pattern: /no space left on device|disk quota exceeded/i,
    retry: "later",
    say: ({ server, folder }) =>
      `${server} found the disk full; free some space on the disk of ${folder} and start again`,
  },
  {
    code: "port_taken",
    pattern: /address already in use/i,
    retry: "later",
    say: ({ server, port }) =>
      `${server} cannot listen on port ${port}, which another program uses; end that program, or choose another port`,
  },
  {
    code: "home_damaged",
    pattern:
      /database files are incompatible|is not a valid data directory|could not locate a valid checkpoint|invalid (primary )?checkpoint|incorrect checksum in control file|could not (open|read) file "(global\/pg_control|pg_wal|base\/)|has wrong ownership|has invalid permissions|could not open directory|permission denied|could not create storage directory|error parsing|unable to restore|bad file format reading the append only file/i,
    retry: "never",
    say: ({ server, folder }) =>
      `${server} cannot use its data in ${folder}; make the folder readable for this user, or move it away (a new one is made at the next start)`,
  },
];

/** Says in one failure why a server ended before it was ready, and how to mend it. */
export function explainExit(exit: Exit): ServiceFailure {
  const known = EXPLANATIONS.find(({ pattern }) => pattern.test(exit.log));
  const said = lastLines(exit.log);
  const context = { server: exit.server, folder: exit.folder, port: exit.port };
  if (known !== undefined) {
    return new ServiceFailure(known.code, {
      retry: known.retry,
      context,
      message: `${known.say(exit)}. It said: ${said}`,
    });
  }
  return new ServiceFailure("server_failed", {
    retry: "later",
    context,
    message: `${exit.server} ended before it was ready; its log is ${exit.logPath}. It said: ${said}`,
  });
}

function lastLines(log: string): string {
  const lines = log
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.length === 0 ? "nothing" : lines.slice(-6).join(" / ");
}
