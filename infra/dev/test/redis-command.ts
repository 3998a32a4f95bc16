import { connect } from "node:net";

/** One command in the server's inline form, for a package that may not use the client; gives the first line. */
export function redisCommand(url: string, command: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let received = "";
    socket.setTimeout(5_000, () => socket.destroy(new Error(`no reply to ${command}`)));
    socket.on("error", reject);
    socket.on("connect", () => socket.write(`${command}\r\n`));
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString();
      const [line, isWhole] = received.split("\r\n");
      if (isWhole === undefined) return;
      socket.destroy();
      resolve(line ?? "");
    });
  });
}
