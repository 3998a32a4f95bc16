import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Stands between the product and a server; frozen, it keeps every connection and passes nothing on. */
export type TcpRelay = { port: number; freeze: () => void; thaw: () => void; stop: () => Promise<void> };

export async function startTcpRelay(to: URL): Promise<TcpRelay> {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      if (isFrozen) one.pause();
      one.on("data", (bytes) => other.write(bytes));
      one.on("error", () => other.resetAndDestroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw: () => {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
