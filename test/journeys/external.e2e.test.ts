import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Reply, send } from "../support/send.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

let interlude: Interlude;

beforeAll(async () => {
  interlude = await startInterlude({ secrets: { provider: "s3cret" } });
});

afterAll(() => interlude.stop());

const TEMPLATE = "https://pay.example/?return={callback_url}";

function ask(fields: Record<string, unknown>, key = interlude.keys.asker): Promise<Reply> {
  const json = { question: "Pay?", answer_format: "external", link: TEMPLATE, ...fields };
  return send(`${interlude.url}/api/interactions`, { key, json });
}

function reserve(key = interlude.keys.asker): Promise<Reply> {
  return send(`${interlude.url}/api/interactions/reservations`, { key, json: {} });
}

async function itemOf(id: string, key: string): Promise<Record<string, unknown>> {
  return (await send(`${interlude.url}/api/interactions/${id}`, { key })).json;
}

const pathsOf = ({ json }: Reply): unknown =>
  Array.isArray(json["errors"]) ? json["errors"].map((fault: { path: string }) => fault.path) : json;

describe("a link template", () => {
  it("is filled percent-encoded in a query and a fragment, and as it is in a path", async () => {
    const links = [
      "https://pay.example/?return={callback_url}",
      "https://pay.example/#return={callback_url}",
      "https://pay.example/back/{callback_url}",
    ];
    for (const link of links) {
      const asked = await ask({ link });
      const filled = String(asked.json["link"]);
      const callback = `${interlude.url}/api/interactions/callback/`;
      const expected = link.includes("back/") ? callback : encodeURIComponent(callback);
      expect(filled.startsWith(link.replace("{callback_url}", expected))).toBe(true);
    }
  });

  it("that is the placeholder alone is the callback's own page", async () => {
    const asked = await ask({ link: "{callback_url}" });
    expect(asked.status).toBe(201);
    const page = await send(String(asked.json["link"]));
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  });

  it("keeps other braces, and fills each place", async () => {
    const asked = await ask({ link: "https://pay.example/?a={x}&u={callback_url}&v={callback_url}" });
    expect(asked.status).toBe(201);
    expect(String(asked.json["link"])).toContain("a={x}&u=http");
    expect(String(asked.json["link"]).match(/callback%2F/g)).toHaveLength(2);
  });

  it.each([
    ["without a placeholder", "https://pay.example/"],
    ["that is no web address", "ftp://pay.example/{callback_url}"],
    ["that is none after filling", "/pay?return={callback_url}"],
    ["that fills its host", "https://{callback_url}/"],
    ["that is missing", undefined],
  ])("%s is refused, naming link", async (_, link) => {
    const refused = await ask({ link });
    expect([refused.status, pathsOf(refused)]).toEqual([400, ["/link"]]);
  });

  it("is filled with the callback that answers", async () => {
    const asked = await ask({});
    const url = new URL(String(asked.json["link"])).searchParams.get("return") ?? "";
    expect((await send(url, { json: { paid: 1 } })).json["status"]).toBe("answered");
  });
});

describe("who is shown the link", () => {
  it("those who may answer, while it is open; nobody finds a ticket elsewhere", async () => {
    const asked = await ask({ audience: "bob" });
    const id = String(asked.json["interaction_id"]);
    const link = String(asked.json["link"]);
    const { keys, url } = interlude;
    const ticket = link.split("callback%2F")[1] ?? "";
    expect(ticket.length).toBeGreaterThan(60);
    expect(await itemOf(id, keys.answerer)).toMatchObject({ format_payload: { url: link } });
    const forAsker = await send(`${url}/api/interactions/${id}`, { key: keys.asker });
    expect(forAsker.text).not.toContain(ticket);
    const history = await send(`${url}/api/interactions/${id}/events`, { key: keys.answerer });
    expect(history.text).not.toContain(ticket);
    expect((await itemOf(id, keys.groupAnswerer))["code"]).toBe("not_found");
  });
});

