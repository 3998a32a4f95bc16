import { generateKeyring, parseKeyring, sealSession } from "@interlude/secrets";
import { describe, expect, it } from "vitest";
import { type ApiKey, keyMark, keyRegistry, sha256Hex } from "./api-keys.ts";
import { createAuthenticator } from "./authenticator.ts";

const bob: ApiKey = {
  id: "k1",
  sha256: sha256Hex("secret"),
  subject: "bob",
  roles: ["answerer"],
  groups: ["team"],
};
const keyring = parseKeyring(generateKeyring(), "KEYS");

function withKeys(first: ApiKey[]) {
  let keys = keyRegistry(first);
  const denied = new Set<string>();
  const authenticator = createAuthenticator({
    keys: () => keys,
    denied: () => denied,
    sessionKeys: keyring,
    readCookie: (header) => header,
    isRevoked: () => false,
    clock: { nowMs: () => 0 },
  });
  return { authenticator, denied, change: (next: ApiKey[]) => (keys = keyRegistry(next)) };
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
