import { createHmac } from "node:crypto";
import type { AskedData, InteractionEvent } from "@interlude/contract";
import { addressOfAsked, type InteractionStore, type StoredEntry } from "@interlude/event-log";
import { ServiceFailure } from "@interlude/kernel";
import { newNonce } from "@interlude/secrets";
import { manualClock } from "@interlude/testing";
import { describe, expect, it } from "vitest";
import { createCallbackDeliveries } from "./callback-deliveries.ts";
import { type CallbackOutcome, takeCallback } from "./callback-take.ts";

const SECRET = "s3cret";
const NOW_MS = Date.UTC(2026, 5, 1);

/** A log of questions in memory, whose appends can be made to fail. */
function memoryStore() {
  const entries = new Map<string, StoredEntry[]>();
  let failures = 0;
  const read = (id: string) => {
    const found = entries.get(id) ?? [];
    return Promise.resolve({ entries: [...found], position: found.length });
  };
  function put(event: InteractionEvent): number {
    const { interaction_id: id } = event.data;
    const list = entries.get(id) ?? [];
    const address = { channel: "inbox", partition: 0, id };
    const sequence = list.length + 1;
    list.push({ sequence, storedAtMs: NOW_MS, eventId: `${id}-${sequence}`, address, entry: event });
    entries.set(id, list);
    return sequence;
  }
  const store: InteractionStore = {
    read,
    readFresh: read,
    readAll: async (id) => (await read(id)).entries,
    append: (event, _address, position) => {
      if (failures-- > 0)
        return Promise.reject(new ServiceFailure("log_unavailable", { retry: "later", message: "away" }));
      if (entries.get(event.data.interaction_id)?.length !== position)
        return Promise.resolve({ status: "conflict" });
      return Promise.resolve({ status: "appended", sequence: put(event) });
    },
  };
  return {
    store,
    put,
    failNext: () => {
      failures = 1;
    },
  };
}

/** A bucket in memory. */
function memoryBucket() {
  const values = new Map<string, string>();
  return {
    values,
    get: (key: string) => Promise.resolve(values.get(key)),
    create: (key: string, value: string) => {
      if (values.has(key)) return Promise.resolve(false);
      values.set(key, value);
      return Promise.resolve(true);
    },
    purge: (key: string) => Promise.resolve(void values.delete(key)),
  };
}

function situation() {
  const { store, put, failNext } = memoryStore();
  const bucket = memoryBucket();
  const deps = {
    store,
    clock: manualClock(NOW_MS),
    keys: {
      make: () => Promise.resolve(true),
      read: () => Promise.resolve(undefined),
      shred: () => Promise.resolve(),
      ids: () => Promise.resolve([]),
      madeAtMs: () => Promise.resolve(undefined),
    },
    deliveries: createCallbackDeliveries(bucket),
    secret: () => SECRET,
  };

  function ask(id: string, fields: Partial<AskedData> = {}) {
    const ticket = { kid: "k1", nonce: newNonce() };
    const asked: AskedData = {
      interaction_id: id,
      asker: "ann",
      group_id: id,
      question: "Pay?",
      answer_format: "external",
      format_payload: {},
      mode: "sync",
      created_at: new Date(NOW_MS).toISOString(),
      timeout_at: new Date(NOW_MS + 60_000).toISOString(),
      verifier: { name: "github", config: { secret_ref: "provider" } },
      ticket,
      sensitive: false,
      fingerprint: id,
      ...fields,
    };
    put({ type: "asked", data: asked });
    expect(addressOfAsked(asked).id).toBe(id);
    return { id, ...ticket };
  }

  function deliver(
    ticket: { id: string; nonce: string; kid: string },
    deliveryId: string,
    text = '{"ok":true}',
  ): Promise<CallbackOutcome> {
    const body = Buffer.from(text);
    const signature = createHmac("sha256", SECRET).update(body).digest("hex");
    const headers = new Map([
      ["x-hub-signature-256", `sha256=${signature}`],
      ["x-github-delivery", deliveryId],
    ]);
    const request = { contentType: "application/json", contentEncoding: null, body, query: "" };
    return takeCallback(deps, { ...request, ticket, header: (name) => headers.get(name) });
  }
  return { deps, ask, deliver, failNext, bucket };
}

describe("a signed delivery", () => {
  it("is not lost when storing its answer fails: sent again, it answers", async () => {
    const { ask, deliver, failNext } = situation();
    const ticket = ask("question-1");
    failNext();
    await expect(deliver(ticket, "d-1")).rejects.toThrow(ServiceFailure);
    expect(await deliver(ticket, "d-1")).toMatchObject({ kind: "answered" });
    expect(await deliver(ticket, "d-1")).toMatchObject({ kind: "already_answered" });
  });

  it("whose storing failed still is nothing for another question", async () => {
    const { ask, deliver, failNext } = situation();
    const [one, two] = [ask("question-1"), ask("question-2")];
    failNext();
    await expect(deliver(one, "d-1")).rejects.toThrow(ServiceFailure);
    expect(await deliver(two, "d-1")).toMatchObject({ kind: "already_answered", id: "question-2" });
    expect(await deliver(one, "d-1")).toMatchObject({ kind: "answered" });
  });

  it("that comes twice at once answers once, and stays used", async () => {
    const { ask, deliver, bucket } = situation();
    const [one, two] = [ask("question-1"), ask("question-2")];
    const both = await Promise.all([deliver(one, "d-1"), deliver(one, "d-1")]);
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(["already_answered", "answered"]);
    expect(bucket.values.size).toBe(1);
    expect(await deliver(two, "d-1")).toMatchObject({ kind: "already_answered", id: "question-2" });
    expect(await deliver(two, "d-2")).toMatchObject({ kind: "answered" });
  });

  it("that was refused leaves no mark", async () => {
    const { ask, deliver, bucket } = situation();
    const schema = { type: "object", required: ["amount"] };
    const ticket = ask("question-1", { format_payload: { schema } });
    expect(await deliver(ticket, "d-1")).toMatchObject({ kind: "faults", faults: [{ path: "/amount" }] });
    expect(bucket.values.size).toBe(0);
  });

  it("is marked without its secret or its id being readable", async () => {
    const { ask, deliver, bucket } = situation();
    await deliver(ask("question-1"), "delivery-id");
    const marks = JSON.stringify([...bucket.values]);
    expect(marks).not.toContain("delivery-id");
    expect(marks).not.toContain(SECRET);
  });
});

describe("a ticket", () => {
  it("does not outlive its question, even if the id is used again", async () => {
    const { ask, deliver } = situation();
    const old = { ...ask("question-1"), nonce: newNonce() };
    expect(await deliver(old, "d-1")).toEqual({ kind: "none" });
  });

  it("is nothing from the deadline on, whether or not the end has been recorded", async () => {
    const { deps, ask, deliver } = situation();
    const ticket = ask("question-1");
    deps.clock.advance(60_000);
    expect(await deliver(ticket, "d-1")).toEqual({ kind: "none" });
  });
});
