import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { callProvider, type ProviderCall } from "./call-provider.ts";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function call(answer: RequestListener, rest: Partial<ProviderCall> = {}) {
  const listening = createServer(answer);
  server = listening;
  await new Promise<void>((done) => listening.listen(0, "127.0.0.1", done));
  const address = listening.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const url = `http://127.0.0.1:${port}/`;
  const ordinary = { url, headers: {}, body: "{}", timeoutMs: 10_000, signal: new AbortController().signal };
  return callProvider({ ...ordinary, ...rest });
}

describe("a call of a provider", () => {
  it("brings status, object and the wait that is asked for", async () => {
    const answer = await call((_, response) => {
      response.writeHead(429, { "retry-after": "7" }).end('{"code":1}');
    });
    expect(answer).toEqual({ kind: "answered", status: 429, retryAfterMs: 7_000, json: { code: 1 } });
  });

  it.each(["", "<html>", "[1]", '"text"', `{"a":"${"x".repeat(1_100_000)}"}`])(
    "has no object where the body is none (%#)",
    async (body) => {
      const answer = await call((_, response) => response.end(body));
      expect(answer).toEqual({ kind: "answered", status: 200 });
    },
  );

  it("goes to nobody that the provider's address redirects to", async () => {
    const answer = await call((_, response) => response.writeHead(307, { location: "/other" }).end());
    expect(answer).toMatchObject({ kind: "answered", status: 307 });
  });

  it("is unknown when it takes too long", async () => {
    const late = await call(() => undefined, { timeoutMs: 50 });
    expect(late).toEqual({ kind: "broken", outcome: { kind: "unknown", reason: "timeout" } });
  });

  it("is unknown when it is stopped on its way, and was not sent when it was stopped before", async () => {
    const stopping = new AbortController();
    const stopped = await call(
      () => {
        stopping.abort();
      },
      { signal: stopping.signal },
    );
    expect(stopped).toEqual({ kind: "broken", outcome: { kind: "unknown", reason: "aborted" } });
    const before = await call(() => undefined, { signal: AbortSignal.abort() });
    expect(before).toMatchObject({ kind: "broken", outcome: { kind: "not_sent" } });
  });

  it("is unknown when the connection goes after the request, or within the answer", async () => {
    const dropped = await call((request) => request.socket.destroy());
    expect(dropped).toMatchObject({ kind: "broken", outcome: { kind: "unknown" } });
    const cut = await call((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write('{"a":', () => response.destroy());
    });
    expect(cut).toMatchObject({ kind: "broken", outcome: { kind: "unknown" } });
  });

  it("was not sent when nobody listens", async () => {
    const listening = createServer();
    await new Promise<void>((done) => listening.listen(0, "127.0.0.1", done));
    const address = listening.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await new Promise((done) => listening.close(done));
    const answer = await call(() => undefined, { url: `http://127.0.0.1:${port}/token` });
    expect(answer).toEqual({
      kind: "broken",
      outcome: { kind: "not_sent", reason: "not reached: ECONNREFUSED" },
    });
  });
});
