import { once } from "node:events";
import { connect, type Socket } from "node:net";

export type RawReply = { status: number; head: string; text: string };

/** A socket of its own to the server, for what no HTTP client would send. */
export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // A refused upload may be answered with a reset after the reply; what was read until then counts.
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

/** Writes bytes as they are and reads until the server closes, or until one whole response is there. */
export async function rawRequest(
  url: string,
  bytes: string | Uint8Array,
  withinMs = 5_000,
): Promise<RawReply> {
  const socket = await openSocket(url);
  socket.write(bytes);
  return readReply(socket, withinMs);
}

export function readReply(socket: Socket, withinMs: number): Promise<RawReply> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(parse(Buffer.concat(chunks).toString("latin1")));
    };
    const timer = setTimeout(() => {
      socket.destroy();
      reject(
        new Error(
          `no whole response within ${withinMs} ms, only: ${Buffer.concat(chunks).toString("latin1")}`,
        ),
      );
    }, withinMs);
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (isWhole(Buffer.concat(chunks).toString("latin1"))) finish();
    });
    socket.on("close", finish);
  });
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (/transfer-encoding: chunked/i.test(text.slice(0, end))) return text.endsWith("\r\n0\r\n\r\n");
  const length = /content-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  return end !== -1 && length !== undefined && text.length >= end + 4 + Number(length);
}

function parse(text: string): RawReply {
  const end = text.indexOf("\r\n\r\n");
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0),
    head: text.slice(0, Math.max(end, 0)),
    text: end === -1 ? "" : text.slice(end + 4),
  };
}

/** The head of a request with the usual lines, and more. */
export function head(line: string, key: string, ...more: string[]): string {
  return [`${line} HTTP/1.1`, "host: x", `authorization: Bearer ${key}`, ...more, "", ""].join("\r\n");
}
