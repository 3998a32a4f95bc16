import { connect } from "node:net";
import { createMediaCustody } from "@interlude/event-log";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type MediaServer, startMediaServer } from "./media-server.ts";
import { docxOf, HTML, OLD_OFFICE, PDF, PNG, pngOf, SVG, WEBM, zipOf } from "./samples.ts";

const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const MAX_BYTES = 25 * 1_024 * 1_024;
const Stored = z.strictObject({ url: z.string(), content_type: z.string(), size: z.number() });
const Problem = z.looseObject({ status: z.number(), code: z.string(), detail: z.string() });

let server: MediaServer;

beforeAll(async () => {
  server = await startMediaServer();
});

afterAll(async () => {
  await server.stop();
});

type Sent = { type?: string; authorization?: string; headers?: Record<string, string> };

function upload(
  body: Uint8Array<ArrayBuffer>,
  { type, authorization = "Bearer asker", headers = {} }: Sent = {},
) {
  const typed = type === undefined ? {} : { "content-type": type };
  return fetch(server.url, { method: "POST", body, headers: { authorization, ...typed, ...headers } });
}

async function storedIds(): Promise<string[]> {
  const ids: string[] = [];
  const inAnHour = server.log.clock.nowMs() + 3_600_000;
  for await (const id of createMediaCustody(server.log).storedBefore(inAnHour)) ids.push(id);
  return ids;
}

async function expectRefused(
  response: Response,
  status: number,
  code: string,
  detail: RegExp,
): Promise<void> {
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const problem = Problem.parse(await response.json());
  expect(problem).toMatchObject({ status, code });
  expect(response.status).toBe(status);
  expect(problem.detail).toMatch(detail);
}

describe("an upload", () => {
  it("is stored under the type its bytes have, and served back unchanged", async () => {
    const response = await upload(new Uint8Array(PNG));
    expect(response.status).toBe(201);
    const stored = Stored.parse(await response.json());
    expect(stored).toMatchObject({ content_type: "image/png", size: PNG.length });
    expect(stored.url).toMatch(/^\/api\/interactions\/media\/[A-Za-z0-9_-]{43}$/);
    expect(response.headers.get("location")).toBe(stored.url);
    const served = await fetch(new URL(stored.url, server.url));
    expect(Buffer.from(await served.arrayBuffer()).equals(PNG)).toBe(true);
  });

  it("takes exactly 25 MiB, sent without a length", async () => {
    const bytes = pngOf(MAX_BYTES);
    const stream = new Blob([new Uint8Array(bytes)]).stream();
    const request = {
      method: "POST",
      body: stream,
      duplex: "half",
      headers: { authorization: "Bearer asker" },
    } as const;
    const response = await fetch(server.url, request);
    expect(response.status).toBe(201);
    const { url, size } = Stored.parse(await response.json());
    expect(size).toBe(MAX_BYTES);
    const served = await fetch(new URL(url, server.url));
    expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it.each([
    ["a PDF", PDF, undefined, "application/pdf"],
    ["a PDF with parameters in its type", PDF, "application/pdf; name=x", "application/pdf"],
    ["bytes of which the sender knows nothing", PNG, "application/octet-stream", "image/png"],
    ["another name for the same type", WEBM, "video/webm", "video/webm"],
    ["a container whose content only the sender knows", WEBM, "audio/webm;codecs=opus", "audio/webm"],
    ["an old office file that is named as one", OLD_OFFICE, "application/msword", "application/msword"],
    ["a word file whose telling part comes after two megabytes", docxOf(2_000_000), DOCX, DOCX],
  ])("takes %s", async (_what, bytes, type, stored) => {
    const response = await upload(new Uint8Array(bytes), type === undefined ? {} : { type });
    expect(Stored.parse(await response.json())).toMatchObject({ content_type: stored, size: bytes.length });
  });

  it.each([
    ["SVG, which runs script", SVG, "image/svg+xml", /image\/svg\+xml is not taken/],
    ["SVG that says nothing", SVG, undefined, /are taken/],
    ["SVG that calls itself PNG", SVG, "image/png", /says image\/png/],
    ["HTML", HTML, "text/html", /text\/html is not taken/],
    ["HTML that says nothing", HTML, "application/octet-stream", /no known type/],
    ["PNG that calls itself JPEG", PNG, "image/jpeg", /says image\/jpeg, and the bytes are image\/png/],
    ["an archive that is no document", zipOf([{ name: "a.txt", data: PNG }]), undefined, /application\/zip/],
    ["an old office container that is not named as one", OLD_OFFICE, undefined, /x-cfb/],
    ["JSON, as a client may send by mistake", Buffer.from("{}"), "application/json", /not taken/],
  ])("refuses %s with 415 and stores nothing", async (_what, bytes, type, detail) => {
    const before = await storedIds();
    const response = await upload(new Uint8Array(bytes), type === undefined ? {} : { type });
    await expectRefused(response, 415, "unsupported_media_type", detail);
    expect(await storedIds()).toEqual(before);
  });

  it("refuses a compressed body with 415", async () => {
    const response = await upload(new Uint8Array(PNG), { headers: { "content-encoding": "gzip" } });
    await expectRefused(response, 415, "unsupported_media_type", /compressed/);
  });

  it("refuses an empty body with 400", async () => {
    await expectRefused(await upload(new Uint8Array()), 400, "validation_failed", /empty/);
  });

  it("refuses one byte more than 25 MiB with 413, with and without a length, and stores nothing", async () => {
    const before = await storedIds();
    const bytes = new Uint8Array(pngOf(MAX_BYTES + 1));
    await expectRefused(await upload(bytes), 413, "payload_too_large", /26214400 bytes/);
    const stream = new Blob([bytes]).stream();
    const request = {
      method: "POST",
      body: stream,
      duplex: "half",
      headers: { authorization: "Bearer asker" },
    } as const;
    await expectRefused(await fetch(server.url, request), 413, "payload_too_large", /26214400 bytes/);
    await eventually(async () => {
      expect(await storedIds()).toEqual(before);
    });
  });

  it("is for askers: 401 without a credential, 403 for others", async () => {
    expect((await upload(new Uint8Array(PNG), { authorization: "Bearer nobody" })).status).toBe(401);
    expect((await upload(new Uint8Array(PNG), { authorization: "Bearer answerer" })).status).toBe(403);
  });

  it("that breaks off halfway leaves nothing", async () => {
    const before = await storedIds();
    const socket = connect(server.port, "127.0.0.1");
    socket.write(
      "POST /api/interactions/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer asker\r\nContent-Length: 5000000\r\n\r\n",
    );
    socket.write(pngOf(2_000_000));
    await eventually(async () => {
      expect((await storedIds()).length).toBe(before.length + 1);
    });
    socket.destroy();
    await eventually(async () => {
      expect(await storedIds()).toEqual(before);
    });
  });

  it("is answered 503 while the log is away", async () => {
    await server.nats.kill();
    const response = await upload(new Uint8Array(PNG));
    await expectRefused(response, 503, "unavailable", /not available/);
    expect(response.headers.get("retry-after")).toBe("1");
    await server.nats.restart();
    await eventually(async () => {
      expect((await upload(new Uint8Array(PNG))).status).toBe(201);
    });
  });
});
