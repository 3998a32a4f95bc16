import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { questionServer, type QuestionServer } from "../../test/question-server.ts";
import { problem, type Seen, type Trouble } from "../../test/small-server.ts";
import {
  type Client,
  connect,
  type ConnectOptions,
  InteractionCancelledError,
  InteractionExpiredError,
  InteractionFailedError,
  InterludeError,
} from "../index.ts";

const opened: { server: QuestionServer; client: Client }[] = [];

async function start(
  trouble?: (seen: Seen, index: number) => Trouble,
  options: Partial<ConnectOptions> = {},
): Promise<{ server: QuestionServer; client: Client }> {
  const server = await questionServer(trouble);
  const client = connect({ url: server.url, apiKey: "key-1", ...options });
  opened.push({ server, client });
  return { server, client };
}

afterEach(async () => {
  for (const { server, client } of opened.splice(0)) {
    await client.close();
    await server.stop();
  }
});

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (value) => ({ unexpectedly: value }),
    (error: unknown) => error,
  );
}

describe("askUser", () => {
  it("returns the answer of the question that it asked, in one request when somebody is quick", async () => {
    const { server, client } = await start();
    const asked = server.asked();
    const answer = client.askUser({
      question: "Go?",
      answerFormat: "confirm",
      groupId: "g",
      timeoutSeconds: 9,
    });
    server.end(await asked, { status: "answered", answer: true });
    expect(await answer).toBe(true);
    expect(server.seen).toHaveLength(1);
    expect(JSON.parse(server.seen[0]?.text ?? "")).toMatchObject({
      question: "Go?",
      answer_format: "confirm",
      group_id: "g",
      timeout_seconds: 9,
    });
  });

  it.each([false, "", 0, null, [], {}])("A-RES-4: takes %j for an answer, not for none", async (answer) => {
    const { server, client } = await start();
    const asked = server.asked();
    const work: Promise<unknown> = client.askExternal("https://x/?cb={callback_url}", { question: "?" });
    server.end(await asked, { status: "answered", answer });
    expect(await work).toEqual(answer);
  });

  it("A-EXP-1: tells an expiry from a no", async () => {
    const { server, client } = await start();
    const asked = server.asked();
    const work = failureOf(client.askUser({ question: "Go?", answerFormat: "confirm" }));
    const id = await asked;
    server.end(id, { status: "expired", answer: { interaction_expired: true } });
    const error = await work;
    expect(error).toBeInstanceOf(InteractionExpiredError);
    expect(error).toMatchObject({ code: "expired", interactionId: id });
  });

  it("raises the reason of a cancelled and of a failed question", async () => {
    const { server, client } = await start();
    for (const [status, kind] of [
      ["cancelled", InteractionCancelledError],
      ["failed", InteractionFailedError],
    ] as const) {
      const asked = server.asked();
      const work = failureOf(client.askUser({ question: "Go?" }));
      server.end(await asked, { status, reason: "why not" });
      const error = await work;
      expect(error).toBeInstanceOf(kind);
      expect(error).toMatchObject({ reason: "why not" });
    }
  });

  it("asks for delivery over a channel, and takes its final failure for the question's end", async () => {
    const { server, client } = await start(() => problem(502, "delivery_failed"));
    const error = await failureOf(client.askUser({ question: "Go?", channel: "sms", recipient: "+1" }));
    expect(error).toBeInstanceOf(InteractionFailedError);
    expect(server.seen).toHaveLength(1);
    expect(server.seen[0]?.headers["prefer"]).toBe("delivered, wait=30");
  });

  it("repeats a lost response under the same id and with the same content: one question, one answer", async () => {
    const { server, client } = await start((seen, index) =>
      index === 0 ? "refuse connection" : index === 1 ? "lose response" : undefined,
    );
    const asked = server.asked();
    const work = client.askUser({ question: "Name?" });
    server.end(await asked, { status: "answered", answer: "Ana" });
    expect(await work).toBe("Ana");
    expect(server.questions.size).toBe(1);
    expect(new Set(server.seen.map((seen) => seen.text)).size).toBe(1);
  });

  it("waits as long as a 429 says, and goes on after a 503", async () => {
    const retries: string[] = [];
    const { server, client } = await start(
      (seen, index) =>
        index === 0
          ? { ...problem(429, "rate_limited"), headers: { "retry-after": "1" } }
          : index === 1
            ? problem(503, "unavailable")
            : undefined,
      {
        onRetry: ({ error, delayMs }) => retries.push(`${error.code} ${delayMs >= 1_000 ? "long" : "short"}`),
      },
    );
    const asked = server.asked();
    const work = client.askUser({ question: "Name?" });
    server.end(await asked, { status: "answered", answer: "Ana" });
    expect(await work).toBe("Ana");
    expect(retries).toEqual(["rate_limited long", "unavailable short"]);
  });

  it("sits out a fault inside the service, since the question may well be stored", async () => {
    const { server, client } = await start((_seen, index) =>
      index === 0 ? problem(500, "unavailable") : undefined,
    );
    const asked = server.asked();
    const work = client.askUser({ question: "Name?" });
    server.end(await asked, { status: "answered", answer: "Ana" });
    expect(await work).toBe("Ana");
  });

  it("does not repeat a refusal: a limit that is reached, a fault in the question", async () => {
    const refusals = [
      problem(429, "limit_reached"),
      problem(400, "validation_failed", { errors: [{ path: "/question", message: "is long" }] }),
    ];
    const { server, client } = await start((seen, index) => refusals[index]);
    expect(await failureOf(client.askUser({ question: "a" }))).toMatchObject({
      code: "limit_reached",
      status: 429,
    });
    const error = await failureOf(client.askUser({ question: "b" }));
    expect(error).toBeInstanceOf(InterludeError);
    expect(error).toMatchObject({
      code: "validation_failed",
      status: 400,
      requestId: "req-1",
      errors: [{ path: "/question", message: "is long" }],
    });
    expect(server.seen).toHaveLength(2);
  });

  it("comes back to the same question by its id, and is refused other content under it", async () => {
    const { server, client } = await start();
    const first = connect({ url: server.url, apiKey: "key-1" });
    const asked = server.asked();
    const lost = failureOf(first.askUser({ id: "deploy-42", question: "Deploy?", answerFormat: "confirm" }));
    const id = await asked;
    await first.close();
    expect(await lost).toMatchObject({ code: "closed" });
    server.end(id, { status: "answered", answer: true });
    expect(await client.askUser({ id: "deploy-42", question: "Deploy?", answerFormat: "confirm" })).toBe(
      true,
    );
    expect(await failureOf(client.askUser({ id: "deploy-42", question: "Really?" }))).toMatchObject({
      code: "idempotency_conflict",
      interactionId: "deploy-42",
    });
  });

  it("names the question whose end it could not learn, and says nothing of an expiry", async () => {
    const { client } = await start(
      (seen) => (seen.method === "GET" ? "refuse connection" : problem(503, "unavailable")),
      {
        retrySeconds: 0.3,
      },
    );
    expect(await failureOf(client.askUser({ question: "a" }))).toMatchObject({
      code: "unavailable",
      status: 503,
    });
    const nobody = connect({ url: "http://127.0.0.1:1", apiKey: "secret-key", retrySeconds: 0.3 });
    const error = await failureOf(nobody.askUser({ id: "question-1", question: "a" }));
    expect(error).toMatchObject({ code: "unreachable", status: 0, interactionId: "question-1" });
    expect(JSON.stringify(error) + String(error)).not.toContain("secret-key");
  });

  it("refuses a misspelt field before anything is sent, as the service would", async () => {
    const { server, client } = await start();
    const misspelt = { question: "Go?", timeoutSecond: 5 };
    expect(await failureOf(client.askUser(misspelt))).toMatchObject({
      code: "validation_failed",
      errors: [{ path: "/timeoutSecond", message: "is not a known field" }],
    });
    expect(server.seen).toHaveLength(0);
  });

  it("refuses an async ask outside a run before anything is sent", async () => {
    const { server, client } = await start();
    const ask = { question: "Go?", mode: "async", expiryAt: new Date(Date.now() + 60_000) } as const;
    expect(await failureOf(client.askUser(ask))).toMatchObject({
      code: "validation_failed",
      errors: [{ path: "/mode" }],
    });
    expect(server.seen).toHaveLength(0);
  });

  it("sends a zod type as JSON Schema and gives its output; names inside are left alone", async () => {
    const { server, client } = await start();
    const schema = z.object({
      first_name: z.string(),
      dueOn: z.string().optional(),
      size: z.number().default(3),
    });
    const asked = server.asked();
    const work = client.askUser({
      question: "Who?",
      answerFormat: "form",
      schema,
      data: { values: { first_name: "A" } },
    });
    const id = await asked;
    server.end(id, { status: "answered", answer: { first_name: "Ana" } });
    expect(await work).toEqual({ first_name: "Ana", size: 3 });
    const body = server.questions.get(id)?.body;
    expect(body).toMatchObject({
      schema: { type: "object", properties: { dueOn: { type: "string" } }, required: ["first_name"] },
      data: { values: { first_name: "A" } },
    });
  });

  it("says where a schema's own rule refuses an answer, and keeps the sensitive answer readable", async () => {
    const { server, client } = await start();
    const schema = z.object({ even: z.number().refine((value) => value % 2 === 0, "must be even") });
    const asked = server.asked();
    const work = failureOf(client.askUser({ question: "?", answerFormat: "form", schema, sensitive: true }));
    const id = await asked;
    server.end(id, { status: "answered", answer: { even: 3 } });
    expect(await work).toMatchObject({
      code: "invalid_answer",
      interactionId: id,
      errors: [{ path: "/answer/even", message: "must be even" }],
    });
    expect(server.questions.get(id)?.acknowledged).toBe(false);
  });

  it("refuses a schema that JSON Schema cannot say", async () => {
    const { client } = await start();
    const ask = { question: "?", answerFormat: "form", schema: z.object({ on: z.date() }) } as const;
    expect(await failureOf(client.askUser(ask))).toMatchObject({ errors: [{ path: "/schema" }] });
  });

  it("acknowledges a sensitive answer that nobody could come back for, and keeps a named one", async () => {
    const { server, client } = await start();
    for (const id of [undefined, "named-question"]) {
      const asked = server.asked();
      const work = client.askUser({ question: "Password?", sensitive: true, id });
      const given = await asked;
      server.end(given, { status: "answered", answer: "s3cret" });
      expect(await work).toBe("s3cret");
      expect(server.questions.get(given)?.acknowledged).toBe(id === undefined);
    }
    await client.acknowledge("named-question");
    expect(server.questions.get("named-question")?.acknowledged).toBe(true);
  });
});

