import { openLog } from "@interlude/event-log";
import { canonicalJson, sha256Base64Url } from "@interlude/kernel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askOverChannel } from "../support/channel-question.ts";
import { type Reply, send } from "../support/send.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

/** What must never be found outside of its asker's own reading. */
const PIN = "pin-4711-do-not-leak";

let interlude: Interlude;

beforeAll(async () => {
  interlude = await startInterlude();
});

afterAll(() => interlude.stop());

async function ask(fields: Record<string, unknown> = {}): Promise<string> {
  const json = { question: "PIN?", sensitive: true, ...fields };
  const asked = await send(`${interlude.url}/api/interactions`, { key: interlude.keys.asker, json });
  expect(asked.status, asked.text).toBe(201);
  return String(asked.json["interaction_id"]);
}

const door = (id: string, rest = ""): string => `${interlude.url}/api/interactions/${id}${rest}`;

function answer(id: string, value: unknown = PIN): Promise<Reply> {
  return send(door(id, "/answer"), { key: interlude.keys.answerer, json: { answer: value } });
}

function resultOf(id: string, key = interlude.keys.asker): Promise<Reply> {
  return send(door(id, "/result"), { key });
}

function acknowledge(id: string, key = interlude.keys.asker): Promise<Reply> {
  return send(door(id, "/result"), { key, method: "DELETE" });
}

describe("a sensitive answer", () => {
  it("case 63: is read by its asker, with its params, and by nobody else: operators get 403", async () => {
    const id = await ask();
    const json = { answer: PIN, params: { comment: PIN } };
    expect((await send(door(id, "/answer"), { key: interlude.keys.answerer, json })).status).toBe(200);
    expect((await resultOf(id)).json).toMatchObject({
      status: "answered",
      answer: PIN,
      params: { comment: PIN },
    });
    const { operator, otherAsker } = interlude.keys;
    const statuses = [operator, otherAsker, interlude.apiKey].map(
      async (key) => (await resultOf(id, key)).status,
    );
    expect(await Promise.all(statuses)).toEqual([403, 404, 403]);
  });

  it("is never listed, streamed, told in a history or in the reply to who gave it", async () => {
    const stream = await fetch(door("stream"), {
      headers: { authorization: `Bearer ${interlude.keys.operator}` },
    });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    const id = await ask();
    const answered = await answer(id);
    let frames = "";
    while (!frames.includes("interaction.answered")) frames += (await reader?.read())?.value ?? "";
    await reader?.cancel();

    const { operator, asker } = interlude.keys;
    const replies = [
      answered,
      await send(door(id), { key: operator }),
      await send(door(id), { key: asker }),
      await send(door(id, "/events"), { key: asker }),
      await send(
        `${interlude.url}/api/interactions?status=all&at_least=${String(answered.json["sequence"])}`,
        {
          key: operator,
        },
      ),
    ];
    for (const reply of replies) {
      expect(reply.status).toBe(200);
      expect(reply.text).not.toContain(PIN);
    }
    expect(frames).not.toContain(PIN);
    expect(replies[1]?.json).toMatchObject({ sensitive: true, status: "answered" });
    expect(replies[1]?.json).not.toHaveProperty("answer");
  });

  it("stands in the log sealed only", async () => {
    const id = await ask();
    await answer(id);
    const log = await openLog({ url: interlude.nats.url, service: "journey" });
    try {
      const filter = { last_by_subj: `interactions.answered.*.*.${id}` };
      const stored = (await log.manager.streams.getMessage("INTERACTIONS", filter))?.string() ?? "";
      expect(stored).toContain('"sealed"');
      expect(stored).not.toContain(PIN);
      expect(stored).not.toContain('"params"');
    } finally {
      await log.close();
    }
  });

  it("leaves nothing to try guesses against, and its repeat is known as long as its key is there", async () => {
    const id = await ask();
    const json = { answer: PIN };
    const give = () =>
      send(door(id, "/answer"), {
        key: interlude.keys.answerer,
        json,
        headers: { "idempotency-key": "pin-once" },
      });
    const given = await give();
    expect(given.status, given.text).toBe(200);
    const log = await openLog({ url: interlude.nats.url, service: "journey" });
    try {
      const filter = { last_by_subj: `interactions.answered.*.*.${id}` };
      const stored = (await log.manager.streams.getMessage("INTERACTIONS", filter))?.string() ?? "";
      expect(stored).toContain('"request"');
      expect(stored).not.toContain(sha256Base64Url(canonicalJson(json)));
    } finally {
      await log.close();
    }
    expect((await give()).json).toEqual(given.json);
    expect((await acknowledge(id)).status).toBe(204);
    const late = await give();
    expect([late.status, late.json["code"]]).toEqual([409, "already_answered"]);
  });

  it("is gone once its asker has acknowledged it, as often as that is said", async () => {
    const id = await ask();
    await answer(id);
    for (const key of [interlude.keys.operator, interlude.keys.answerer]) {
      expect((await acknowledge(id, key)).status).toBe(403);
    }
    expect((await acknowledge(id, interlude.keys.otherAsker)).status).toBe(404);
    expect((await resultOf(id)).status).toBe(200);
    expect((await acknowledge(id)).status).toBe(204);
    const gone = await resultOf(id);
    expect([gone.status, gone.json["code"]]).toEqual([404, "not_found"]);
    expect((await acknowledge(id)).status).toBe(204);
    expect((await send(door(id), { key: interlude.keys.asker })).json).toMatchObject({ status: "answered" });
  });

  it("is refused where it does not fit, like any other, and the reply does not repeat it", async () => {
    const id = await ask({ answer_format: "select", options: ["a", "b"] });
    const refused = await answer(id, PIN);
    expect(refused.status).toBe(400);
    expect(refused.text).not.toContain(PIN);
    expect((await answer(id, "a")).status).toBe(200);
    expect((await answer(id, "b")).status).toBe(409);
    expect((await resultOf(id)).json["answer"]).toBe("a");
  });

  it("comes with the ask that waits for it", async () => {
    const asking = send(`${interlude.url}/api/interactions`, {
      key: interlude.keys.asker,
      json: { id: "sensitive-wait", question: "PIN?", sensitive: true },
      headers: { prefer: "wait=20" },
    });
    let given: Reply | undefined;
    while (given?.status !== 200) given = await answer("sensitive-wait");
    expect((await asking).json).toMatchObject({ status: "answered", answer: PIN });
  });

  it("case 63: comes by callback too, sealed, and a second one learns nothing", async () => {
    const { id, url } = await askExternal();
    const first = await send(url, { json: { pin: PIN } });
    const second = await send(url, { json: { pin: "other" } });
    expect(first.json).toEqual({ interaction_id: id, status: "answered" });
    expect(second.text).toBe('{"status":"already_answered"}');
    expect((await resultOf(id)).json["answer"]).toEqual({ pin: PIN });
    expect((await resultOf(id, interlude.keys.operator)).status).toBe(403);
  });
});

