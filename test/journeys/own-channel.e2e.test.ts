import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { eventually, freePort } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { converse } from "../support/converse.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

const SECRET = "desk-secret";
const MODULE = fileURLToPath(new URL("../../examples/webhook-channel/src/index.ts", import.meta.url));

const signature = (body: string, seconds = Math.floor(Date.now() / 1_000)): string =>
  `t=${seconds},v1=${createHmac("sha256", SECRET).update(`${seconds}.${body}`).digest("hex")}`;

let desk: Server;
let ada: string;
let interlude: Interlude;
const received: Record<string, unknown>[] = [];
const at = () => ({ ...interlude, natsUrl: interlude.nats.url });
const { call, ask, result } = converse(at);

beforeAll(async () => {
  const port = await freePort();
  ada = `http://127.0.0.1:${port}/ada`;
  desk = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const isOurs = request.headers["webhook-signature"] === signature(body);
      if (isOurs) received.push(JSON.parse(body) as Record<string, unknown>);
      response.writeHead(isOurs ? 200 : 401).end(JSON.stringify({ id: `m${received.length}` }));
    });
  }).listen(port, "127.0.0.1");
  await once(desk, "listening");
  interlude = await startInterlude({
    env: {
      INTERLUDE_CHANNELS: `webhook=${MODULE},pager=@acme/no-such-package`,
      WEBHOOK_SECRET: SECRET,
      WEBHOOK_ALLOWED_ORIGINS: new URL(ada).origin,
      WEBHOOK_DEFAULT_RECIPIENT: ada,
      PAGER_TOKEN: "token",
    },
  });
});
afterAll(async () => {
  await interlude.stop();
  desk.close();
  await once(desk, "close");
});

const sentAs = (kind: string, text: string) =>
  received.find((each) => each["kind"] === kind && each["text"] === text);

function reply(body: object, signed = true): Promise<Response> {
  const text = JSON.stringify(body);
  return fetch(`${interlude.url}/api/channels/webhook/webhook`, {
    method: "POST",
    headers: { "webhook-signature": signed ? signature(text) : signature(`${text} `) },
    body: text,
  });
}

it("a question over a channel of one's own goes out signed, and its signed reply is the answer", async () => {
  const asked = await ask({ question: "Ship it?", answer_format: "confirm", channel: "webhook" });
  expect(asked.status).toBe(201);
  await eventually(() => {
    expect(sentAs("question", "Ship it?")).toMatchObject({ format: "confirm" });
  });
  const answer = { id: "r1", conversation: ada, from: "ada", text: "yes" };
  expect((await reply(answer, false)).status).toBe(401);
  expect((await reply(answer)).status).toBe(200);
  const { json } = await result(String(asked.json["interaction_id"]), "?wait=10");
  expect(json).toMatchObject({ status: "answered", answer: true, answered_by: "channel:webhook:ada" });
  await eventually(() => {
    expect(sentAs("end", "Answered: Yes")).toBeDefined();
  });
});

it.each([
  [
    "a form, which it does not deliver",
    { answer_format: "form", schema: { type: "object", properties: { a: { type: "string" } } } },
    "/answer_format",
    "channel webhook",
  ],
  [
    "an origin that is not on its list",
    { recipient: "https://elsewhere.example/ada" },
    "/recipient",
    "WEBHOOK_ALLOWED_ORIGINS",
  ],
  [
    "a channel whose module is not there",
    { channel: "pager", recipient: "ada" },
    "/channel",
    "@acme/no-such-package",
  ],
])("a question is refused for %s", async (_what, fields, path, told) => {
  const { status, json } = await ask({ question: "Which?", channel: "webhook", ...fields });
  expect([status, json]).toMatchObject([
    400,
    { code: "validation_failed", errors: [{ path, message: expect.stringContaining(told) as string }] },
  ]);
  expect(sentAs("question", "Which?")).toBeUndefined();
});

it("each is told of with what it can do, or with what is wrong", async () => {
  const { json } = await call("/api/channels", { key: interlude.keys.answerer });
  expect(Object.values(json)).toEqual([
    {
      name: "pager",
      health: { status: "misconfigured", reason: expect.stringContaining("@acme/no-such-package") as string },
    },
    expect.objectContaining({
      name: "webhook",
      health: { status: "ok" },
      capabilities: expect.objectContaining({ form_delivery: "none", reply_context: true }) as unknown,
    }),
  ]);
});
