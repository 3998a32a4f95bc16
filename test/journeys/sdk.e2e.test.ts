import { spawn } from "node:child_process";
import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type Client,
  connect,
  InteractionCancelledError,
  InteractionExpiredError,
  InterludeError,
  type StreamFrame,
} from "@interlude/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

let interlude: Interlude;
let asker: Client;
let answerer: Client;

beforeAll(async () => {
  interlude = await startInterlude();
  asker = connect({ url: interlude.url, apiKey: interlude.keys.asker });
  answerer = connect({ url: interlude.url, apiKey: interlude.keys.answerer });
});

afterAll(async () => {
  await asker.close();
  await answerer.close();
  await interlude.stop();
});

let questions = 0;

/** An id per question, so that a test can answer what it has just asked. */
function newId(): string {
  questions += 1;
  return `sdk-journey-${questions}-${Date.now()}`;
}

async function statusOf(id: string): Promise<string> {
  return answerer.get(id).then(
    (item) => item.status,
    () => "none",
  );
}

async function isPending(id: string): Promise<void> {
  await expect.poll(() => statusOf(id), { timeout: 20_000 }).toBe("pending");
}

/** Answers as soon as the question is there. */
async function answerWhenAsked(id: string, answer: Parameters<Client["answer"]>[1]): Promise<void> {
  await isPending(id);
  await answerer.answer(id, answer);
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (value) => ({ unexpectedly: value }),
    (error: unknown) => error,
  );
}

