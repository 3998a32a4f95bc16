import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type ReceivedContinuation = {
  path: string;
  signature: string;
  /** Whether the signature is over this body, under the secret. */
  isSigned: boolean;
  claim: Record<string, unknown>;
};

type Answer = { status: number; body?: string; headers?: Record<string, string>; delayMs?: number };

export type ContinuationReceiver = {
  origin: string;
  received: ReceivedContinuation[];
  /** What is answered from now on. */
  answer: (how: () => Answer) => void;
  stop: () => Promise<void>;
};

/** A driver's own web server, to which continuations are posted. */
export async function startContinuationReceiver(secret: string): Promise<ContinuationReceiver> {
  const received: ReceivedContinuation[] = [];
  let how: Parameters<ContinuationReceiver["answer"]>[0] = () => ({ status: 200 });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const path = request.url ?? "";
      const signature = String(request.headers["interlude-signature"] ?? "");
      const [, seconds = "", mac = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
      const expected = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
      received.push({ path, signature, isSigned: mac === expected, claim: objectOf(body) });
      const { status, body: answer = "", headers = {}, delayMs = 0 } = how();
      setTimeout(() => response.writeHead(status, headers).end(answer), delayMs);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    answer: (next) => {
      how = next;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function objectOf(text: string): Record<string, unknown> {
  const parsed: unknown = text === "" ? {} : JSON.parse(text);
  return typeof parsed === "object" && parsed !== null ? Object.fromEntries(Object.entries(parsed)) : {};
}
