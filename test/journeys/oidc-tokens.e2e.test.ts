import { createSecretKey } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "@interlude/testing";
import { exportSPKI, importJWK, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { converse, faultsOf } from "../support/converse.ts";
import type { Deployment } from "../support/deployment.ts";
import { openStream } from "../support/event-stream.ts";
import {
  AUDIENCE,
  type IdentityProvider,
  newKey,
  startIdentityProvider,
} from "../support/identity-provider.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";
import { openStoreWitness, type StoreWitness } from "../support/store-witness.ts";

const folder = mkdtempSync(join(tmpdir(), "interlude-oidc-"));
const denyFile = join(folder, "deny.json");
let provider: IdentityProvider;
let interlude: Interlude;
let witness: StoreWitness;
const at = (): Deployment => ({ ...interlude, natsUrl: interlude.nats.url });
const { ask, answer, result, call } = converse(at);

beforeAll(async () => {
  writeFileSync(denyFile, "[]");
  provider = await startIdentityProvider({
    programs: {
      billing: { roles: ["asker", "accountant"], groups: ["sales"] },
      desk: { roles: ["answerer"], groups: ["finance"] },
    },
  });
  const env = { ...provider.variables, INTERLUDE_DENY_FILE: denyFile };
  interlude = await startInterlude({ env: { ...env, INTERLUDE_OIDC_ROLES_CLAIM: "roles" } });
  witness = await openStoreWitness(interlude.nats.url);
});

afterAll(async () => {
  await witness.close();
  await interlude.stop();
  await provider.stop();
  rmSync(folder, { recursive: true, force: true });
});

const seconds = (fromNow: number) => Math.floor(Date.now() / 1_000) + fromNow;
const me = async (key: string) => (await call("/api/me", { key })).status;

describe("a JWT of the configured provider", () => {
  it("asks and answers as its subject, by its roles and groups", async () => {
    const billing = await provider.tokenOf("billing");
    const desk = await provider.tokenOf("desk");
    expect((await call("/api/me", { key: billing })).json).toEqual({
      ...{ subject: "billing", roles: ["asker"], groups: ["sales"] },
    });
    const asked = await ask({ question: "Pay?", audience: "group:finance" }, { key: billing });
    expect(asked.status).toBe(201);
    const id = String(asked.json["interaction_id"]);
    expect((await answer(id, "yes", { key: billing })).status).toBe(403);
    expect((await answer(id, "yes", { key: interlude.keys.answerer })).status).toBe(404);
    expect((await answer(id, "yes", { key: desk })).status).toBe(200);
    expect((await result(id, "", { key: billing })).json).toMatchObject({
      answer: "yes",
      answered_by: "desk",
    });
  });

  it("without a role of ours is known, and refused where one is needed", async () => {
    const key = await provider.sign({ roles: ["owner", "Asker"], groups: ["sales"] });
    expect(faultsOf(await call("/api/me", { key }))).toMatchObject({ status: 403, code: "forbidden" });
  });

  it("counts a moment before its time and after, and no longer", async () => {
    const roles = ["asker"];
    expect(await me(await provider.sign({ roles, nbf: seconds(1) }))).toBe(200);
    expect(await me(await provider.sign({ roles, nbf: seconds(30) }))).toBe(401);
    expect(await me(await provider.sign({ roles, exp: seconds(-10) }))).toBe(401);
    expect(await me(await provider.sign({ roles, aud: ["other", AUDIENCE] }))).toBe(200);
  });

  it("ends its stream with itself, within five seconds", async () => {
    const exp = seconds(2);
    const key = await provider.sign({ sub: "streamer", roles: ["answerer"], exp });
    const stream = await openStream(interlude.url, { key });
    expect(stream.status).toBe(200);
    await eventually(() => stream.isOver(), { withinMs: 10_000 });
    expect(Date.now() / 1_000).toBeGreaterThanOrEqual(exp);
    expect(Date.now() / 1_000).toBeLessThan(exp + 5);
    expect(await me(key)).toBe(401);
  });

  it("of a subject that is denied is refused, and its stream ends", async () => {
    const key = await provider.sign({ sub: "mallory", roles: ["answerer"] });
    const stream = await openStream(interlude.url, { key });
    writeFileSync(denyFile, JSON.stringify(["mallory"]));
    await eventually(() => stream.isOver(), { withinMs: 5_000 });
    expect(await me(key)).toBe(401);
    writeFileSync(denyFile, "[]");
    await eventually(async () => (await me(key)) === 200);
  });
});

describe("what is no token of the provider for us", () => {
  const roles = ["asker", "answerer", "operator"];
  const publicPem = async () => {
    const { n, e } = provider.key().jwk;
    const key = await importJWK({ kty: "RSA", n: String(n), e: String(e) }, "RS256");
    if (key instanceof Uint8Array) throw new TypeError("a public key is no bytes");
    return exportSPKI(key);
  };
  const claims = () => ({ iss: provider.issuer, aud: AUDIENCE, sub: "eve", roles, exp: seconds(600) });
  const tampered = async () => {
    const [head = "", body = "", signature = ""] = (
      await provider.sign({ sub: "dora", roles: ["asker"] })
    ).split(".");
    const said: unknown = JSON.parse(Buffer.from(body, "base64url").toString("utf8"));
    const changed = Buffer.from(JSON.stringify({ ...(said as object), roles })).toString("base64url");
    return [head, changed, signature].join(".");
  };

  const bad: readonly [string, () => Promise<string> | string][] = [
    ["expired", () => provider.sign({ roles, exp: seconds(-60) })],
    ["without an end", () => provider.sign({ roles, exp: undefined })],
    ["not valid yet", () => provider.sign({ roles, nbf: seconds(600) })],
    ["for another audience", () => provider.sign({ roles, aud: "https://other.test" })],
    ["for no audience", () => provider.sign({ roles, aud: undefined })],
    ["of another issuer", () => provider.sign({ roles, iss: "https://other.test" })],
    ["of the issuer with a slash more", () => provider.sign({ roles, iss: `${provider.issuer}/` })],
    ["without a subject", () => provider.sign({ roles, sub: undefined })],
    ["of a subject that is a group's name", () => provider.sign({ roles, sub: "group:finance" })],
    ["of another use", () => provider.sign({ roles }, { header: { typ: "logout+jwt" } })],
    ["signed by a key of nobody's", async () => provider.sign({ roles }, { key: await newKey() })],
    [
      "signed by another key under the provider's key id",
      async () => provider.sign({ roles }, { key: { ...(await newKey()), kid: provider.key().kid } }),
    ],
    ["tampered with", tampered],
    ["not signed at all", () => new UnsecuredJWT(claims()).encode()],
    [
      "signed with the public key as a shared secret",
      async () =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: "HS256", kid: provider.key().kid })
          .sign(createSecretKey(Buffer.from(await publicPem()))),
    ],
    ["cut", async () => (await provider.sign({ roles })).slice(0, -8)],
    ["no token", () => "a.b.c"],
  ];

  it.each(bad)("a token %s is 401, and leaves nothing behind", async (_, make) => {
    const key = await make();
    const before = await witness.everything();
    const reply = await ask({ question: "Let me in?" }, { key });
    expect(faultsOf(reply)).toMatchObject({ status: 401, code: "unauthenticated" });
    expect(reply.headers.get("www-authenticate")).toBe("Bearer");
    expect(await witness.everything()).toBe(before);
  });
});

describe("the provider's keys", () => {
  const token = () => provider.sign({ roles: ["asker"] });

  it("are found anew when they rotate, and those withdrawn are good for nothing", async () => {
    const old = await token();
    expect(await me(old)).toBe(200);
    await provider.rotate();
    const fresh = await token();
    await eventually(async () => (await me(fresh)) === 200, { withinMs: 15_000, everyMs: 200 });
    expect(await me(old)).toBe(401);
  });

  it("that are known go on working while the provider is away; of others nothing can be told", async () => {
    const known = await token();
    expect(await me(known)).toBe(200);
    await provider.goAway();
    const unknown = await provider.sign({ roles: ["asker"] }, { key: await newKey() });
    const refused = await eventually(
      async () => {
        const reply = await call("/api/me", { key: unknown });
        return reply.status === 503 ? reply : false;
      },
      { withinMs: 15_000, everyMs: 200 },
    );
    expect(faultsOf(refused === false ? await call("/") : refused)).toMatchObject({ code: "unavailable" });
    expect(await me(known)).toBe(200);
    expect(await me(interlude.keys.asker)).toBe(200);
    await provider.rotate();
  });
});
