import { gzipSync } from "node:zlib";
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { converse, faultsOf } from "../support/converse.ts";
import type { Deployment } from "../support/deployment.ts";
import { head, openSocket, rawRequest, readReply } from "../support/raw-request.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";
import { openStoreWitness, type StoreWitness } from "../support/store-witness.ts";

let interlude: Interlude;
let witness: StoreWitness;
let pending: string;
const at = (): Deployment => ({ ...interlude, natsUrl: interlude.nats.url });
const { asked, answer, call, item } = converse(at);

beforeAll(async () => {
  interlude = await startInterlude();
  witness = await openStoreWitness(interlude.nats.url);
  pending = await asked();
});

afterAll(async () => {
  await witness.close();
  await interlude.stop();
});

afterEach(async () => {
  // Whatever was sent: the question is open, and an ordinary request is served at once.
  expect((await item(pending)).json["status"]).toBe("pending");
  expect((await answer(await asked(), "x")).status).toBe(200);
});

const key = () => interlude.keys.answerer;
const post = (...more: string[]) =>
  head(`POST /api/interactions/${pending}/answer`, key(), "content-type: application/json", ...more);

describe("a body's bytes are counted as they come (A-HTTP-1)", () => {
  it("50 MB sent in chunks are refused long before their end", async () => {
    const socket = await openSocket(interlude.url);
    socket.write(post("transfer-encoding: chunked"));
    const reply = readReply(socket, 10_000);
    let written = 0;
    const chunk = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(65_536, "["), Buffer.from("\r\n")]);
    while (written < 50_000_000 && !socket.destroyed) {
      written += chunk.length;
      if (!socket.write(chunk)) await Promise.race([once(socket, "drain"), once(socket, "close")]);
    }
    expect((await reply).status).toBe(413);
    expect(written).toBeLessThan(50_000_000);
  });

  it.each([
    ["-1", 400],
    ["abc", 400],
    ["1e3", 400],
    ["0x10", 400],
    ["52428800", 413],
    ["99999999999999999999999", 400],
  ])("a Content-Length of %s is %d", async (length, status) => {
    const reply = await rawRequest(
      interlude.url,
      `${post(`content-length: ${length}`, "connection: close")}{"answer":"x"}`,
    );
    expect(reply.status).toBe(status);
  });

  it("a length shorter than the body makes JSON that is cut, and no answer", async () => {
    const reply = await rawRequest(interlude.url, `${post("content-length: 10")}{"answer":"x"}`);
    expect(reply.status).toBe(400);
  });

  it("two lengths, or a length beside chunks, are 400", async () => {
    const both = ["content-length: 14", "content-length: 15"];
    expect((await rawRequest(interlude.url, `${post(...both)}{"answer":"x"}`)).status).toBe(400);
    const mixed = post("content-length: 14", "transfer-encoding: chunked");
    expect((await rawRequest(interlude.url, `${mixed}e\r\n{"answer":"x"}\r\n0\r\n\r\n`)).status).toBe(400);
  });

  it("65,536 bytes are taken and judged, 65,537 are 413", async () => {
    const body = (bytes: number) => `{"answer":5,"p":"${"x".repeat(bytes - 19)}"}`;
    const send = (bytes: number) =>
      call(`/api/interactions/${pending}/answer`, {
        key: key(),
        body: body(bytes),
        headers: { "content-type": "application/json" },
      });
    expect(Buffer.byteLength(body(65_536))).toBe(65_536);
    expect((await send(65_536)).status).toBe(400);
    expect(faultsOf(await send(65_537))).toMatchObject({ status: 413, code: "payload_too_large" });
  });

  it("an ask of 2 MiB is judged, a byte more is 413", async () => {
    const send = (bytes: number) =>
      call("/api/interactions", {
        key: interlude.keys.asker,
        body: `{"question":"${"x".repeat(bytes - 15)}"}`,
        headers: { "content-type": "application/json" },
      });
    expect((await send(2_097_152)).status).toBe(400);
    expect((await send(2_097_153)).status).toBe(413);
  });

  it("an ask whose event would exceed 512 KiB is 413 and stores nothing", async () => {
    const before = await witness.everything();
    const property = (name: number) => [`p${name}`, { enum: ["e".repeat(50)] }] as const;
    const reply = await call("/api/interactions", {
      key: interlude.keys.asker,
      json: {
        question: "😀".repeat(8192),
        answer_format: "form",
        schema: {
          type: "object",
          properties: Object.fromEntries(Array.from({ length: 600 }, (_, each) => property(each))),
        },
        media: Array.from({ length: 50 }, (_, each) => ({
          kind: "link",
          caption: "😀".repeat(1_000),
          url: `https://a.example/${each}${"x".repeat(8_100)}`,
        })),
      },
    });
    expect(faultsOf(reply)).toMatchObject({ status: 413, code: "payload_too_large" });
    expect(await witness.everything()).toBe(before);
  });
});

