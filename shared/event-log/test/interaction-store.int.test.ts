import { randomUUID } from "node:crypto";
import { eventually } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  addressOfAsked,
  createInteractionStore,
  handleCommand,
  type InteractionStore,
} from "../src/index.ts";
import { askedAt } from "./asked-at.ts";
import { openTestLog } from "./open-test-log.ts";

let test: Awaited<ReturnType<typeof openTestLog>>;
let store: InteractionStore;
const now = () => test.log.clock.nowMs();

beforeAll(async () => {
  test = await openTestLog();
  store = createInteractionStore(test.log);
});
afterAll(() => test.close());

function answer(id: string, by: string) {
  const content = { answer: true, answered_by: by, via: "door" } as const;
  return handleCommand(store, id, { type: "Answer", content, nowMs: now() }, now);
}

async function ask(id: string) {
  return handleCommand(store, id, { type: "Ask", asked: askedAt(id, now()) }, now);
}

describe("the interaction store", () => {
  it("reads back in order what was stored; an unknown id is empty at 0", async () => {
    const id = randomUUID();
    expect(await store.read(id)).toEqual({ entries: [], position: 0 });
    await ask(id);
    await answer(id, "bob");
    const { entries, position } = await store.readFresh(id);
    expect(entries.map(({ entry }) => ("type" in entry ? entry.type : entry.unknownType))).toEqual([
      "asked",
      "answered",
    ]);
    expect(position).toBe(entries[1]?.sequence);
    expect(await store.readAll(id)).toEqual(entries);
  });

  it("lets exactly one of two writers at the same position win", async () => {
    const id = randomUUID();
    const asked = askedAt(id, now());
    const write = () =>
      store.append({ type: "asked", data: asked }, addressOfAsked(asked), 0, {
        eventId: randomUUID(),
        nowMs: now(),
      });
    const outcomes = await Promise.all([write(), write()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["appended", "conflict"]);
    expect((await store.readAll(id)).length).toBe(1);
  });

  it("takes one of fifty concurrent answers, and tells the others who was first", async () => {
    const id = randomUUID();
    await ask(id);
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) => answer(id, `person-${index}`)),
    );
    const winners = outcomes.filter((outcome) => outcome.ok);
    expect(winners.length).toBe(1);
    const [winner] = winners;
    const by =
      winner?.ok === true && winner.state.status === "answered" ? winner.state.answered.answered_by : "";
    for (const outcome of outcomes) {
      if (!outcome.ok)
        expect(outcome).toMatchObject({ refusal: { code: "already_answered", answeredBy: by } });
    }
  });

  it("settles a lost acknowledgement by finding the own event", async () => {
    const id = randomUUID();
    await ask(id);
    // The publish reaches the server, its acknowledgement does not reach the caller.
    const deaf: InteractionStore = {
      ...store,
      async append(...write) {
        await store.append(...write);
        return { status: "unknown" };
      },
    };
    const content = { answer: true, answered_by: "bob", via: "door" } as const;
    const outcome = await handleCommand(deaf, id, { type: "Answer", content, nowMs: now() }, now);
    expect(outcome).toMatchObject({ ok: true, changed: true });
    expect((await store.readAll(id)).length).toBe(2);
  });

  it("never decides past an event of a type it does not know", async () => {
    const id = randomUUID();
    const { address } = (await ask(id)).ok
      ? { address: addressOfAsked({ interaction_id: id }) }
      : { address: undefined };
    if (address === undefined) throw new Error("not asked");
    const subject = `interactions.reopened.${address.channel}.${address.partition}.${id}`;
    await test.log.jetstream.publish(subject, "{}");
    expect(await answer(id, "bob")).toMatchObject({ ok: false, refusal: { code: "unavailable" } });
    expect((await store.readAll(id)).length).toBe(2);
  });

  it("keeps every accepted answer when the server is killed, and is back by itself", async () => {
    const ids = Array.from({ length: 40 }, () => randomUUID());
    await Promise.all(ids.map(ask));
    const answering = Promise.allSettled(ids.map((id) => answer(id, "bob")));
    await test.server.kill();
    const outcomes = await answering;
    await test.server.restart();
    await eventually(() => test.log.isUp(), { withinMs: 20_000 });
    for (const [index, id] of ids.entries()) {
      const outcome = outcomes[index];
      const stored = await eventually(() => store.readAll(id), { withinMs: 10_000 });
      const answers = stored.filter(({ entry }) => "type" in entry && entry.type === "answered");
      expect(answers.length).toBeLessThanOrEqual(1);
      if (outcome?.status === "fulfilled" && outcome.value.ok) expect(answers.length).toBe(1);
    }
  });
});
