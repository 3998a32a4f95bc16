import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  channelOf,
  checkpointName,
  keysBelow,
  namespaceEnd,
  namespacePrefix,
  readCheckpointName,
  valueName,
} from "./keys.ts";

const name = fc.string({ unit: "binary" });
const checkpointId = fc.string({ unit: "grapheme", minLength: 1 }).filter((id) => !id.includes("\0"));
const odd = fc.constantFrom("", "a", "a/", "/a", "a%2F", "%", "a:b", "{a}", "0", "\0", "é", "e\u0301");

describe("names in keys", () => {
  it("are different whenever what they name is", () => {
    fc.assert(
      fc.property(fc.oneof(name, odd), fc.oneof(name, odd), (one, other) => {
        const [, ...keys] = keysBelow("p").ofThread(one);
        const [, ...otherKeys] = keysBelow("p").ofThread(other);
        expect(keys.some((key) => (otherKeys as string[]).includes(key))).toBe(one === other);
        expect(valueName(one, 1) === valueName(other, 1)).toBe(one === other);
      }),
    );
  });

  it("give back what they name", () => {
    fc.assert(
      fc.property(fc.oneof(name, odd), checkpointId, (namespace, id) => {
        expect(readCheckpointName(checkpointName(namespace, id))).toEqual({ namespace, checkpointId: id });
        expect(channelOf(valueName(namespace, 1.5))).toBe(namespace);
      }),
    );
  });

  it("of a namespace lie between its ends, and those of no other do", () => {
    fc.assert(
      fc.property(fc.oneof(name, odd), fc.oneof(name, odd), checkpointId, (namespace, other, id) => {
        const bytes = Buffer.from(checkpointName(other, id));
        const isWithin =
          bytes.compare(Buffer.from(namespacePrefix(namespace))) >= 0 &&
          bytes.compare(Buffer.from(namespaceEnd(namespace))) < 0;
        expect(isWithin).toBe(namespace === other);
      }),
    );
  });
});