describe("a client that does not keep to the protocol", () => {
  it("and stops in the middle of a body harms nobody", async () => {
    const sockets = await Promise.all(Array.from({ length: 50 }, () => openSocket(interlude.url)));
    for (const socket of sockets) socket.write(`${post("content-length: 1000")}{"answer":`);
    expect((await item(pending)).status).toBe(200);
    for (const [each, socket] of sockets.entries()) {
      if (each % 2 === 0) socket.destroy();
      else socket.end();
    }
  });

  it.each([
    ["no HTTP at all", "hello\r\n\r\n"],
    ["a line without version", "GET /\r\n\r\n"],
    ["a header without name", "GET /healthz HTTP/1.1\r\nhost: x\r\n: x\r\n\r\n"],
    ["a NUL in a header", "GET /healthz HTTP/1.1\r\nhost: x\r\nx: a\0b\r\n\r\n"],
    ["no Host", "GET /healthz HTTP/1.1\r\n\r\n"],
    ["a TLS greeting", Buffer.from("16030100c8010000c40303", "hex")],
    ["a space in the target", "GET /api/interactions/a b HTTP/1.1\r\nhost: x\r\n\r\n"],
    [
      "a chunk without length",
      "POST /api/session HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n",
    ],
  ])("gets 400 for %s", async (_name, bytes) => {
    expect((await rawRequest(interlude.url, bytes)).status).toBe(400);
  });

  it("gets 431 for headers without end", async () => {
    const socket = await openSocket(interlude.url);
    socket.write(`GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${"a".repeat(300_000)}`);
    expect((await readReply(socket, 5_000)).status).toBe(431);
  });

  it("gets no second answer by smuggling a request behind its body", async () => {
    const inner = head(
      `POST /api/interactions/${pending}/answer`,
      "none",
      "content-type: application/json",
      "content-length: 14",
    );
    const reply = await rawRequest(interlude.url, `${post("content-length: 2")}{}${inner}{"answer":"x"}`);
    expect(reply.status).toBe(400);
  });

  it("gets 401 for two Authorization headers that differ, or none that is ours", async () => {
    const lines = [`authorization: Bearer ${interlude.apiKey}`, "authorization: Bearer il_wrong"];
    const two = (order: string[]) => ["GET /api/me HTTP/1.1", "host: x", ...order, "", ""].join("\r\n");
    const statuses = [
      await rawRequest(interlude.url, two(lines)),
      await rawRequest(interlude.url, two(lines.toReversed())),
    ].map(({ status }) => status);
    expect(statuses).not.toContain(500);
    for (const value of [
      "Bearer",
      "Bearer ",
      "Basic eDp5",
      `bearer  ${interlude.apiKey} x`,
      "\u00ff",
      `Bearer ${"x".repeat(9_000)}`,
    ]) {
      expect((await call("/api/me", { headers: { authorization: value } })).status).toBe(401);
    }
  });
});

