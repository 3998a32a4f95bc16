import { connect } from "node:net";

/** One request in the server's text protocol, for a package that may not use the client. */
export function natsRequest(
  url: string,
  subject: string,
  payload: unknown,
): Promise<Record<string, unknown>> {
  const { hostname, port } = new URL(url);
  const body = JSON.stringify(payload);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let received = "";
    socket.setTimeout(5_000, () => socket.destroy(new Error(`no reply on ${subject}`)));
    socket.on("error", reject);
    socket.on("connect", () => {
      socket.write(
        `CONNECT {"verbose":false}\r\nSUB reply 1\r\nPUB ${subject} reply ${Buffer.byteLength(body)}\r\n${body}\r\n`,
      );
    });
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString();
      const reply = /MSG reply 1 (\d+)\r\n(.*)\r\n/s.exec(received);
      if (reply?.[2] === undefined || reply[2].length < Number(reply[1])) return;
      socket.destroy();
      resolve(JSON.parse(reply[2]) as Record<string, unknown>);
    });
  });
}