describe("a reservation", () => {
  it("gives an id and a callback URL before the question, and the question may carry them", async () => {
    const reserved = await reserve();
    expect(reserved.status).toBe(201);
    const { interaction_id: id, callback_url, expires_at } = reserved.json;
    expect(Date.parse(String(expires_at))).toBeGreaterThan(Date.now());
    const link = `https://pay.example/made-by-program?back=${encodeURIComponent(String(callback_url))}`;
    const asked = await ask({ id, link });
    expect([asked.status, asked.json["interaction_id"], asked.json["link"]]).toEqual([201, id, link]);
    expect((await send(String(callback_url), { json: { ok: true } })).json).toEqual({
      interaction_id: id,
      status: "answered",
    });
  });

  it("a callback before its question is asked to come again, and then answers", async () => {
    const { json } = await reserve();
    const url = String(json["callback_url"]);
    const early = await send(url, { json: { ok: true } });
    expect([early.status, early.text]).toEqual([503, '{"error":"unavailable"}']);
    expect(early.headers.get("retry-after")).toBe("1");
    expect(early.headers.get("cache-control")).toBe("no-store");
    expect((await send(url)).status).toBe(404);
    expect((await ask({ id: json["interaction_id"], link: url })).status).toBe(201);
    expect((await send(url, { json: { ok: true } })).json["status"]).toBe("answered");
  });

  it("is nothing for another subject, nor when it is made up", async () => {
    const { json } = await reserve();
    const id = json["interaction_id"];
    const other = await ask({ id, link: json["callback_url"] }, interlude.keys.otherAsker);
    expect([other.status, other.json["code"]]).toEqual([404, "not_found"]);
    const forged = await ask({ id: `r_${"A".repeat(56)}` });
    expect([forged.status, forged.json["code"]]).toEqual([404, "not_found"]);
    expect((await ask({ id, link: json["callback_url"] })).status).toBe(201);
  });

  it("a question under it needs a link that leads to it", async () => {
    const { json } = await reserve();
    const refused = await ask({ id: json["interaction_id"], link: "https://pay.example/" });
    expect([refused.status, pathsOf(refused)]).toEqual([400, ["/link"]]);
    expect((await ask({ id: json["interaction_id"] })).status).toBe(201);
  });

  it("a repeat under it is the same question, and other content a conflict", async () => {
    const { json } = await reserve();
    const fields = { id: json["interaction_id"], link: json["callback_url"] };
    expect((await ask(fields)).status).toBe(201);
    const repeat = await ask(fields);
    expect([repeat.status, repeat.json["link"]]).toEqual([200, json["callback_url"]]);
    expect((await ask({ ...fields, question: "Other?" })).status).toBe(409);
  });

  it("no caller may choose such an id, and only askers reserve", async () => {
    expect((await ask({ id: "r_of_my_own" })).status).toBe(404);
    expect((await reserve(interlude.keys.answerer)).status).toBe(403);
  });
});

describe("what else an external question is refused for", () => {
  it.each([
    ["a verifier that is unknown", { verifier: { name: "gitlab", config: { secret_ref: "provider" } } }],
    ["a secret that is not there", { verifier: { name: "github", config: { secret_ref: "missing" } } }],
    ["a secret given inline", { verifier: { name: "github", config: { secret: "s3cret" } } }],
    ["a schema that cannot be compiled", { schema: { type: "nonsense" } }],
  ])("%s", async (_, fields) => {
    const refused = await ask(fields);
    expect([refused.status, refused.json["code"]]).toEqual([400, "validation_failed"]);
    expect(refused.text).not.toContain("s3cret");
  });

  it("a verifier on anything else, and an answer by the API", async () => {
    const { url, keys } = interlude;
    const refused = await send(`${url}/api/interactions`, {
      key: keys.asker,
      json: { question: "Go?", verifier: { name: "github", config: { secret_ref: "provider" } } },
    });
    expect(refused.status).toBe(400);
    const asked = await ask({});
    const answered = await send(`${url}/api/interactions/${String(asked.json["interaction_id"])}/answer`, {
      key: keys.answerer,
      json: { answer: {} },
    });
    expect([answered.status, answered.json["code"]]).toEqual([400, "validation_failed"]);
  });

  it("no item tells of a verifier more than that there is one", async () => {
    const asked = await ask({ verifier: { name: "github", config: { secret_ref: "provider" } } });
    const item = await send(`${interlude.url}/api/interactions/${String(asked.json["interaction_id"])}`, {
      key: interlude.keys.asker,
    });
    expect(item.json["server_verified"]).toBe(true);
    expect(item.text).not.toContain("provider");
    expect(item.text).not.toContain("github");
  });
});
