import { InterludeError } from "../errors.ts";
import { isObject } from "../json.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** What the service sent is not what the contract says: a proxy's page, or another version. */
export function unexpected(what: string, requestId?: string): InterludeError {
  return new InterludeError({
    code: "unexpected_response",
    detail: `The server's answer is not what was expected: ${what}`,
    requestId,
  });
}

export function fieldsOf(value: unknown, what: string): Fields {
  if (!isObject(value)) throw unexpected(`${what} is not an object`);
  return value;
}

export function text(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== "string") throw unexpected(`${name} is not a string`);
  return value;
}

export function optionalText(fields: Fields, name: string): string | undefined {
  return fields[name] === undefined || fields[name] === null ? undefined : text(fields, name);
}

export function count(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value !== "number") throw unexpected(`${name} is not a number`);
  return value;
}

export function optionalCount(fields: Fields, name: string): number | undefined {
  return fields[name] === undefined || fields[name] === null ? undefined : count(fields, name);
}

export function flag(fields: Fields, name: string): boolean {
  const value = fields[name];
  if (typeof value !== "boolean") throw unexpected(`${name} is not a boolean`);
  return value;
}

export function list(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name];
  if (!Array.isArray(value)) throw unexpected(`${name} is not a list`);
  return value;
}

export function texts(fields: Fields, name: string): string[] {
  return list(fields, name).map((value) => {
    if (typeof value !== "string") throw unexpected(`${name} holds something other than strings`);
    return value;
  });
}

export function oneOf<T extends string>(fields: Fields, name: string, known: readonly T[]): T {
  const value = text(fields, name);
  const found = known.find((candidate) => candidate === value);
  if (found === undefined) throw unexpected(`${name} is ${JSON.stringify(value)}`);
  return found;
}

export function textRecord(fields: Fields, name: string): Record<string, string> | undefined {
  if (fields[name] === undefined) return undefined;
  const entries = Object.entries(fieldsOf(fields[name], name));
  return Object.fromEntries(entries.map(([key, value]) => [key, String(value)]));
}

/** Absent stays absent, so that a printed item shows only what it has. */
export function present<T extends object>(fields: T): T {
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) Reflect.deleteProperty(fields, name);
  }
  return fields;
}
