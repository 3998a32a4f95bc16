import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { converse, faultsOf, messagesOf } from "../support/converse.ts";
import type { Deployment } from "../support/deployment.ts";
import { head, openSocket, rawRequest, readReply } from "../support/raw-request.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";
import { openStoreWitness, type StoreWitness } from "../support/store-witness.ts";

const FRIEND = "https://friend.example";
let interlude: Interlude;
let witness: StoreWitness;
let pending: string;
let stored: string;
const at = (): Deployment => ({ ...interlude, natsUrl: interlude.nats.url });
const { asked, answer, call } = converse(at);

beforeAll(async () => {
  interlude = await startInterlude({ env: { INTERLUDE_CORS_ORIGINS: FRIEND } });
  witness = await openStoreWitness(interlude.nats.url);
  pending = await asked();
  stored = await witness.everything();
});

afterAll(async () => {
  await witness.close();
  await interlude.stop();
});

afterEach(async () => {
  expect(await witness.everything()).toBe(stored);
});

const raw = (line: string, ...more: string[]) =>
  rawRequest(interlude.url, head(line, interlude.apiKey, ...more));

describe("a path that is no door is 404, never a 5xx", () => {
  it.each([
    "/api/interactions/%ff",
    "/api/interactions/%",
    "/api/interactions/%zz/answer",
    "/api/interactions/%c0%af",
    "/api/interactions/%00",
    "/api/interactions/a%0d%0ab",
    "/api/interactions/a%20b/events",
    "/api/interactions/*",
    "/api/interactions/%3E",
    "/api/interactions/a.b.c/result",
    "/api/interactions/..%2f..%2fetc",
    "/api/interactions/../interactions/x",
    "/api/interactions//x",
    "//api/interactions",
    "//evil.example/api/interactions",
    "/api//interactions",
    "/api/interactions/x/answer/y",
    "/API/interactions",
    "/api/interactions;x=1",
    `/api/interactions/${"a".repeat(8_000)}`,
    "/api/interactions/💩",
    "/api/interactions/__proto__",
    "/api/interactions/constructor/events",
    "/assets/..%2f..%2fpackage.json",
    "/assets/%2e%2e/nothing",
    "/assets/.env",
    "/.git/config",
    "/nothing",
  ])("GET %s", async (path) => {
    const reply = await raw(`GET ${encodeURI(path).replaceAll("%25", "%")}`);
    expect(reply.status).toBe(404);
    expect(reply.head).toMatch(/x-request-id/i);
    expect(reply.text).toContain('"not_found"');
  });

  it.each([
    "/api/interactions/callback/%ff",
    "/api/interactions/callback/a%00b",
    "/api/interactions/callback/..",
  ])("the public door has one 404 for %s too", async (path) => {
    const [odd, plain] = [await raw(`GET ${path}`), await raw("GET /api/interactions/callback/nothing")];
    if (!path.endsWith("..")) expect([odd.status, odd.text]).toEqual([404, plain.text]);
    expect(odd.status).toBeLessThan(500);
  });

  it("a media id that does not decode is no 5xx", async () => {
    for (const id of ["%ff", "%00", "short", "a".repeat(44)]) {
      expect([400, 404]).toContain((await raw(`GET /api/interactions/media/${id}`)).status);
    }
  });

  it("a target that is a whole address, or none, is served or refused plainly", async () => {
    expect((await raw(`GET ${interlude.url}/api/me`)).status).toBeLessThan(500);
    expect((await raw("OPTIONS *")).status).toBeLessThan(500);
    expect((await raw("GET api/me")).status).toBe(400);
    expect((await raw("CONNECT example.com:443")).status).toBeLessThan(500);
  });
});

describe("a trailing slash is the same resource", () => {
  it.each(["/api/me/", "/api/interactions/", "/healthz/", "/api/openapi.json/"])(
    "%s is 200 without a redirect",
    async (path) => {
      expect((await raw(`GET ${path}`)).status).toBe(200);
    },
  );

  it("also for one question and with a query", async () => {
    expect((await raw(`GET /api/interactions/${pending}/`)).status).toBe(200);
    expect((await raw("GET /api/interactions/?page_size=3")).text).toContain('"page_size":3');
  });
});

