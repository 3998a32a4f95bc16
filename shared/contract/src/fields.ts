import { isJsonObject, type Json, type JsonObject } from "@interlude/kernel";
import { z } from "zod";
import { textFaults, type TextRule } from "./text.ts";

/** A string under a rule counted in code points, which zod's own length checks are not. */
export function text(rule: TextRule): z.ZodString {
  return z
    .string()
    .check((context) => {
      for (const message of textFaults(context.value, rule)) {
        context.issues.push({ code: "custom", message, input: context.value });
      }
    })
    .meta({ minLength: rule.min ?? 1, maxLength: rule.max });
}

/** Names of channels and drivers, and ids where their maker does not matter. */
export const NameSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 characters of A-Z, a-z, 0-9, _ and -");

/** Any object, kept as it came: copying or walking it here would cost and could lose a key. */
export function anyObject(description: string): z.ZodCustom<JsonObject, JsonObject> {
  return z
    .custom<JsonObject>(isJsonObject, { error: "must be an object" })
    .meta({ type: "object", description });
}

export function anyJson(description: string): z.ZodCustom<Json, Json> {
  return z.custom<Json>((value) => value !== undefined, { error: "is required" }).meta({ description });
}

/** A caller's map of strings: capped in keys, keys and values. */
export function stringMap(rule: {
  keys: number;
  key?: TextRule;
  value: TextRule;
}): z.ZodCustom<Readonly<Record<string, string>>, Readonly<Record<string, string>>> {
  return z
    .custom<Readonly<Record<string, string>>>(isJsonObject, { error: "must be an object", abort: true })
    .check((context) => {
      const keys = Object.keys(context.value);
      const say = (path: string[], message: string): void => {
        context.issues.push({ code: "custom", message, input: context.value, path });
      };
      if (keys.length > rule.keys) {
        say([], `must have at most ${rule.keys} keys and has ${keys.length}`);
        return;
      }
      for (const key of keys) {
        const value: unknown = context.value[key];
        for (const message of rule.key === undefined ? [] : textFaults(key, rule.key)) {
          say([key], `as a key ${message}`);
        }
        if (typeof value !== "string") say([key], "must be a string");
        else for (const message of textFaults(value, rule.value)) say([key], message);
      }
    })
    .meta({
      type: "object",
      maxProperties: rule.keys,
      additionalProperties: { type: "string", maxLength: rule.value.max },
    });
}
