import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSealedPayload, parseKeyring, sealPayload } from "@interlude/secrets";
import { eventually, freePort } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChild } from "../support/child-process.ts";
import { type IdentityProvider, startIdentityProvider } from "../support/identity-provider.ts";
import { type Reply, send } from "../support/send.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";
import { openStoreWitness } from "../support/store-witness.ts";
import { newVisitor, type Visit, type Visitor } from "../support/visitor.ts";

const folder = mkdtempSync(join(tmpdir(), "interlude-signin-"));
const denyFile = join(folder, "deny.json");
const people = {
  dora: { roles: ["answerer", "owner"], groups: ["finance"] },
  nobody: { groups: ["finance"] },
  mallory: { roles: ["operator"] },
  joiner: { roles: ["answerer"], groups: Array.from({ length: 400 }, (_, each) => `group-${each}`) },
};
let provider: IdentityProvider;
let interlude: Interlude;

beforeAll(async () => {
  writeFileSync(denyFile, JSON.stringify(["mallory"]));
  const port = String(await freePort());
  provider = await startIdentityProvider({ publicUrl: `http://127.0.0.1:${port}`, people });
  const env = { ...provider.variables, PORT: port, INTERLUDE_DENY_FILE: denyFile };
  interlude = await startInterlude({ env });
});

afterAll(async () => {
  await interlude.stop();
  await provider.stop();
  rmSync(folder, { recursive: true, force: true });
});

const callbackOf = (url: string) => `${url}/api/session/oidc/callback`;
const session = (visit: Visit) => visit.setCookies.find((each) => each.startsWith("interlude_session"));
const sealed = (visitor: Visitor, url = interlude.url) => {
  const [name = "", value = ""] =
    [...visitor.cookies(url)].find(([each]) => each.startsWith("interlude_signin")) ?? [];
  return { name, value };
};

/** Out to the provider and in as `name`, or refusing with none; the way back that a browser would go on with. */
async function logIn(
  visitor: Visitor,
  name: string,
  options: { url?: string; query?: string } = {},
): Promise<string> {
  const { url = interlude.url, query = "" } = options;
  let next = (await visitor.visit(`${url}/api/session/oidc${query}`)).location;
  for (let step = 0; step < 10 && !next.startsWith(callbackOf(url)); step++) {
    const visit = await visitor.visit(next);
    next = visit.status === 200 ? (await visitor.visit(next, { name })).location : visit.location;
  }
  expect(next.startsWith(callbackOf(url))).toBe(true);
  return next;
}

function me(visitor: Visitor, url = interlude.url): Promise<Reply> {
  const cookie = [...visitor.cookies(url)].map(([name, value]) => `${name}=${value}`).join("; ");
  return send(`${url}/api/me`, { headers: { cookie } });
}

const refusedFor = (fault: string) => ({ status: 302, location: `${interlude.url}/signin?fault=${fault}` });

async function expectRefused(visitor: Visitor, back: string, fault: string): Promise<void> {
  const visit = await visitor.visit(back);
  expect(visit).toMatchObject(refusedFor(fault));
  expect(session(visit)).toBeUndefined();
  expect((await me(visitor)).status).toBe(401);
}

