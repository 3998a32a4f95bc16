import { createMediaStore, mediaPath } from "@interlude/event-log";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MediaServer, startMediaServer } from "./media-server.ts";
import { PDF, pngOf } from "./samples.ts";

const SIZE = 100;
const BYTES = pngOf(SIZE);
const UNKNOWN_ID = "A".repeat(43);

let server: MediaServer;
let image: string;

beforeAll(async () => {
  server = await startMediaServer();
  image = await stored(BYTES, "image/png");
});

afterAll(async () => {
  await server.stop();
});

async function stored(bytes: Uint8Array, type: string, filename?: string): Promise<string> {
  const store = createMediaStore(server.log);
  const { id } = await store.put([bytes], type);
  if (filename !== undefined)
    await store.claim([{ id, filename }], { kind: "interaction", id: "question-1" });
  return new URL(mediaPath(id), server.url).href;
}

const get = (url: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(url, { method, headers });

async function bodyOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

describe("served media", () => {
  it("has exactly the stored type, and can neither be sniffed nor run anything", async () => {
    const response = await get(image);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": "100",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "same-site",
      "accept-ranges": "bytes",
    });
    expect(response.headers.get("cache-control")).toMatch(/^private, max-age=\d+, immutable$/);
    expect(response.headers.get("etag")).toMatch(/^"[A-Za-z0-9_-]{43}"$/);
    expect((await bodyOf(response)).equals(BYTES)).toBe(true);
  });

  it("is the same for HEAD, without a body", async () => {
    const [head, whole] = await Promise.all([get(image, {}, "HEAD"), get(image)]);
    const [headHeaders, wholeHeaders] = [head, whole].map(({ headers }) => {
      // What is about the connection differs by method in the client.
      const {
        date: _date,
        connection: _connection,
        "keep-alive": _alive,
        ...rest
      } = Object.fromEntries(headers);
      return rest;
    });
    expect(head.status).toBe(200);
    expect(headHeaders).toEqual(wholeHeaders);
    expect((await bodyOf(head)).length).toBe(0);
  });

  it.each([
    ["43 characters of another alphabet", `${"A".repeat(42)}.`],
    ["42 characters", "A".repeat(42)],
    ["44 characters", "A".repeat(44)],
    ["a decoded path", "..%2f..%2fetc"],
  ])("is 400 for an id of %s", async (_what, id) => {
    const response = await get(`${server.url}/${id}`);
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({
      ...{ status: 400, code: "validation_failed", error: "invalid media id" },
      errors: [{ path: "mediaId" }],
    });
  });

  it("is one constant 404 for an unknown id and for a path that does not decode", async () => {
    const id = image.split("/").at(-1) ?? "";
    const swapped = id.replaceAll(/[a-z]/gi, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    const bodies = new Set<string>();
    for (const path of [UNKNOWN_ID, "%ZZ", "%ff", swapped]) {
      const response = await get(`${server.url}/${path}`);
      expect(response.status).toBe(404);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      bodies.add(await response.text());
      expect(response.headers.get("x-request-id")).toBeNull();
    }
    expect([...bodies].map((body) => JSON.parse(body) as unknown)).toMatchObject([
      { status: 404, code: "not_found", error: "not found" },
    ]);
  });

  it("tells a client that has it so (304), by any form of the tag", async () => {
    const etag = (await get(image)).headers.get("etag") ?? "";
    for (const named of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const response = await get(image, { "if-none-match": named, range: "bytes=0-0" });
      expect(response.status).toBe(304);
      expect(response.headers.get("etag")).toBe(etag);
      expect((await bodyOf(response)).length).toBe(0);
    }
    expect((await get(image, { "if-none-match": '"other"' })).status).toBe(200);
  });

  it.each([
    ["bytes=0-0", 0, 0],
    ["bytes=0-1", 0, 1],
    ["bytes=90-999", 90, 99],
    ["bytes=99-", 99, 99],
    ["bytes=-10", 90, 99],
    ["bytes=-1000", 0, 99],
    ["Bytes = 3 - 4", 3, 4],
  ])("gives the part that %s names (A-MED-4)", async (range, first, last) => {
    const response = await get(image, { range });
    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe(`bytes ${first}-${last}/100`);
    expect(response.headers.get("content-length")).toBe(String(last - first + 1));
    expect((await bodyOf(response)).equals(BYTES.subarray(first, last + 1))).toBe(true);
  });

  it.each(["bytes=200-", "bytes=100-100", "bytes=-0", "bytes=99999999999999999999-"])(
    "is 416 with the size for %s, which lies outside",
    async (range) => {
      const response = await get(image, { range });
      expect(response.status).toBe(416);
      expect(response.headers.get("content-range")).toBe("bytes */100");
    },
  );

  it.each([
    "bytes=0-1,5-6",
    "bytes=5-3",
    "bytes=-",
    "bytes=a-b",
    "items=0-1",
    "bytes=0-1-2",
    "bytes=+1-2",
    "",
  ])("is whole for the range %j, which is several or nonsense", async (range) => {
    const response = await get(image, { range });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-range")).toBeNull();
    expect((await bodyOf(response)).length).toBe(SIZE);
  });

  it("gives a part under If-Range only when the tag is still the same", async () => {
    const etag = (await get(image)).headers.get("etag") ?? "";
    expect((await get(image, { range: "bytes=0-1", "if-range": etag })).status).toBe(206);
    for (const other of ['"other"', `W/${etag}`, "Wed, 21 Oct 2015 07:28:00 GMT"]) {
      expect((await get(image, { range: "bytes=0-1", "if-range": other })).status).toBe(200);
    }
  });

  it("gives a part of something large without sending the rest", async () => {
    const bytes = pngOf(3_000_000);
    const url = await stored(bytes, "video/mp4");
    const response = await get(url, { range: "bytes=131070-1500000" });
    expect((await bodyOf(response)).equals(bytes.subarray(131_070, 1_500_001))).toBe(true);
    expect(response.headers.get("content-length")).toBe("1368931");
  });

  it("survives a client that stops reading, for the next one", async () => {
    const url = await stored(pngOf(8_000_000), "video/mp4");
    const leaving = new AbortController();
    const response = await fetch(url, { signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    expect((await bodyOf(await get(url))).length).toBe(8_000_000);
  });
});

describe("a served document", () => {
  it("is saved under the name the question gave it, in ASCII and in full (A-MED-2)", async () => {
    const url = await stored(PDF, "application/pdf", "語言 “报告”.pdf");
    const response = await get(url);
    expect(response.headers.get("content-disposition")).toBe(
      "attachment; filename=\"__ ____.pdf\"; filename*=UTF-8''%E8%AA%9E%E8%A8%80%20%E2%80%9C%E6%8A%A5%E5%91%8A%E2%80%9D.pdf",
    );
  });

  it("has a name that fits its type when nobody gave one", async () => {
    const url = await stored(PDF, "application/pdf");
    expect((await get(url)).headers.get("content-disposition")).toBe('attachment; filename="document.pdf"');
  });

  it("cannot put a header of its own into the answer", async () => {
    const url = await stored(PDF, "application/pdf", 'a\r\nX-Evil: 1".pdf');
    const response = await get(url);
    expect(response.status).toBe(200);
    expect(response.headers.get("x-evil")).toBeNull();
    expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="[ -~]+"/);
  });
});

describe("media that nothing shows", () => {
  it("goes after its time, and what a claim holds stays", async () => {
    const sweeping = await startMediaServer({ sweepEveryMs: 50, unclaimedLifetimeMs: 500 });
    const store = createMediaStore(sweeping.log);
    const { id: unclaimed } = await store.put([BYTES], "image/png");
    const { id: claimed } = await store.put([BYTES], "image/png");
    await store.claim([{ id: claimed }], { kind: "interaction", id: "question-1" });
    expect((await fetch(`${sweeping.url}/${unclaimed}`)).status).toBe(200);
    await eventually(async () => {
      expect((await fetch(`${sweeping.url}/${unclaimed}`)).status).toBe(404);
    });
    expect((await fetch(`${sweeping.url}/${claimed}`)).status).toBe(200);
    await sweeping.stop();
  });
});
