import { expect, it } from "vitest";
import { generateKeyring, parseKeyring } from "./keyring.ts";
import { threadToken } from "./thread-token.ts";

const ring = (): ReturnType<typeof parseKeyring> => parseKeyring(generateKeyring(), "test");

it("a conversation's token is the same each time, tells nothing of it, and is its own", () => {
  const keyring = ring();
  const token = threadToken(keyring, "sms", "+15550001111");
  expect(token).toBe(threadToken(keyring, "sms", "+15550001111"));
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  const others = [
    threadToken(keyring, "whatsapp", "+15550001111"),
    threadToken(keyring, "sms", "+15550001112"),
    threadToken(ring(), "sms", "+15550001111"),
  ];
  expect(others).not.toContain(token);
});