describe("a program that asks", () => {
  it("goes on with a text, a decision, a choice and a form, each of its type", async () => {
    const ids = [newId(), newId(), newId(), newId()] as const;
    const schema = z.object({
      name: z.string(),
      seats: z.number().int(),
      window: z.boolean().default(false),
    });
    const work = Promise.all([
      asker.askUser({ id: ids[0], question: "Who?" }),
      asker.askUser({ id: ids[1], question: "Go?", answerFormat: "confirm" }),
      asker.askUser({
        id: ids[2],
        question: "Which?",
        answerFormat: "select",
        options: ["red", { value: "b", label: "Blue" }],
      }),
      asker.askUser({
        id: ids[3],
        question: "Book?",
        answerFormat: "form",
        schema,
        data: { values: { seats: 2 } },
      }),
    ]);
    await answerWhenAsked(ids[0], "");
    await answerWhenAsked(ids[1], false);
    await answerWhenAsked(ids[2], "b");
    await answerWhenAsked(ids[3], { name: "Ana", seats: 3 });
    expect(await work).toEqual(["", false, "b", { name: "Ana", seats: 3, window: false }]);
  });

  it("A-EXP-1: learns of an expiry by its own error, which no answer can be", async () => {
    const error = await failureOf(
      asker.askUser({ question: "Anybody?", answerFormat: "confirm", timeoutSeconds: 0.5 }),
    );
    expect(error).toBeInstanceOf(InteractionExpiredError);
    const id = newId();
    const work = asker.askUser({ id, question: "A form?", answerFormat: "form", schema: { type: "object" } });
    await isPending(id);
    expect(await failureOf(answerer.answer(id, { interaction_expired: true }))).toMatchObject({
      code: "validation_failed",
    });
    await answerer.answer(id, {});
    expect(await work).toEqual({});
  });

  it("cancels its question with a signal, and rejects with the signal's reason", async () => {
    const id = newId();
    const stop = new AbortController();
    const work = failureOf(asker.askUser({ id, question: "Still needed?", signal: stop.signal }));
    await isPending(id);
    const reason = new RangeError("not any more");
    stop.abort(reason);
    expect(await work).toBe(reason);
    expect((await asker.get(id)).status).toBe("cancelled");
    expect(await failureOf(answerer.answer(id, "late"))).toMatchObject({ code: "cancelled", status: 410 });
  });

  it("leaves nothing open when its signal is aborted at once", async () => {
    const ids = Array.from({ length: 10 }, newId);
    await Promise.all(
      ids.map(async (id, turns) => {
        const stop = new AbortController();
        const work = failureOf(asker.askUser({ id, question: "Quick?", signal: stop.signal }));
        // Each a turn later than the one before: before, while and after its request leaves.
        for (let turn = 0; turn < turns; turn += 1) await nextTurn();
        stop.abort();
        expect(await work).toMatchObject({ name: "AbortError" });
      }),
    );
    for (const id of ids) {
      const status = await asker.get(id).then(
        (item) => item.status,
        (error: unknown) => (error instanceof InterludeError ? error.code : "?"),
      );
      expect(["cancelled", "not_found"]).toContain(status);
    }
  });

  it("is told who cancelled its question's wait, and why", async () => {
    const id = newId();
    const work = failureOf(asker.askUser({ id, question: "Cancel me?" }));
    await isPending(id);
    await asker.cancel(id, { reason: "changed plans" });
    const error = await work;
    expect(error).toBeInstanceOf(InteractionCancelledError);
    expect(error).toMatchObject({ interactionId: id, reason: "changed plans" });
  });

  it("comes back by id after it was killed, to the answer that was given meanwhile", async () => {
    const id = newId();
    const program = `
      import { connect } from "@interlude/sdk";
      const client = connect({ url: process.env.URL_, apiKey: process.env.KEY_ });
      await client.askUser({ id: process.env.ID_, question: "Deploy?", answerFormat: "confirm" });`;
    const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], {
      cwd: new URL("..", import.meta.url),
      env: { ...process.env, URL_: interlude.url, KEY_: interlude.keys.asker, ID_: id },
      stdio: "inherit",
    });
    const gone = once(child, "exit");
    await isPending(id);
    child.kill("SIGKILL");
    await gone;
    await answerer.answer(id, true);
    expect(await asker.askUser({ id, question: "Deploy?", answerFormat: "confirm" })).toBe(true);
    expect(await failureOf(asker.askUser({ id, question: "Deploy?" }))).toMatchObject({
      code: "idempotency_conflict",
    });
    expect((await asker.list({ status: "all", q: "Deploy" })).total).toBe(1);
  });

  it("sits out a restart of the server, and gets what was answered meanwhile", async () => {
    const id = newId();
    const first = await startInterlude({ beside: interlude });
    const errors: string[] = [];
    const client = connect({
      url: first.url,
      apiKey: interlude.keys.asker,
      onRetry: ({ error }) => errors.push(error.code),
    });
    const work = client.askUser({ id, question: "Patience?", answerFormat: "confirm", timeoutSeconds: 120 });
    await isPending(id);
    await first.stop();
    await answerer.answer(id, true);
    await expect.poll(() => errors.length, { timeout: 20_000 }).toBeGreaterThan(0);
    const second = await startInterlude({ beside: interlude, env: { PORT: new URL(first.url).port } });
    try {
      expect(await work).toBe(true);
      expect(new Set(errors)).toEqual(new Set(["unreachable"]));
    } finally {
      await client.close();
      await second.stop();
    }
  });

  it("A-IDEM-1: never misses an answer that comes the instant the question is seen", async () => {
    const rounds = 20;
    const stop = new AbortController();
    const opened = deferred();
    const answering = (async () => {
      let answered = 0;
      for await (const frame of answerer.stream({
        signal: stop.signal,
        onOpen: () => {
          opened.resolve(undefined);
        },
      })) {
        if (frame.type !== "add" || frame.item.groupId !== "instant") continue;
        await answerer.answer(frame.item.interactionId, frame.item.question);
        answered += 1;
        if (answered === rounds) break;
      }
    })();
    await opened.promise;
    for (let round = 0; round < rounds; round += 1) {
      const question = `Round ${round}?`;
      expect(await asker.askUser({ question, groupId: "instant", timeoutSeconds: 20 })).toBe(question);
    }
    await answering;
    stop.abort();
  });

  it("reads a sensitive answer once: shredded when nobody could come back for it", async () => {
    const stop = new AbortController();
    const seen = deferred<string>();
    const opened = deferred();
    const watching = (async () => {
      for await (const frame of answerer.stream({
        signal: stop.signal,
        onOpen: () => {
          opened.resolve(undefined);
        },
      })) {
        if (frame.type === "add" && frame.item.groupId === "secret") seen.resolve(frame.item.interactionId);
      }
    })();
    await opened.promise;
    const work = asker.askUser({ question: "Password?", sensitive: true, groupId: "secret" });
    const id = await seen.promise;
    await answerer.answer(id, "s3cret");
    expect(await work).toBe("s3cret");
    stop.abort();
    await watching;
    expect(await asker.result(id).then((result) => JSON.stringify(result), String)).not.toContain("s3cret");
    expect((await asker.get(id)).answer).toBeUndefined();
  });

  it("has an external system answer through its callback", async () => {
    const made = deferred<string>();
    const work = asker.askExternal(
      (callbackUrl) => {
        made.resolve(callbackUrl);
        return `https://sign.example/start?back=${encodeURIComponent(callbackUrl)}`;
      },
      { question: "Sign?", schema: z.object({ signed: z.literal(true) }) },
    );
    const callbackUrl = await made.promise;
    await expect
      .poll(
        async () => {
          const headers = { "content-type": "application/json" };
          const response = await fetch(callbackUrl, { method: "POST", headers, body: '{"signed":true}' });
          return response.status;
        },
        { timeout: 20_000 },
      )
      .toBe(200);
    expect((await work).signed).toBe(true);
  });

  it("asks nothing when its link cannot be made", async () => {
    const before = (await asker.list({ status: "all" })).total;
    const broken = new RangeError("no link");
    const make = (): string => {
      throw broken;
    };
    expect(await failureOf(asker.askExternal(make, { question: "Sign?" }))).toBe(broken);
    expect((await asker.list({ status: "all" })).total).toBe(before);
  });
});