describe("an aborted signal", () => {
  it("cancels the question and rejects with its reason", async () => {
    const { server, client } = await start();
    const stop = new AbortController();
    const asked = server.asked();
    const work = failureOf(client.askUser({ question: "Go?", signal: stop.signal }));
    const id = await asked;
    const reason = new TypeError("not needed any more");
    stop.abort(reason);
    expect(await work).toBe(reason);
    expect(server.questions.get(id)?.end?.status).toBe("cancelled");
  });

  it("cancels a question whose asking request is still on its way", async () => {
    const stop = new AbortController();
    const { server, client } = await start((seen, index) => (index === 0 ? "refuse connection" : undefined));
    const asked = server.asked();
    const work = failureOf(client.askUser({ question: "Go?", signal: stop.signal }));
    await expect.poll(() => server.seen.length, { timeout: 10_000 }).toBe(1);
    stop.abort();
    const id = await asked;
    expect(await work).toMatchObject({ name: "AbortError" });
    expect(server.questions.get(id)?.end?.status).toBe("cancelled");
  });

  it("gives its reason as it is, be it no error", async () => {
    const { server, client } = await start();
    const stop = new AbortController();
    const asked = server.asked();
    const work = failureOf(client.askUser({ question: "Go?", signal: stop.signal }));
    await asked;
    stop.abort("lunch");
    expect(await work).toBe("lunch");
    expect(await failureOf(client.result("q", { signal: stop.signal }))).toBe("lunch");
  });

  it("ends any number of questions, without a warning of too many listeners", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on("warning", note);
    const { server, client } = await start();
    const stop = new AbortController();
    const work = Array.from({ length: 30 }, () =>
      failureOf(client.askUser({ question: "Go?", signal: stop.signal })),
    );
    await expect.poll(() => server.questions.size, { timeout: 10_000 }).toBe(30);
    stop.abort();
    await Promise.all(work);
    expect([...server.questions.values()].map((question) => question.end?.status)).toEqual(
      Array.from({ length: 30 }, () => "cancelled"),
    );
    process.off("warning", note);
    expect(warnings).toEqual([]);
  });

  it("asks nothing when it was aborted before", async () => {
    const { server, client } = await start();
    expect(await failureOf(client.askUser({ question: "Go?", signal: AbortSignal.abort() }))).toMatchObject({
      name: "AbortError",
    });
    expect(server.seen).toHaveLength(0);
  });
});

