import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  expectGuarded,
  externalQuestions,
  FORM,
  github,
  NOT_FOUND,
  SECRET,
  seen,
  signed,
} from "../support/callback-door.ts";
import { askOverChannel } from "../support/channel-question.ts";
import { send } from "../support/send.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

let interlude: Interlude;
const { askExternal, itemOf, resultOf } = externalQuestions(() => interlude);

beforeAll(async () => {
  interlude = await startInterlude({
    secrets: { provider: SECRET, other: "another secret" },
    settings: { callback_rate_per_minute: 1_000 },
  });
});

afterAll(() => interlude.stop());

describe("a question asked over a channel", () => {
  it("case 54: takes {answer}, typed by its format, and never the query", async () => {
    const { id, callbackUrl } = await askOverChannel(interlude, {
      answer_format: "select",
      format_payload: { options: ["a", { value: "b", label: "B" }] },
    });
    for (const json of [{}, { answer: "c" }, { answer: "B" }, { answer: 1 }, { answer: "a", extra: 1 }, []]) {
      expect((await send(callbackUrl, { json })).status).toBe(400);
    }
    expect((await send(`${callbackUrl}?answer=a`, { method: "POST" })).status).toBe(400);
    expect((await send(callbackUrl, { body: "answer=a", headers: FORM })).status).toBe(415);
    expect((await send(callbackUrl, { json: { answer: "b" } })).json).toEqual({
      interaction_id: id,
      status: "answered",
    });
    expect((await resultOf(id))["answer"]).toBe("b");
  });

  it("case 54: an empty body is the yes of a confirm", async () => {
    const { id, callbackUrl } = await askOverChannel(interlude, { answer_format: "confirm" });
    expect((await send(callbackUrl, { method: "POST" })).status).toBe(200);
    expect((await resultOf(id))["answer"]).toBe(true);
  });

  it.each([
    ["answer=true", true],
    ["answer=false", false],
  ])("a confirm's page posts %s, and is answered with a page", async (body, answer) => {
    const { id, callbackUrl } = await askOverChannel(interlude, { answer_format: "confirm" });
    expect((await send(callbackUrl, { body: "answer=maybe", headers: FORM })).status).toBe(400);
    const reply = await send(callbackUrl, { body, headers: FORM });
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expectGuarded(reply);
    expect((await resultOf(id))["answer"]).toBe(answer);
    expect(seen(await send(callbackUrl))).toEqual(seen(reply));
    const again = await send(callbackUrl, { body, headers: FORM });
    expect([again.status, again.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect((await resultOf(id))["answer"]).toBe(answer);
  });

  it("a person who is signed in to the inbox answers on the page too", async () => {
    const { callbackUrl } = await askOverChannel(interlude, { answer_format: "confirm" });
    const signedIn = await send(`${interlude.url}/api/session`, { json: { key: interlude.keys.answerer } });
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    // A page without referrer sends its form from the origin "null".
    const headers = { ...FORM, cookie, origin: "null" };
    expect((await send(callbackUrl, { body: "answer=true", headers })).status).toBe(200);
  });
});

describe("a page", () => {
  const AGENTS = ["SkypeUriPreview Preview/0.5", "Slackbot-LinkExpanding 1.0", "Mozilla/5.0"];

  it("A-GET-1, A-GET-2, case 58: is the same bytes for everybody and every question, and changes nothing", async () => {
    const [one, two] = [
      await askOverChannel(interlude, { answer_format: "confirm" }),
      await askOverChannel(interlude, { answer_format: "confirm", question: "Another?" }),
    ];
    const queries = ["", "?approved=true&answer=yes", "?answer=true"];
    const urls = [one, two].flatMap(({ callbackUrl }) => queries.map((query) => `${callbackUrl}${query}`));
    const replies = await Promise.all(
      urls.flatMap((url) => AGENTS.map((agent) => send(url, { headers: { "user-agent": agent } }))),
    );
    for (const reply of replies) {
      expect(seen(reply)).toEqual(seen(replies[0] ?? reply));
      expect(reply.status).toBe(200);
      expectGuarded(reply);
    }
    for (const { callbackUrl } of [one, two]) await send(callbackUrl, { method: "HEAD" });
    for (const { id } of [one, two]) expect((await itemOf(id))["status"]).toBe("pending");
    expect((await send(one.callbackUrl, { json: { answer: true } })).status).toBe(200);
  });

  it("case 58: an external one confirms by posting to its own address, query and all", async () => {
    const { id, url } = await askExternal();
    const page = await send(`${url}?order=%22%3E%3Cscript%3E&n=1`);
    expect(page.status).toBe(200);
    expect(page.text).toContain('<form method="post">');
    expect(page.text).not.toContain("action=");
    // Case 60: nothing of the request stands in the page.
    expect(seen(page)).toEqual(seen(await send(url, { headers: { "x-any": "reflected?" } })));
    expect((await itemOf(id))["status"]).toBe("pending");
    const posted = await send(`${url}?order=1&n=2`, { body: "", headers: FORM });
    expect([posted.status, posted.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect((await resultOf(id))["answer"]).toEqual({ order: "1", n: "2" });
  });

  it("HEAD has the headers of GET and no body", async () => {
    const { url } = await askExternal();
    const [got, head] = [await send(url), await send(url, { method: "HEAD" })];
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers.get("content-security-policy")).toBe(got.headers.get("content-security-policy"));
  });

  it("case 59: for text and select says to reply where the message came, without a form", async () => {
    for (const answer_format of ["text", "select"] as const) {
      const { callbackUrl } = await askOverChannel(interlude, {
        answer_format,
        format_payload: { options: ["a"] },
      });
      const page = await send(callbackUrl);
      expect(page.status).toBe(200);
      expect(page.text).not.toContain("<form");
    }
  });

  it("case 59: is the constant 404 where a verifier is bound, open and answered", async () => {
    const { url } = await askExternal({ verifier: github });
    const before = await send(url);
    expect([before.status, before.text]).toEqual([404, NOT_FOUND]);
    await send(url, { body: "{}", headers: signed("{}", "page-1") });
    expect(seen(await send(url))).toEqual(seen(before));
  });
});
