import { connect } from "node:net";

/** What a server of this machine sends first, after `greeting` if there is one; empty when it does not answer. */
export function firstBytes(
  port: number,
  isEnough: (received: Buffer) => boolean,
  greeting?: Uint8Array,
): Promise<Buffer> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    let received = Buffer.alloc(0);
    const end = (): void => {
      socket.destroy();
      resolve(received);
    };
    socket.setTimeout(2_000, end);
    socket.on("error", end);
    socket.on("close", end);
    socket.on("connect", () => {
      if (greeting !== undefined) socket.write(greeting);
    });
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (isEnough(received)) end();
    });
  });
}