describe("signing in at the provider", () => {
  it("goes out with a proof that only this browser can give, and shows nothing of it", async () => {
    const visitor = newVisitor();
    const visit = await visitor.visit(`${interlude.url}/api/session/oidc`);
    expect(visit.status).toBe(302);
    const out = new URL(visit.location);
    expect(out.origin).toBe(provider.issuer);
    expect(Object.fromEntries(out.searchParams)).toMatchObject({
      ...{ response_type: "code", client_id: "inbox", scope: "openid", code_challenge_method: "S256" },
      redirect_uri: callbackOf(interlude.url),
    });
    const [cookie = "", ...more] = visit.setCookies;
    expect(more).toEqual([]);
    expect(cookie).toMatch(/^interlude_signin_\d+=.+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    const { value } = sealed(visitor);
    const [, box = ""] = value.split(".");
    const readable = value + Buffer.from(box, "base64url").toString("latin1");
    expect(readable).not.toContain(out.searchParams.get("state") ?? "none");
    expect(readable).not.toContain(out.searchParams.get("nonce") ?? "none");
  });

  it("comes back signed in, as the provider says, where one wanted to go, and no longer than it says", async () => {
    const visitor = newVisitor();
    const back = await logIn(visitor, "dora", { query: "?return_to=%2Fq%2Fabc%3Fx%3D1" });
    const witness = await openStoreWitness(interlude.nats.url);
    const before = await witness.everything();
    const visit = await visitor.visit(back);
    expect([visit.status, visit.location]).toEqual([302, `${interlude.url}/q/abc?x=1`]);
    expect(session(visit)).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
    const maxAge = Number(/Max-Age=(\d+)/.exec(session(visit) ?? "")?.[1]);
    expect(maxAge).toBeGreaterThan(200);
    expect(maxAge).toBeLessThanOrEqual(300);
    expect(sealed(visitor).value).toBe("");
    expect((await me(visitor)).json).toEqual({ subject: "dora", roles: ["answerer"], groups: ["finance"] });
    expect(await witness.everything()).toBe(before);
    await witness.close();
  });

  it.each([
    ["who has no role here", "nobody", "no_role"],
    ["who is denied", "mallory", "disabled"],
    ["whose groups no cookie can hold", "joiner", "too_large"],
    ["who thinks better of it", "", "declined"],
  ])("somebody %s is told so, and not signed in", async (_, name, fault) => {
    const visitor = newVisitor();
    await expectRefused(visitor, await logIn(visitor, name), fault);
    expect(sealed(visitor).value).toBe("");
  });

  it.each(["//evil.example", "https://evil.example/", "/\\evil.example", "/api/session/oidc", ""])(
    "never leads to %j afterwards",
    async (target) => {
      const reply = await send(
        `${interlude.url}/api/session/oidc?${new URLSearchParams({ return_to: target }).toString()}`,
      );
      expect(reply.json).toMatchObject({ status: 400, errors: [{ path: "return_to" }] });
      expect(reply.headers.getSetCookie()).toEqual([]);
    },
  );
});

describe("a way back that is not the one that was begun", () => {
  it("without the cookie of its beginning is refused", async () => {
    await expectRefused(newVisitor(), await logIn(newVisitor(), "dora"), "not_begun");
  });

  it("of another beginning is refused, and leaves this one as it was", async () => {
    const [visitor, attacker] = [newVisitor(), newVisitor()];
    const mine = await logIn(visitor, "dora");
    await expectRefused(visitor, await logIn(attacker, "dora"), "not_begun");
    expect((await visitor.visit(mine)).location).toBe(`${interlude.url}/`);
  });

  it.each([
    [
      "another state",
      (url: URL) => {
        url.searchParams.set("state", "other");
      },
    ],
    [
      "no state",
      (url: URL) => {
        url.searchParams.delete("state");
      },
    ],
    [
      "two states",
      (url: URL) => {
        url.searchParams.append("state", url.searchParams.get("state") ?? "");
      },
    ],
  ])("with %s is refused", async (_, change) => {
    const visitor = newVisitor();
    const back = new URL(await logIn(visitor, "dora"));
    change(back);
    await expectRefused(visitor, back.href, "not_begun");
  });

  it.each([
    [
      "another code",
      (url: URL) => {
        url.searchParams.set("code", "other");
      },
    ],
    [
      "no code",
      (url: URL) => {
        url.searchParams.delete("code");
      },
    ],
    [
      "another issuer's name",
      (url: URL) => {
        url.searchParams.set("iss", "https://other.test");
      },
    ],
  ])("with %s is refused", async (_, change) => {
    const visitor = newVisitor();
    const back = new URL(await logIn(visitor, "dora"));
    change(back);
    await expectRefused(visitor, back.href, "refused");
  });

  it("used before is refused, with its cookie and without", async () => {
    const visitor = newVisitor();
    const back = await logIn(visitor, "dora");
    const { name, value } = sealed(visitor);
    expect(session(await visitor.visit(back))).toBeDefined();
    await expectRefused(newVisitor(), back, "not_begun");
    const again = newVisitor();
    again.keep(interlude.url, name, value);
    await expectRefused(again, back, "refused");
  });

  it.each(["nonce", "verifier"])("with another %s than it was begun with is refused", async (part) => {
    const keyring = parseKeyring(interlude.shared["INTERLUDE_SESSION_KEYS"] ?? "", "KEYS");
    const visitor = newVisitor();
    const back = await logIn(visitor, "dora");
    const { name, value } = sealed(visitor);
    const begun = openSealedPayload(keyring, "oidc-sign-in", value) as Record<string, string>;
    const changed = { ...begun, [part]: "other-".repeat(10) };
    visitor.keep(interlude.url, name, sealPayload(keyring, "oidc-sign-in", changed));
    await expectRefused(visitor, back, "refused");
  });

  it("whose cookie was tampered with, or is another's, is refused", async () => {
    const visitor = newVisitor();
    const back = await logIn(visitor, "dora");
    const { name, value } = sealed(visitor);
    for (const changed of [`${value.slice(0, -6)}AAAAAA`, "forged", value.replace(/^[^.]+/, "other")]) {
      visitor.keep(interlude.url, name, changed);
      await expectRefused(visitor, back, "not_begun");
    }
  });

  it("says nothing of what was in the request", async () => {
    const visitor = newVisitor();
    const back = new URL(await logIn(visitor, "dora"));
    back.searchParams.delete("code");
    back.searchParams.set("error", "<script>alert(1)</script>");
    back.searchParams.set("error_description", "<script>alert(2)</script>");
    const visit = await visitor.visit(back.href);
    expect(visit).toMatchObject({ ...refusedFor("refused"), text: "" });
  });

  it("that is only looked at uses nothing up", async () => {
    const visitor = newVisitor();
    const back = await logIn(visitor, "dora");
    expect(session(await visitor.visit(back, undefined, "HEAD"))).toBeUndefined();
    expect(session(await visitor.visit(back))).toBeDefined();
  });
});

it("a provider that is away is named as the reason", async () => {
  const visitor = newVisitor();
  const back = await logIn(visitor, "dora");
  await provider.goAway();
  await expectRefused(visitor, back, "provider_away");
  await provider.rotate();
});

it("a session ends when the provider's word does", async () => {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const short = await startIdentityProvider({ publicUrl: url, people, idTokenSeconds: 4 });
  const beside = await startInterlude({ beside: interlude, env: { ...short.variables, PORT: port } });
  const visitor = newVisitor();
  const visit = await visitor.visit(await logIn(visitor, "dora", { url }));
  const [cookie = ""] = (session(visit) ?? "").split(";");
  const status = async () => (await send(`${url}/api/me`, { headers: { cookie } })).status;
  expect(await status()).toBe(200);
  await eventually(async () => (await status()) === 401, { withinMs: 8_000, everyMs: 100 });
  await beside.stop();
  await short.stop();
});

it("without a provider the doors are not there, and tokens are refused", async () => {
  const beside = await startInterlude({ beside: interlude });
  for (const path of ["/api/session/oidc", "/api/session/oidc/callback?code=x&state=y"]) {
    expect((await send(beside.url + path)).status).toBe(404);
  }
  const key = await provider.sign({ roles: ["operator"] });
  expect((await send(`${beside.url}/api/me`, { key })).status).toBe(401);
  await beside.stop();
});

it("a half of the variables refuses to start, naming what is missing", async () => {
  const { INTERLUDE_OIDC_AUDIENCE: _, ...rest } = provider.variables;
  await expect(startInterlude({ beside: interlude, env: rest })).rejects.toThrow("INTERLUDE_OIDC_AUDIENCE");
});

it("a sign-in without an address to come back to refuses to start, naming the variable", async () => {
  const { INTERLUDE_DEV_KEY: _, ...keyrings } = interlude.shared;
  const child = startChild(["service", "answer-gateway"], {
    ...{ ...keyrings, ...provider.variables, PORT: String(await freePort()), INTERLUDE_HOME: folder },
    ...{ NATS_URL: interlude.nats.url, DATABASE_URL: interlude.databaseUrl, INTERLUDE_LOG_LEVEL: "silent" },
  });
  await eventually(() => child.exitCode() !== null, { withinMs: 30_000, everyMs: 100 }).finally(() =>
    child.kill(),
  );
  expect(child.exitCode()).toBe(1);
  expect(child.output()).toContain("INTERACTIONS_PUBLIC_BASE_URL is needed");
});
