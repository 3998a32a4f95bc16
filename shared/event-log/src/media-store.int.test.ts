import { createHash, randomBytes } from "node:crypto";
import { Objm } from "@nats-io/obj";
import { type OwnServer, startOwnNats } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Log, openLog } from "./connect.ts";
import { createInteractionStore } from "./interaction-store.ts";
import { readLastClaim, writeClaim } from "./media-claims.ts";
import { createMediaCustody, type MediaCustody } from "./media-custody.ts";
import { chunkSubject, MEDIA_STREAM, readDescription, writeDescription } from "./media-objects.ts";
import { createMediaStore, type MediaStore } from "./media-store.ts";
import { provisionLog } from "./provision.ts";
import { addressOf } from "./subjects.ts";

const SIZES = { defaultMaxBytes: 64 * 1_024 * 1_024, replicas: 1 };
const UNKNOWN_ID = "A".repeat(43);
const owner = (id: string) => ({ kind: "interaction", id }) as const;

let nats: OwnServer;
let log: Log;
let store: MediaStore;
let custody: MediaCustody;

beforeAll(async () => {
  nats = await startOwnNats();
  const admin = await openLog({ url: nats.url, service: "provision" });
  await provisionLog(admin, SIZES);
  await provisionLog(admin, SIZES);
  await admin.close();
  log = await openLog({ url: nats.url, service: "media" });
  store = createMediaStore(log);
  custody = createMediaCustody(log);
});

afterAll(async () => {
  await log.close();
  await nats.stop();
});

async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function storedSubjects(): Promise<string[]> {
  const info = await log.manager.streams.info(MEDIA_STREAM, { subjects_filter: ">" });
  return Object.keys(info.state.subjects ?? {});
}

/** A question in the log, as far as a claim is concerned. */
async function ask(id: string): Promise<void> {
  const data = {
    interaction_id: id,
    asker: "flow",
    group_id: "g",
    question: "?",
    answer_format: "confirm",
    format_payload: {},
    mode: "sync",
    created_at: "2030-01-01T00:00:00.000Z",
    timeout_at: "2030-01-01T01:00:00.000Z",
    sensitive: false,
    fingerprint: "f",
  } as const;
  const write = { eventId: randomBytes(8).toString("hex"), nowMs: log.clock.nowMs() };
  await createInteractionStore(log).append({ type: "asked", data }, addressOf(id), 0, write);
}

const inAnHour = () => log.clock.nowMs() + 3_600_000;

async function idsStoredBefore(atMs: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const id of custody.storedBefore(atMs)) ids.push(id);
  return ids;
}

describe("stored media", () => {
  it("is read back whole, with the type it was given, by an id of 43 characters", async () => {
    const bytes = randomBytes(300_000);
    const { id, size, etag } = await store.put(inPieces(bytes, 7_001), "image/png");
    expect(id).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(size).toBe(300_000);
    const found = await store.head(id);
    expect(found).toMatchObject({ id, size, etag, contentType: "image/png" });
    if (found === undefined) return;
    expect(etag).toBe(`"${createHash("sha256").update(bytes).digest("base64url")}"`);
    expect((await bytesOf(found.read())).equals(bytes)).toBe(true);
  });

  it.each([1, 131_071, 131_072, 131_073, 1_048_576, 1_048_577])(
    "keeps every byte at %d bytes",
    async (size) => {
      const bytes = randomBytes(size);
      const { id } = await store.put([bytes], "image/png");
      const found = await store.head(id);
      expect(found?.size).toBe(size);
      expect(found === undefined ? false : (await bytesOf(found.read())).equals(bytes)).toBe(true);
    },
  );

  it("gives any range exactly, although other uploads were stored in between", async () => {
    const bytes = randomBytes(2_000_000);
    const noise = Array.from({ length: 4 }, () =>
      store.put(inPieces(randomBytes(900_000), 50_000), "image/png"),
    );
    const [{ id }] = await Promise.all([store.put(inPieces(bytes, 65_536), "video/mp4"), ...noise]);
    const found = await store.head(id);
    for (const [first, last] of [
      [0, 0],
      [131_071, 131_072],
      [1_000_000, 1_299_999],
      [1_999_999, 1_999_999],
      [5, 1_999_990],
    ] as const) {
      const part = found === undefined ? Buffer.alloc(0) : await bytesOf(found.read({ first, last }));
      expect(part.equals(bytes.subarray(first, last + 1))).toBe(true);
    }
  });

  it("is an object of a NATS object store, its digest included", async () => {
    const bytes = randomBytes(400_000);
    const { id } = await store.put([bytes], "image/png");
    const bucket = await new Objm(log.connection).open("MEDIA");
    expect(await bucket.getBlob(id)).toEqual(new Uint8Array(bytes));
  });

  it("leaves nothing when its source breaks, and passes the fault on", async () => {
    const before = await storedSubjects();
    async function* breaking() {
      yield await Promise.resolve(randomBytes(500_000));
      throw new Error("the client went away");
    }
    await expect(store.put(breaking(), "image/png")).rejects.toThrow("the client went away");
    expect(await storedSubjects()).toEqual(before);
  });

  it("is gone after its removal, bytes and claims included", async () => {
    const { id } = await store.put([randomBytes(200_000)], "image/png");
    await store.claim([{ id }], owner("question-gone"));
    await store.remove([id, UNKNOWN_ID]);
    expect(await store.head(id)).toBeUndefined();
    expect(await storedSubjects()).not.toContain(chunkSubject(id));
    expect(await readLastClaim(log, id)).toBeUndefined();
  });

  it("cannot be claimed when it does not exist, and then nothing else is claimed either", async () => {
    const { id } = await store.put([randomBytes(10)], "image/png");
    expect(await store.claim([{ id }, { id: UNKNOWN_ID }], owner("question-1"))).toEqual([UNKNOWN_ID]);
    expect(await readLastClaim(log, id)).toBeUndefined();
    expect(await store.claim([{ id }], owner("question-1"))).toEqual([]);
  });
});

