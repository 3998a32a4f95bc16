import { connect } from "node:net";

/** The line with which a NATS server introduces itself; empty when nobody does within half a second. */
export function firstLine(url: string): Promise<string> {
  return firstReply(url, "");
}

/** What a server says first, to `greeting` if there is one; empty when nobody does within half a second. */
export function firstReply(url: string, greeting: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    const end = (line: string): void => {
      socket.destroy();
      resolve(line);
    };
    socket.setTimeout(500, () => {
      end("");
    });
    socket.on("error", () => {
      end("");
    });
    socket.on("connect", () => {
      if (greeting !== "") socket.write(`${greeting}\r\n`);
    });
    socket.on("data", (chunk: Buffer) => {
      end(chunk.toString());
    });
  });
}
