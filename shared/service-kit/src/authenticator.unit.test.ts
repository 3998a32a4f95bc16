import type { LiveClaim } from "@interlude/event-log";
import { generateKeyring, mintClaimId, mintClaimToken, parseKeyring, sealSession } from "@interlude/secrets";
import { ServiceFailure } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { type ApiKey, keyMark, keyRegistry, sha256Hex } from "./api-keys.ts";
import { createAuthenticator, type TokenVerifier } from "./authenticator.ts";

const bob: ApiKey = {
  id: "k1",
  sha256: sha256Hex("secret"),
  subject: "bob",
  roles: ["answerer"],
  groups: ["team"],
};
const keyring = parseKeyring(generateKeyring(), "KEYS");

function withKeys(first: ApiKey[], claims: ReadonlyMap<string, LiveClaim> = new Map()) {
  let keys = keyRegistry(first);
  let nowMs = 0;
  const denied = new Set<string>();
  const authenticator = createAuthenticator({
    keys: () => keys,
    denied: () => denied,
    sessionKeys: keyring,
    readCookie: (header) => header,
    isRevoked: () => false,
    findClaim: (_, claimId) => Promise.resolve(claims.get(claimId)),
    clock: { nowMs: () => nowMs },
  });
  const advance = (ms: number) => (nowMs += ms);
  return { authenticator, denied, advance, change: (next: ApiKey[]) => (keys = keyRegistry(next)) };
}

const session = (subject: string, roles: ApiKey["roles"], groups: string[]) =>
  sealSession(keyring, {
    sid: "s1",
    subject,
    roles,
    groups,
    keyId: "k1",
    keyMark: keyMark(bob),
    expiresAtMs: 1_000,
  });

const ways = [
  ["a key", { authorization: "Bearer secret", cookie: undefined }],
  ["a session made from a key", { authorization: undefined, cookie: session("bob", ["answerer"], ["team"]) }],
  [
    "a session made from a link of the key",
    { authorization: undefined, cookie: session("guest", ["asker"], []) },
  ],
] as const;

describe.each(ways)("%s", (_, headers) => {
  it("is taken, and stays valid while nothing changes", async () => {
    const { authenticator, change } = withKeys([bob]);
    const credential = await authenticator.authenticate(headers);
    expect(credential).toMatchObject({ keyId: "k1" });
    change([{ ...bob }]);
    expect(credential?.isValid()).toBe(true);
  });

  it.each([
    ["is gone", []],
    ["lost a group", [{ ...bob, groups: [] }]],
    ["got another role", [{ ...bob, roles: ["asker" as const] }]],
    ["got another secret", [{ ...bob, sha256: sha256Hex("new secret") }]],
  ])("ends when the key %s, and with it what is open", async (__, next) => {
    const { authenticator, change } = withKeys([bob]);
    const credential = await authenticator.authenticate(headers);
    change(next);
    expect(credential?.isValid()).toBe(false);
  });

  it.each(["k1", "bob"])("ends when %s is denied", async (name) => {
    const { authenticator, denied } = withKeys([bob]);
    const credential = await authenticator.authenticate(headers);
    denied.add(name);
    expect(credential?.isValid()).toBe(false);
    expect(await authenticator.authenticate(headers)).toBeUndefined();
  });
});

it("a session is not taken for another key's that goes by the same id", async () => {
  const other = { ...bob, sha256: sha256Hex("other"), subject: "eve" };
  const { authenticator, change } = withKeys([other, bob]);
  const credential = await authenticator.authenticate(ways[1][1]);
  expect(credential?.isValid()).toBe(true);
  change([other]);
  expect(credential?.isValid()).toBe(false);
});