describe("a parameter that a door does not take", () => {
  const json = { "content-type": "application/json" };
  it.each<[string, string, string?]>([
    ["GET", "/api/me"],
    ["GET", "/api/interactions"],
    ["GET", "/api/interactions/stream"],
    ["GET", "/api/interactions/{id}"],
    ["GET", "/api/interactions/{id}/events"],
    ["GET", "/api/interactions/{id}/result"],
    ["DELETE", "/api/interactions/{id}/result"],
    ["GET", "/api/notifications"],
    ["GET", "/metrics"],
    ["DELETE", "/api/session"],
    ["POST", "/api/interactions", '{"question":"?"}'],
    ["POST", "/api/interactions/{id}/answer", '{"answer":"x"}'],
    ["POST", "/api/interactions/{id}/cancel", "{}"],
    ["POST", "/api/interactions/reservations", "{}"],
    ["POST", "/api/notifications", '{"message":"!"}'],
    ["POST", "/api/session", '{"key":"k"}'],
    ["POST", "/api/session/links", "{}"],
  ])("is 400 at %s %s, naming it", async (method, path, body) => {
    const at = path.replace("{id}", pending);
    for (const name of ["unknwon", "__proto__", "a/b"]) {
      const sent = { method, key: interlude.apiKey, ...(body === undefined ? {} : { body, headers: json }) };
      const reply = await call(`${at}?${encodeURIComponent(name)}=1`, sent);
      expect(faultsOf(reply)).toEqual({ status: 400, code: "validation_failed", paths: [name] });
      expect(messagesOf(reply)).toContain(name);
    }
  });

  it("nor one given twice, and each of several is told", async () => {
    const reply = await call(`/api/interactions/${pending}/result?wait=0&wait=1&x=1&x=2&y`, {
      key: interlude.apiKey,
    });
    expect(faultsOf(reply)).toMatchObject({ status: 400, paths: ["wait", "x", "y"] });
  });

  it("at an upload comes after what is wrong with its body, and before a byte is stored", async () => {
    const upload = (body: Uint8Array<ArrayBuffer>) =>
      call("/api/interactions/media?kind=image", { key: interlude.apiKey, body });
    expect((await upload(new Uint8Array([1, 2, 3]))).status).toBe(415);
    const gif = new TextEncoder().encode("GIF89a\x01\0\x01\0\0\0\0;");
    expect(faultsOf(await upload(gif))).toMatchObject({ status: 400, paths: ["kind"] });
  });

  it("changes nothing at the public pages and files, nor at health", async () => {
    for (const path of ["/", "/signin", `/q/${pending}`, "/healthz", "/readyz", "/api/openapi.json"]) {
      const [plain, tagged] = [await call(path), await call(`${path}?utm_source=mail`)];
      expect([tagged.status, tagged.text]).toEqual([plain.status, plain.text]);
    }
    expect((await call("/api/interactions/callback/none?x=1")).text).toBe('{"error":"not found"}');
  });

  it("is looked at after who asks and what the body is", async () => {
    expect((await call("/api/me?x=1")).status).toBe(401);
    const sent = { key: interlude.keys.answerer, body: "{", headers: json };
    expect((await call(`/api/interactions?x=1`, sent)).status).toBe(403);
    const malformed = await call(`/api/interactions/${pending}/answer?x=1`, sent);
    expect(faultsOf(malformed)).toMatchObject({ status: 400, paths: [""] });
  });
});

describe("a method that a door does not take", () => {
  it.each([
    ["PUT", "/api/interactions", "GET, HEAD, POST, OPTIONS"],
    ["DELETE", "/api/interactions", "GET, HEAD, POST, OPTIONS"],
    ["PATCH", "/api/interactions/abcdefgh", "GET, HEAD, OPTIONS"],
    ["GET", "/api/interactions/abcdefgh/answer", "POST, OPTIONS"],
    ["HEAD", "/api/interactions/abcdefgh/cancel", "POST, OPTIONS"],
    ["POST", "/api/interactions/stream", "GET, HEAD, OPTIONS"],
    ["PUT", "/api/interactions/abcdefgh/result", "GET, HEAD, DELETE, OPTIONS"],
    ["POST", "/healthz", "GET, HEAD, OPTIONS"],
    ["PROPFIND", "/api/interactions", "GET, HEAD, POST, OPTIONS"],
    ["TRACE", "/api/me", "GET, HEAD, OPTIONS"],
  ])("%s %s is 405 and says which are allowed", async (method, path, allow) => {
    const reply = await raw(`${method} ${path}`, "content-length: 0", "connection: close");
    expect(reply.status).toBe(405);
    const told = /^allow: (.*)$/im.exec(reply.head)?.[1] ?? "";
    expect(new Set(told.split(", "))).toEqual(new Set(allow.split(", ")));
    if (method !== "HEAD") expect(reply.text).toContain('"method_not_allowed"');
  });

  it("is no HTTP at all when it is made up", async () => {
    expect((await raw("BREW /api/me")).status).toBe(400);
  });
});

