import { afterAll, beforeAll, expect, it } from "vitest";
import { send } from "../support/send.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

let first: Interlude;
let second: Interlude;

beforeAll(async () => {
  first = await startInterlude();
  second = await startInterlude({ beside: first });
});

afterAll(async () => {
  await second.stop();
  await first.stop();
});

it("a question asked at one process is answered at another one beside it", async () => {
  const asked = await send(`${first.url}/api/interactions`, {
    key: first.keys.asker,
    json: { question: "Go?" },
  });
  expect(asked.status).toBe(201);
  const id = String(asked.json["interaction_id"]);
  const answered = await send(`${second.url}/api/interactions/${id}/answer`, {
    key: first.keys.answerer,
    json: { answer: "yes" },
  });
  expect([answered.status, answered.json["answered_by"]]).toEqual([200, "bob"]);
});
