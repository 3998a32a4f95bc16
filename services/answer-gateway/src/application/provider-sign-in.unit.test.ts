import type { Bucket } from "@interlude/event-log";
import { ServiceFailure } from "@interlude/kernel";
import type { SignIn, SignInOutcome, SignInSecrets } from "@interlude/oidc";
import { generateKeyring, openSession, parseKeyring } from "@interlude/secrets";
import { keyRegistry, recordingLogger } from "@interlude/service-kit";
import { manualClock } from "@interlude/testing";
import { describe, expect, it } from "vitest";
import { AWAY_LIFETIME_MS, beginAtProvider, finishAtProvider } from "./provider-sign-in.ts";

const DAY_MS = 86_400_000;
const identity = { subject: "dora", roles: ["answerer"] as const, groups: ["finance"] };

/** A provider that vouches for everybody, as often as it is asked: less careful than a real one may be. */
function set(outcome?: Partial<SignInOutcome> | "away") {
  const clock = manualClock();
  const marks = new Set<string>();
  const logger = recordingLogger();
  const secrets: SignInSecrets = { state: "the-state", nonce: "the-nonce", verifier: "the-verifier" };
  const asked: SignInSecrets[] = [];
  const away = () => new ServiceFailure("identity_provider_unavailable", { retry: "later" });
  const signIn: SignIn = {
    providerName: "id.example",
    begin: () =>
      outcome === "away" ? Promise.reject(away()) : Promise.resolve({ url: "https://id.example", secrets }),
    finish: (_, kept) => {
      asked.push(kept);
      const good = { ok: true, identity, expiresAtMs: clock.nowMs() + 60_000 };
      return Promise.resolve({ ...good, ...(outcome === "away" ? {} : outcome) } as SignInOutcome);
    },
  };
  const keyring = parseKeyring(generateKeyring(), "KEYS");
  const deps = {
    ...{ signIn, keyring, clock, logger, sessions: bucketOf(marks) },
    ...{ keys: () => keyRegistry([]), denied: () => new Set<string>() },
  };
  return { deps, clock, keyring, marks, asked, logger };
}

function bucketOf(marks: Set<string>): Bucket {
  const unused = () => Promise.reject(new TypeError("not used here"));
  return {
    ...{ get: unused, put: unused, purge: unused, keys: unused, storedAtMs: unused, watch: unused },
    ...{ read: unused, replace: unused },
    create: (key) => Promise.resolve(!marks.has(key) && marks.add(key).has(key)),
  };
}

async function begun({ deps }: ReturnType<typeof set>): Promise<string> {
  const result = await beginAtProvider(deps, "/q/1");
  if (!result.ok) throw new TypeError(result.fault);
  return result.sealed;
}

const QUERY = "code=c&state=the-state";

describe("coming back from a provider", () => {
  it("signs in until the provider's word ends, and goes on to where one wanted", async () => {
    const all = set();
    const finished = await finishAtProvider(all.deps, QUERY, await begun(all));
    expect(finished).toMatchObject({ ok: true, lifetimeMs: 60_000, returnTo: "/q/1" });
    const session = openSession(all.keyring, finished.ok ? finished.cookie : "", all.clock.nowMs());
    expect(session).toMatchObject({ ...identity, expiresAtMs: all.clock.nowMs() + 60_000 });
    expect(all.asked).toMatchObject([{ nonce: "the-nonce", verifier: "the-verifier" }]);
  });

  it("counts once, also of many at once and where the provider would vouch again", async () => {
    const all = set();
    const sealed = await begun(all);
    const many = await Promise.all(
      Array.from({ length: 5 }, () => finishAtProvider(all.deps, QUERY, sealed)),
    );
    expect(many.filter(({ ok }) => ok)).toHaveLength(1);
    expect(many.filter(({ ok }) => !ok)).toEqual(Array(4).fill({ ok: false, fault: "not_begun" }));
  });

  it("too late is as not begun, and moves no request to the provider", async () => {
    const all = set();
    const sealed = await begun(all);
    all.clock.advance(AWAY_LIFETIME_MS);
    expect(await finishAtProvider(all.deps, QUERY, sealed)).toEqual({ ok: false, fault: "not_begun" });
    expect(await finishAtProvider(all.deps, "code=c&state=other", sealed)).toMatchObject({ ok: false });
    expect(all.asked).toEqual([]);
  });

  it("leaves no mark of whom the provider did not vouch for, and tells its operator a short code", async () => {
    const all = set({ ok: false, reason: "refused", code: "x".repeat(5_000) });
    expect(await finishAtProvider(all.deps, QUERY, await begun(all))).toEqual({
      ok: false,
      fault: "refused",
    });
    expect(all.marks.size).toBe(0);
    expect(JSON.stringify(all.logger.lines).length).toBeLessThan(300);
  });

  it("never signs in for longer than a session may be, nor with a word that has ended", async () => {
    const long = set({ ok: true, identity, expiresAtMs: Number.MAX_SAFE_INTEGER });
    const finished = await finishAtProvider(long.deps, QUERY, await begun(long));
    const opened = (afterMs: number) =>
      openSession(long.keyring, finished.ok ? finished.cookie : "", long.clock.nowMs() + afterMs);
    expect(opened(29 * DAY_MS)).toBeDefined();
    expect(opened(30 * DAY_MS)).toBeUndefined();
    const over = set({ ok: true, identity, expiresAtMs: 0 });
    expect(await finishAtProvider(over.deps, QUERY, await begun(over))).toEqual({
      ok: false,
      fault: "refused",
    });
  });

  it("says so when the provider is away, and fails where something else does", async () => {
    const away = set("away");
    expect(await beginAtProvider(away.deps, "/")).toEqual({ ok: false, fault: "provider_away" });
    const broken = set();
    const failing = () => Promise.reject(new ServiceFailure("log_unavailable", { retry: "later" }));
    const deps = { ...broken.deps, sessions: { ...broken.deps.sessions, create: failing } };
    await expect(finishAtProvider(deps, QUERY, await begun(broken))).rejects.toMatchObject({
      code: "log_unavailable",
    });
  });
});