async function askExternal(): Promise<{ id: string; url: string }> {
  const fields = { answer_format: "external", link: "https://pay.example/?u={callback_url}" };
  const json = { question: "PIN?", sensitive: true, ...fields };
  const asked = await send(`${interlude.url}/api/interactions`, { key: interlude.keys.asker, json });
  const url = new URL(String(asked.json["link"])).searchParams.get("u") ?? "";
  return { id: String(asked.json["interaction_id"]), url };
}

it("an answer whose key is missing is not taken in the clear", async () => {
  const { id, callbackUrl } = await askOverChannel(interlude, { answer_format: "text", sensitive: true });
  const reply = await send(callbackUrl, { json: { answer: PIN } });
  expect([reply.status, reply.text]).toEqual([503, '{"error":"unavailable"}']);
  expect((await send(door(id), { key: interlude.keys.asker })).json["status"]).toBe("pending");
});

it("an open one has no result to acknowledge, and an ordinary one may be acknowledged and stays", async () => {
  const open = await ask();
  const refused = await acknowledge(open);
  expect(refused.status).toBe(400);
  expect(refused.json).toMatchObject({ code: "validation_failed", errors: [{ path: "id" }] });
  expect(String(refused.json["detail"])).toContain("still open");
  const plain = await ask({ sensitive: false });
  await answer(plain, "hello");
  expect((await acknowledge(plain)).status).toBe(204);
  expect((await resultOf(plain)).json["answer"]).toBe("hello");
});