describe("a program that reads", () => {
  it("finds what it asked, its history and its result", async () => {
    const id = newId();
    const work = asker.askUser({ id, question: "History?", metadata: { order_id: "7" } });
    await answerWhenAsked(id, "yes");
    await work;
    const item = await asker.get(id);
    expect(item).toMatchObject({
      asker: "ann",
      answeredBy: "bob",
      answer: "yes",
      metadata: { order_id: "7" },
    });
    expect((await asker.events(id)).map((event) => event.status)).toEqual(["pending", "answered"]);
    expect(await asker.result(id)).toMatchObject({ status: "answered", answer: "yes" });
    const listed = await asker.list({ status: "answered", q: "History", atLeast: item.sequence });
    expect(listed.items.map((each) => each.interactionId)).toEqual([id]);
  });

  it("walks every page of a list exactly once", async () => {
    const groupId = newId();
    const stop = new AbortController();
    const work = Array.from({ length: 5 }, (_each, index) =>
      failureOf(asker.askUser({ question: `Page ${index}?`, groupId, signal: stop.signal })),
    );
    await expect.poll(async () => (await asker.list({ groupId })).total, { timeout: 20_000 }).toBe(5);
    const ids: string[] = [];
    for await (const page of asker.pages({ groupId, pageSize: 2 }))
      ids.push(...page.items.map((item) => item.interactionId));
    expect(new Set(ids).size).toBe(5);
    expect(ids).toHaveLength(5);
    stop.abort();
    await Promise.all(work);
  });

  it("is told of its identity, and refused what its roles do not allow", async () => {
    expect(await asker.me()).toEqual({ subject: "ann", roles: ["asker"], groups: ["sales"] });
    expect(await failureOf(answerer.askUser({ question: "May I?" }))).toMatchObject({
      code: "forbidden",
      status: 403,
    });
    const nobody = connect({ url: interlude.url, apiKey: "wrong" });
    expect(await failureOf(nobody.me())).toMatchObject({ code: "unauthenticated", status: 401 });
  });

  it("resumes a stream after the last frame that it saw", async () => {
    const groupId = newId();
    const first = newId();
    const opened = deferred();
    const frames = collect(
      answerer.stream({
        onOpen: () => {
          opened.resolve(undefined);
        },
      }),
      groupId,
      1,
    );
    await opened.promise;
    const work = asker.askUser({ id: first, question: "First?", groupId });
    const [seen] = await frames;
    await answerer.answer(first, "ok");
    await work;
    const later = await collect(answerer.stream({ lastEventId: seen?.id }), groupId, 1);
    expect(later).toMatchObject([{ type: "answered", interactionId: first, answeredBy: "bob" }]);
  });

  it("shows an uploaded picture with a question", async () => {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    const { url, contentType, size } = await asker.uploadMedia(new Uint8Array(png));
    expect([contentType, size]).toEqual(["image/png", png.length]);
    const id = newId();
    const work = asker.askUser({
      id,
      question: "Nice?",
      answerFormat: "confirm",
      media: [{ kind: "image", url }],
    });
    await answerWhenAsked(id, true);
    expect(await work).toBe(true);
    expect((await asker.get(id)).media).toMatchObject([{ kind: "image", url }]);
  });
});

type Deferred<T> = { promise: Promise<T>; resolve: (value: T) => void };

function deferred<T = undefined>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

async function collect(
  frames: AsyncIterable<StreamFrame>,
  groupId: string,
  count: number,
): Promise<StreamFrame[]> {
  const seen: StreamFrame[] = [];
  for await (const frame of frames) {
    if ((frame.type === "add" ? frame.item.groupId : frame.groupId) === groupId) seen.push(frame);
    if (seen.length === count) break;
  }
  return seen;
}
