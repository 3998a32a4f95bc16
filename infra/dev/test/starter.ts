import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";

type Started = { nats: { url: string; pid: number }; postgres: { url: string; pid: number }; uid: number };

/** Runs `start-servers.ts` as a process of its own, so that it can be killed or be another user. */
export function launchStarter(
  home: string,
  user: { uid?: number; gid?: number } = {},
  tie: "tied" | "free" = "free",
): { child: ChildProcess; started: Promise<Started> } {
  const program = fileURLToPath(new URL("./start-servers.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", program, home, tie], {
    ...user,
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: { ...process.env, ...(user.uid === undefined ? {} : { HOME: home, TMPDIR: home }) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const started = new Promise<Started>((resolve, reject) => {
    child.stdout.once("data", (line: Buffer) => {
      resolve(JSON.parse(line.toString()) as Started);
    });
    child.once("exit", (code) => {
      reject(new Error(`the starter ended with ${code ?? "a signal"}: ${said}`));
    });
  });
  return { child, started };
}
