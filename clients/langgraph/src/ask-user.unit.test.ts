import {
  InteractionCancelledError,
  InteractionFailedError,
  type Json,
  type Resolution,
} from "@interlude/sdk";
import { Command, entrypoint, MemorySaver } from "@langchain/langgraph";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { askEveryone, askForResolution, askUser, type Expired, isExpired } from "./index.ts";
import { readHead, waitingOf } from "./read-thread.ts";

const expiryAt = "2099-01-01T00:00:00Z";
const at = "2030-01-01T00:00:00.000Z";

/** Runs a flow until it asks, and again with how that ended. */
async function asking<T>(ask: () => Promise<T>, ...ends: Partial<Resolution>[]): Promise<T> {
  const saver = new MemorySaver();
  const flow = entrypoint({ name: "flow", checkpointer: saver }, async () => ({ got: await ask() }));
  const config = { configurable: { thread_id: "t", interlude_driver: "bot" } };
  await flow.invoke({}, config);
  const { pending } = await waitingOf({ driver: "bot", threadId: "t" }, await readHead(saver, "t"));
  const resolutions = ends.map((end) => ({ interactionId: "question-1", at, ...end }));
  const resume = Object.fromEntries(pending.map(({ interruptId }) => [interruptId, { resolutions }]));
  const returned = (await flow.invoke(new Command({ resume }), config)) as { got: T };
  return returned.got;
}

const answered = (answer: Json) => ({ status: "answered", answer }) as const;

describe("askUser", () => {
  it.each([false, 0, "", null, []])("A-RES-4: takes %j for an answer", async (answer) => {
    expect(await asking(() => askUser({ question: "?", expiryAt }), answered(answer))).toEqual(answer);
  });

  it("parses the answer by the schema that asked", async () => {
    const schema = z.object({ nights: z.int(), quiet: z.boolean().default(true) });
    const answer = await asking(
      () => askUser({ question: "?", answerFormat: "form", schema, expiryAt }),
      answered({ nights: 2 }),
    );
    expectTypeOf(answer).toEqualTypeOf<z.output<typeof schema> | Expired>();
    expect(answer).toEqual({ nights: 2, quiet: true });
  });

  it("gives the marker when nobody answered, and throws when it was cancelled, failed or is gone", async () => {
    const ask = () => askUser({ question: "?", expiryAt });
    expect(isExpired(await asking(ask, { status: "expired", answer: { interaction_expired: true } }))).toBe(
      true,
    );
    await expect(asking(ask, { status: "cancelled", reason: "x" })).rejects.toThrow(
      InteractionCancelledError,
    );
    await expect(asking(ask, { status: "failed", reason: "x" })).rejects.toThrow(InteractionFailedError);
    await expect(asking(ask, { status: "answered", reason: "shredded" })).rejects.toMatchObject({
      code: "answer_gone",
    });
  });

  it("gives each of several its own answer, and how one ended where that is asked for", async () => {
    const both = () =>
      askEveryone([
        { question: "a?", expiryAt },
        { question: "b?", answerFormat: "confirm", expiryAt },
      ]);
    expect(await asking(both, answered("x"), answered(false))).toEqual(["x", false]);
    expect(
      await asking(() => askForResolution({ question: "?", expiryAt }), { status: "cancelled", reason: "x" }),
    ).toEqual({
      ...{ interactionId: "question-1", status: "cancelled", reason: "x", at },
    });
  });

  it.each([
    [{ question: "?" }, "/expiryAt"],
    [{ question: "?", expiryAt: "2099-01-01T00:00:00" }, "/expiryAt"],
    [{ question: "?", expiryAt, id: "question-1" }, "/id"],
    [{ question: "?", expiryAt, mode: "sync" }, "/mode"],
    [{ question: "?", expiryAt, timeoutSeconds: 1 }, "/timeoutSeconds"],
  ])("refuses %j in the step that asks", async (ask, path) => {
    await expect(askUser(ask as never)).rejects.toMatchObject({ errors: [{ path }] });
  });

  it("refuses to ask where no driver would ever see it", async () => {
    await expect(askUser({ question: "?", expiryAt })).rejects.toThrow(
      /no driver that could resume this run/,
    );
  });
});