describe("a claim's token", () => {
  const place = { driver: "bot", runToken: "run-1", parkToken: "p_1" };
  const claimId = mintClaimId(keyring, place);
  const token = mintClaimToken(keyring, { claimId, subject: "ann", groups: ["sales"] });
  const authorization = `Bearer ${token}`;
  const claim: LiveClaim = {
    ...{ claimId, driver: "bot", runId: "run 1", parkId: "mine", owner: "ann", address: place },
    ...{ fencing: 7, leaseUntilMs: 1_000 },
  };
  const live = new Map([[claimId, claim]]);

  it("stands for its subject as an asker, in the claim's run alone", async () => {
    const { authenticator } = withKeys([], live);
    const credential = await authenticator.authenticate({ authorization, cookie: undefined });
    const run = { driver: "bot", run_id: "run 1" };
    expect({ ...credential, isValid: credential?.isValid() }).toEqual({
      ...{ subject: "ann", groups: ["sales"], roles: ["asker"] },
      ...{ kind: "claim", run, claim, isValid: true },
    });
  });

  it("is nothing once its claim does not hold, is another, or its subject is denied", async () => {
    const other = new Map([[mintClaimId(keyring, place), claim]]);
    for (const claims of [new Map<string, LiveClaim>(), other]) {
      const { authenticator } = withKeys([], claims);
      expect(await authenticator.authenticate({ authorization, cookie: undefined })).toBeUndefined();
    }
    const { authenticator, denied } = withKeys([], live);
    denied.add("ann");
    expect(await authenticator.authenticate({ authorization, cookie: undefined })).toBeUndefined();
  });

  it("ends with the lease as it was read, and with its subject", async () => {
    const { authenticator, advance, denied } = withKeys([], live);
    const credential = await authenticator.authenticate({ authorization, cookie: undefined });
    denied.add("ann");
    expect(credential?.isValid()).toBe(false);
    denied.delete("ann");
    expect(credential?.isValid()).toBe(true);
    advance(1_000);
    expect(credential?.isValid()).toBe(false);
  });

  it("signs nobody in as a cookie", async () => {
    const { authenticator } = withKeys([], live);
    expect(await authenticator.authenticate({ authorization: undefined, cookie: token })).toBeUndefined();
  });

  it("cannot be judged while the log is away, and is neither taken nor refused", async () => {
    const authenticator = createAuthenticator({
      ...{ keys: () => keyRegistry([]), denied: () => new Set<string>(), sessionKeys: keyring },
      ...{ readCookie: (header) => header, isRevoked: () => false, clock: { nowMs: () => 0 } },
      findClaim: () => Promise.reject(new ServiceFailure("log_unavailable", { retry: "later" })),
    });
    await expect(authenticator.authenticate({ authorization, cookie: undefined })).rejects.toThrow();
  });
});

describe("a token of the identity provider", () => {
  const told = { subject: "dora", roles: ["answerer" as const], groups: ["finance"], expiresAtMs: 1_000 };
  const headers = { authorization: "Bearer a-token", cookie: undefined };
  const by = (verifyToken: TokenVerifier | undefined) => {
    const denied = new Set<string>();
    let nowMs = 0;
    const clock = { nowMs: () => nowMs };
    const authenticator = createAuthenticator({
      ...{ keys: () => keyRegistry([bob]), denied: () => denied, sessionKeys: keyring, clock },
      ...{
        readCookie: (header) => header,
        isRevoked: () => false,
        findClaim: () => Promise.resolve(undefined),
      },
      ...(verifyToken === undefined ? {} : { verifyToken }),
    });
    return { authenticator, denied, advance: (ms: number) => (nowMs += ms) };
  };

  it("stands for whom it speaks of, until it ends or its subject is denied", async () => {
    const { authenticator, denied, advance } = by(() => Promise.resolve(told));
    const credential = await authenticator.authenticate(headers);
    expect(credential).toMatchObject({
      subject: "dora",
      roles: ["answerer"],
      groups: ["finance"],
      kind: "token",
    });
    denied.add("dora");
    expect(credential?.isValid()).toBe(false);
    expect(await authenticator.authenticate(headers)).toBeUndefined();
    denied.clear();
    expect(credential?.isValid()).toBe(true);
    advance(1_000);
    expect(credential?.isValid()).toBe(false);
    expect(await authenticator.authenticate(headers)).toBeUndefined();
  });

  it("is not looked at where an API key is given, or no provider is there", async () => {
    const asked: string[] = [];
    const { authenticator } = by((token) => {
      asked.push(token);
      return Promise.resolve(undefined);
    });
    await authenticator.authenticate({ authorization: "Bearer secret", cookie: undefined });
    expect(asked).toEqual([]);
    expect(await by(undefined).authenticator.authenticate(headers)).toBeUndefined();
  });

  it("cannot be judged while its provider is away, and is neither taken nor refused", async () => {
    const away = new ServiceFailure("identity_provider_unavailable", { retry: "later" });
    const { authenticator } = by(() => Promise.reject(away));
    await expect(authenticator.authenticate(headers)).rejects.toBe(away);
  });
});

describe("no credential", () => {
  it.each([
    ["nothing", undefined, undefined],
    ["an unknown key", "Bearer other", undefined],
    ["another scheme", "Basic secret", undefined],
    ["a forged session", undefined, "forged"],
  ])("comes of %s", async (_, authorization, cookie) => {
    expect(await withKeys([bob]).authenticator.authenticate({ authorization, cookie })).toBeUndefined();
  });
});
