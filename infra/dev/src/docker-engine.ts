import { connect } from "node:net";
import { findOnPath } from "./find-on-path.ts";
import type { Machine } from "./machine.ts";

/** The Docker client, when there is one and its engine takes connections. */
export async function findDocker(
  machine: Pick<Machine, "dockerSocket" | "searchPath">,
): Promise<string | undefined> {
  const [client] = findOnPath(machine.searchPath, "docker");
  return client !== undefined && (await accepts(machine.dockerSocket)) ? client : undefined;
}

function accepts(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    const end = (answered: boolean): void => {
      socket.destroy();
      resolve(answered);
    };
    socket.setTimeout(1_000, () => {
      end(false);
    });
    socket.on("connect", () => {
      end(true);
    });
    socket.on("error", () => {
      end(false);
    });
  });
}
