import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type Command, type Contestant, Reply } from "./protocol.ts";

const PROGRAM = fileURLToPath(new URL("./application.ts", import.meta.url));
const STOP_WITHIN_MS = 10_000;

/** The process in which a contender's runs are started, answered and gone on with. */
export type Application = {
  pid: number;
  serverPid: number | undefined;
  /** Does it there; the figure that comes of it. */
  tell(command: Command): Promise<number>;
  stop(): Promise<void>;
};

export async function runApplication(contestant: Contestant): Promise<Application> {
  const child = spawn(
    process.execPath,
    ["--expose-gc", "--import", "tsx", PROGRAM, JSON.stringify(contestant)],
    { stdio: ["ignore", "ignore", "pipe", "ipc"] },
  );
  let output = "";
  child.stderr?.setEncoding("utf8").on("data", (part: string) => (output = (output + part).slice(-10_000)));
  const exited = once(child, "exit");

  async function reply(): Promise<Reply> {
    const ended = exited.then(([code]: unknown[]) => {
      throw new Error(`${contestant.name} ended with ${String(code)}:\n${output}`);
    });
    const came: Promise<unknown[]> = once(child, "message");
    const [message] = await Promise.race([came, ended]);
    return Reply.parse(message);
  }

  const ready = await reply();
  if (ready.kind !== "ready" || child.pid === undefined) throw new Error(`${contestant.name} is not ready`);
  return {
    pid: child.pid,
    serverPid: ready.serverPid,
    async tell(command) {
      child.send(command);
      const told = await reply();
      if (told.kind === "done") return told.value;
      throw new Error(`${contestant.name}: ${told.kind === "failed" ? told.message : told.kind}`);
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.disconnect();
      const late = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
      await exited;
      clearTimeout(late);
    },
  };
}
