import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRequests, type Requests } from "../src/requests.ts";
import { openTestLog } from "./open-test-log.ts";

let test: Awaited<ReturnType<typeof openTestLog>>;
let requests: Requests;

beforeEach(async () => {
  test = await openTestLog();
  requests = openRequests(test.log.connection, "_INBOX_requests", 200);
});
afterEach(async () => {
  requests.close();
  await test.close();
});

/** Answers each request with its own text, once for each of the copies it asks for, and then an empty end. */
function echo(subject: string) {
  test.log.connection.subscribe(subject, {
    callback: (_error, message) => {
      const [copies = "1", text = ""] = message.string().split(":");
      for (let copy = 0; copy < Number(copies); copy++) message.respond(text);
      if (Number(copies) > 1) message.respond("");
    },
  });
}

describe("requests over one inbox", () => {
  it("give every caller its own answer", async () => {
    echo("echo");
    const texts = Array.from({ length: 300 }, () => randomUUID());
    const answers = await Promise.all(
      texts.map((text) => requests.one({ subject: "echo", payload: `1:${text}` })),
    );
    expect(answers.map(({ data }) => Buffer.from(data).toString())).toEqual(texts);
  });

  it("collect all answers up to the last one", async () => {
    echo("echo");
    const answers = await requests.all(
      { subject: "echo", payload: "3:again" },
      ({ data }) => data.length === 0,
    );
    expect(answers.map(({ data }) => Buffer.from(data).toString())).toEqual(["again", "again", "again", ""]);
  });

  it("end with an error when nobody answers in time", async () => {
    test.log.connection.subscribe("silent");
    await expect(requests.one({ subject: "silent", payload: "" })).rejects.toMatchObject({
      code: "log_unavailable",
    });
  });

  it("end at once when the connection is lost", async () => {
    const waiting = test.log.requests.one({ subject: "silent", payload: "" });
    test.log.connection.subscribe("silent");
    const refused = expect(waiting).rejects.toMatchObject({ message: "the connection to NATS was lost" });
    await test.server.kill();
    await refused;
  });

  it("say it when a message is too large to be sent", async () => {
    const payload = new Uint8Array(9_000_000);
    await expect(requests.one({ subject: "large", payload })).rejects.toMatchObject({
      code: "log_unavailable",
    });
  });
});
