import {
  generateKeyring,
  openSealedPayload,
  parseKeyring,
  sealPayload,
  threadToken,
} from "@interlude/secrets";
import { beforeEach, describe, expect, it } from "vitest";
import { conversationKeysOf, keepConversationKeys } from "./conversation-keys.ts";

const [older, newer, newest] = [generateKeyring(), generateKeyring(), generateKeyring()];
const ringOf = (...keys: string[]) => parseKeyring(keys.join(","), "KEYS");
const begun = () => Promise.resolve(true);
const fresh = () => Promise.resolve(false);

describe("the key of conversations", () => {
  let stored: { value: string; revision: number } | undefined;
  const place = {
    read: () => Promise.resolve(stored),
    create(_key: string, value: string) {
      if (stored !== undefined) return Promise.resolve(false);
      stored = { value, revision: 1 };
      return Promise.resolve(true);
    },
    replace(_key: string, value: string, revision: number) {
      if (stored?.revision !== revision) return Promise.resolve(false);
      stored = { value, revision: revision + 1 };
      return Promise.resolve(true);
    },
  };
  const tokenBy = async (...keys: string[]) =>
    threadToken(await keepConversationKeys(place, ringOf(...keys), fresh), "sms", "+15550001111");

  beforeEach(() => {
    stored = undefined;
  });

  it("names a conversation the same while ticket keys come and go", async () => {
    const token = await tokenBy(older);
    const rolled = [[newer, older], [newer], [newest, newer], [newest]];
    for (const ring of rolled) expect(await tokenBy(...ring)).toBe(token);
    expect(await tokenBy(newest)).not.toBe(threadToken(ringOf(newest), "sms", "+15550001111"));
  });

  it("opens what was said before the keys were rolled", async () => {
    const sealed = sealPayload(await keepConversationKeys(place, ringOf(older), fresh), "turn", "hello");
    await keepConversationKeys(place, ringOf(newer, older), fresh);
    const reading = conversationKeysOf(() => Promise.resolve(place), ringOf(newer));
    expect(openSealedPayload(await reading(), "turn", sealed)).toBe("hello");
  });

  it("is the first ticket key where conversations began with that, and opens what older ones sealed", async () => {
    const address = ["telegram", "1001"] as const;
    const token = threadToken(ringOf(newer, older), ...address);
    const sealed = sealPayload(ringOf(older), "turn", "hello");
    const reading = conversationKeysOf(() => Promise.resolve(place), ringOf(newer, older));
    expect(openSealedPayload(await reading(), "turn", sealed)).toBe("hello");
    const kept = await keepConversationKeys(place, ringOf(newer, older), begun);
    expect(threadToken(kept, ...address)).toBe(token);
    expect(openSealedPayload(kept, "turn", sealed)).toBe("hello");
    expect(threadToken(await keepConversationKeys(place, ringOf(newest, newer), begun), ...address)).toBe(
      token,
    );
    expect(threadToken(await keepConversationKeys(place, ringOf(newest), begun), ...address)).toBe(token);
  });

  it("is one of all who make it at once", async () => {
    const rings = Array.from({ length: 5 }, () => keepConversationKeys(place, ringOf(older), fresh));
    const tokens = (await Promise.all(rings)).map((ring) => threadToken(ring, "sms", "+1"));
    expect(new Set(tokens).size).toBe(1);
  });

  it("is opened by no key that was removed, and a process of the old ring still works and changes nothing", async () => {
    const token = await tokenBy(older);
    await tokenBy(newer, older);
    const before = stored;
    expect(await tokenBy(older)).toBe(token);
    expect(stored).toBe(before);
    await tokenBy(newer);
    await expect(tokenBy(older)).rejects.toMatchObject({
      code: "configuration_invalid",
      message: expect.stringContaining(ringOf(newer).current.kid) as unknown,
    });
    const reading = conversationKeysOf(() => Promise.resolve(place), ringOf(older));
    await expect(reading()).rejects.toMatchObject({ code: "secret_missing" });
  });
});