describe("the custody of stored media", () => {
  it("keeps what a question in the log shows, however old the claim", async () => {
    const { id } = await store.put([randomBytes(10)], "image/png");
    await store.claim([{ id }], owner("question-kept"));
    await ask("question-kept");
    expect(await custody.isClaimed(id, inAnHour())).toBe(true);
    expect(await custody.discard(id)).toBe(false);
    expect(await store.head(id)).toBeDefined();
  });

  it("waits for a question that has been claimed for and not asked yet, and drops the claim when it never comes", async () => {
    const { id } = await store.put([randomBytes(10)], "image/png");
    await store.claim([{ id }], owner("question-late"));
    expect(await custody.isClaimed(id, log.clock.nowMs() - 3_600_000)).toBe(true);
    expect(await custody.isClaimed(id, inAnHour())).toBe(false);
    expect(await custody.discard(id)).toBe(true);
    expect(await storedSubjects()).not.toContain(chunkSubject(id));
  });

  it("keeps media of two questions until both are gone", async () => {
    const { id } = await store.put([randomBytes(10)], "image/png");
    await store.claim([{ id }], owner("question-first"));
    await ask("question-first");
    await store.claim([{ id }], owner("question-never"));
    expect(await custody.isClaimed(id, inAnHour())).toBe(true);
    await log.manager.streams.purge("INTERACTIONS", { filter: "interactions.*.*.*.question-first" });
    expect(await custody.isClaimed(id, inAnHour())).toBe(false);
  });

  it("knows a notification that shows it", async () => {
    const { id } = await store.put([randomBytes(10)], "image/png");
    await store.claim([{ id }], { kind: "notification", id: "n-1" });
    await log.jetstream.publish("notifications.notified.inbox.3.n-1", "{}");
    expect(await custody.isClaimed(id, inAnHour())).toBe(true);
  });

  it("gives back what is claimed while it decides, for readers of the store alike", async () => {
    const { id } = await store.put([randomBytes(10)], "image/png");
    await writeClaim(log, id, owner("question-in-flight"));
    expect(await custody.discard(id)).toBe(false);
    expect((await readDescription(log, id))?.description).toMatchObject({ deleted: false });
    expect(await store.head(id)).toBeDefined();
  });

  it("never loses claimed media to sweeps and claims that race", async () => {
    for (let round = 0; round < 40; round++) {
      const { id } = await store.put([randomBytes(10)], "image/png");
      const [missing] = await Promise.all([
        store.claim([{ id }], owner(`question-r-${round}`)),
        custody.discard(id),
        custody.discard(id),
      ]);
      const found = await store.head(id);
      if (missing.length === 0)
        expect(found === undefined ? 0 : (await bytesOf(found.read())).length).toBe(10);
    }
  });

  it("lists what is old enough and nothing younger, and finds what a killed process left half stored", async () => {
    const { id } = await store.put([randomBytes(10)], "image/png");
    const found = await readDescription(log, id);
    if (found === undefined) throw new Error("stored above");
    const metadata = { ...found.description.metadata, state: "uploading" as const };
    await writeDescription(log, { ...found.description, deleted: true, metadata });

    expect(await store.head(id)).toBeUndefined();
    expect(await idsStoredBefore(inAnHour())).toContain(id);
    expect(await idsStoredBefore(log.clock.nowMs() - 60_000)).toEqual([]);
    expect(await custody.discard(id)).toBe(true);
    expect(await idsStoredBefore(inAnHour())).not.toContain(id);
  });

  it("decides nothing while the log is away", async () => {
    const { id } = await store.put([randomBytes(10)], "image/png");
    await nats.kill();
    await expect(custody.isClaimed(id, inAnHour())).rejects.toMatchObject({ code: "log_unavailable" });
    await expect(custody.discard(id)).rejects.toMatchObject({ code: "log_unavailable" });
    await expect(store.put([randomBytes(10)], "image/png")).rejects.toMatchObject({
      code: "log_unavailable",
    });
    await nats.restart();
    await expect.poll(() => log.isUp(), { timeout: 10_000 }).toBe(true);
    expect(await store.head(id)).toBeDefined();
  });
});