describe("JSON is read by one rule (A-HTTP-2, A-HTTP-3)", () => {
  const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    call(`/api/interactions/${pending}/answer`, {
      key: key(),
      body,
      headers: { "content-type": "application/json", ...headers },
    });

  it.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ["nothing", " "],
    ["an open brace", "{"],
    ["null", "null"],
    ["a list", "[]"],
    ["a string", '"x"'],
    ["a missing value", '{"answer":}'],
    ["more behind it", '{"answer":"x"}{'],
    ["a trailing comma", '{"answer":"x",}'],
    ["single quotes", "{'answer':'x'}"],
    ["NaN", '{"answer":NaN}'],
    ["a number that is not finite", '{"answer":1e999}'],
    ["30,000 open lists", "[".repeat(30_000)],
    ["30,000 lists in each other", `{"answer":${"[".repeat(30_000)}${"]".repeat(30_000)}}`],
    ["101 levels", `{"answer":${"[".repeat(100)}${"]".repeat(100)}}`],
    ["bytes that are no UTF-8", new Uint8Array([0x7b, 0x22, 0x61, 0xff, 0x22, 0x7d])],
    ["an overlong encoding", new Uint8Array([0x22, 0xc0, 0xaf, 0x22])],
    ["UTF-16", new Uint8Array(Buffer.from('\ufeff{"answer":"x"}', "utf16le"))],
    ["__proto__ as a key", '{"answer":"x","__proto__":{}}'],
    ["a hidden __proto__", '{"answer":{"\\u005f_proto__":1}}'],
    ["a raw line break in a string", '{"answer":"a\nb"}'],
    ["a NUL by escape", '{"answer":"\\u0000"}'],
    ["half an emoji", '{"answer":"\\ud83d"}'],
  ])("%s is 400 and is not repeated to the sender", async (_name, body) => {
    const reply = await send(body);
    expect(faultsOf(reply)).toMatchObject({ status: 400, code: "validation_failed" });
    expect(reply.text.length).toBeLessThan(2_000);
    expect(reply.text).not.toContain("[[[[");
  });

  it("100,000 lists in each other are 400 on the ask's door, which takes that many bytes", async () => {
    const body = `{"question":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    const reply = await call("/api/interactions", {
      key: interlude.keys.asker,
      body,
      headers: { "content-type": "application/json" },
    });
    expect(faultsOf(reply)).toMatchObject({ status: 400, code: "validation_failed" });
  });

  it.each([
    ["application/json; charset=utf-8", 400],
    ["APPLICATION/JSON", 400],
    ['application/json;charset="UTF-8"', 400],
    ["application/json; charset=utf-16", 415],
    ["application/vnd.api+json", 415],
    ["text/plain", 415],
    ["application/x-www-form-urlencoded", 415],
    ["application/json, text/plain", 415],
  ])("the type %s is %d for a body that does not fit", async (type, status) => {
    expect((await send('{"answer":5}', { "content-type": type })).status).toBe(status);
  });

  it("no type at all is 415", async () => {
    const body = '{"answer":"x"}';
    const raw = head(`POST /api/interactions/${pending}/answer`, key(), `content-length: ${body.length}`);
    expect((await rawRequest(interlude.url, raw + body)).status).toBe(415);
  });

  it("a BOM is ignored, and the last of two equal keys counts", async () => {
    const id = await asked();
    const reply = await call(`/api/interactions/${id}/answer`, {
      key: key(),
      body: '\ufeff{"answer":1,"answer":"x"}',
      headers: { "content-type": "application/json" },
    });
    expect(reply.status).toBe(200);
  });

  it.each(["gzip", "deflate", "br", "x-gzip", "gzip, identity"])(
    "Content-Encoding %s is 415 and not unpacked (A-HTTP-4)",
    async (encoding) => {
      const bomb = new Uint8Array(gzipSync(Buffer.alloc(20_000_000)));
      const before = process.memoryUsage().arrayBuffers;
      expect((await send(bomb, { "content-encoding": encoding })).status).toBe(415);
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(15_000_000);
    },
  );
});