describe("askExternal", () => {
  it("reserves, has the link made, and asks under the reserved id", async () => {
    const { server, client } = await start();
    const asked = server.asked();
    const work = client.askExternal(
      (url) => Promise.resolve(`https://sign/?back=${encodeURIComponent(url)}`),
      {
        question: "Sign?",
        schema: z.object({ signed: z.boolean() }),
      },
    );
    const id = await asked;
    expect(id).toBe("r_reserved");
    server.end(id, { status: "answered", answer: { signed: true } });
    expect((await work).signed).toBe(true);
    expect(server.questions.get(id)?.body).toMatchObject({
      answer_format: "external",
      link: "https://sign/?back=https%3A%2F%2Fpub%2Fcb%2F1",
    });
  });

  it("passes the link maker's exception on, with nothing stored", async () => {
    const { server, client } = await start();
    const broken = new RangeError("no link today");
    const make = (): string => {
      throw broken;
    };
    expect(await failureOf(client.askExternal(make, { question: "Sign?" }))).toBe(broken);
    expect(server.questions.size).toBe(0);
  });

  it("asks again under a kept reservation, and takes an id only where a template makes the link", async () => {
    const { server, client } = await start();
    const reservation = await client.reserve();
    const asked = server.asked();
    const work = client.askExternal((url) => url, { question: "Sign?", reservation });
    server.end(await asked, { status: "answered", answer: { ok: 1 } });
    expect(await work).toEqual({ ok: 1 });
    expect(await client.askExternal((url) => url, { question: "Sign?", reservation })).toEqual({ ok: 1 });
    expect(
      await failureOf(client.askExternal((url) => url, { question: "Sign?", id: "mine-0001" })),
    ).toMatchObject({
      errors: [{ path: "/id" }],
    });
  });
});