describe("HEAD and OPTIONS", () => {
  it.each(["/api/interactions", "/api/me", "/healthz", "/readyz", "/api/openapi.json", "/metrics"])(
    "HEAD %s has the head of its GET and no body",
    async (path) => {
      const [one, other] = [
        await call(path, { method: "HEAD", key: interlude.apiKey }),
        await call(path, { key: interlude.apiKey }),
      ];
      expect([one.status, one.text]).toEqual([other.status, ""]);
      expect(one.headers.get("content-type")).toBe(other.headers.get("content-type"));
    },
  );

  it("HEAD of a question, its history and the stream ends at once", async () => {
    for (const path of [
      `/api/interactions/${pending}`,
      `/api/interactions/${pending}/events`,
      "/api/interactions/stream",
    ]) {
      const reply = await raw(`HEAD ${path}`, "connection: close");
      expect([reply.status, reply.text]).toEqual([200, ""]);
    }
  });

  it.each([
    "/api/interactions",
    "/api/interactions/abcdefgh/answer",
    "/api/interactions/stream",
    "/api/interactions/callback/x",
  ])("OPTIONS %s tells the methods and changes nothing", async (path) => {
    const reply = await call(path, { method: "OPTIONS" });
    expect(reply.status).toBe(204);
    expect(reply.headers.get("allow")).toContain("OPTIONS");
    expect(reply.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("a friend's preflight passes, a stranger's tells nothing (A-SSE-5)", async () => {
    const preflight = (origin: string) =>
      call("/api/interactions/stream", {
        method: "OPTIONS",
        headers: {
          origin,
          "access-control-request-method": "GET",
          "access-control-request-headers": "authorization,last-event-id,cache-control",
        },
      });
    const friend = await preflight(FRIEND);
    expect(friend.headers.get("access-control-allow-origin")).toBe(FRIEND);
    for (const name of ["authorization", "last-event-id", "cache-control"]) {
      expect(friend.headers.get("access-control-allow-headers")).toContain(name);
    }
    expect(
      (await preflight("https://stranger.example")).headers.get("access-control-allow-origin"),
    ).toBeNull();
  });

  it.each(["/api/interactions", "/api/interactions/stream"])(
    "%s has one policy for origins, without wildcard or credentials",
    async (path) => {
      const of = async (origin: string) => {
        const reply = await raw(`HEAD ${path}`, `origin: ${origin}`, "connection: close");
        const named = (name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(reply.head)?.[1];
        return [named("access-control-allow-origin"), named("access-control-allow-credentials")];
      };
      expect(await of(FRIEND)).toEqual([FRIEND, undefined]);
      expect(await of("https://stranger.example")).toEqual([undefined, undefined]);
      expect(await of("null")).toEqual([undefined, undefined]);
    },
  );

  it("the live stream names its friend too", async () => {
    const socket = await openSocket(interlude.url);
    socket.write(head("GET /api/interactions/stream", interlude.apiKey, `origin: ${FRIEND}`));
    const first = await new Promise<string>((resolve) =>
      socket.once("data", (bytes: Buffer) => {
        resolve(bytes.toString());
      }),
    );
    socket.destroy();
    expect(first.toLowerCase()).toContain(`access-control-allow-origin: ${FRIEND}`);
  });
});

describe("one connection is used again", () => {
  it("after refusals of every kind", async () => {
    const socket = await openSocket(interlude.url);
    const lines = [
      "GET /nothing",
      "PUT /api/me",
      "GET /api/interactions?page=0",
      "GET /api/interactions/callback/x",
      "GET /healthz",
    ];
    for (const line of lines) socket.write(head(line, interlude.apiKey, "content-length: 0"));
    let text = "";
    await new Promise<void>((resolve) => {
      socket.on("data", (bytes: Buffer) => {
        text += bytes.toString("latin1");
        if (text.includes('{"status":"ok"}')) resolve();
      });
    });
    socket.destroy();
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual([
      "HTTP/1.1 404",
      "HTTP/1.1 405",
      "HTTP/1.1 400",
      "HTTP/1.1 404",
      "HTTP/1.1 200",
    ]);
  });

  it("or closed after a body that was not read, and never mistaken", async () => {
    const socket = await openSocket(interlude.url);
    const path = `/api/interactions/${pending}/answer`;
    socket.write(
      `${head(`POST ${path}`, interlude.apiKey, "content-type: text/plain", "content-length: 40")}${"x".repeat(40)}`,
    );
    expect((await readReply(socket, 5_000)).status).toBe(415);
    expect(faultsOf(await answer("abcdefgh", "x"))).toMatchObject({ status: 404 });
  });
});

it("every response names its request, and takes the name it is given", async () => {
  expect(
    (await call("/api/me", { key: interlude.apiKey, headers: { "x-request-id": "my-1.2_3" } })).headers.get(
      "x-request-id",
    ),
  ).toBe("my-1.2_3");
  for (const bad of ["a b", "x".repeat(129), "<script>"]) {
    const told = (await call("/nothing", { headers: { "x-request-id": bad } })).headers.get("x-request-id");
    expect(told).not.toBe(bad);
    expect(told).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  }
});

it("health, readiness and the description are public, metrics are the operator's", async () => {
  for (const path of ["/healthz", "/readyz", "/api/openapi.json"])
    expect((await call(path)).status).toBe(200);
  expect((await call("/api/openapi.json")).json["openapi"]).toBe("3.1.0");
  expect((await call("/metrics")).status).toBe(401);
  expect((await call("/metrics", { key: interlude.keys.asker })).status).toBe(403);
  expect((await call("/metrics", { key: interlude.keys.operator })).text).toContain("# TYPE");
});
