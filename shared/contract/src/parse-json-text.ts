import { isJsonList, isJsonObject, type Json } from "@interlude/kernel";
import { CAPS } from "./caps.ts";
import { fault, type Step } from "./check.ts";
import type { FieldFault } from "./parsed.ts";

const MAX_FAULTS = 100;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Longer runs of digits, or an exponent, can make a number that is not finite. */
const LONG_NUMBER = 300;

const decoder = new TextDecoder("utf-8", { fatal: true });

type Scan = { deep: boolean; suspicious: boolean };

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** The index of the quote that ends the string that begins at `start`. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1) {
    let before = end;
    while (json.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end;
    end = json.indexOf('"', end + 1);
  }
  return json.length;
}

/** One pass without recursion before anything is built: how deep it goes, and whether numbers need a look. */
function scan(json: string): Scan {
  let depth = 0;
  let digits = 0;
  let suspicious = false;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) index = endOfString(json, index);
    else if (isDigit(code)) {
      if (++digits > LONG_NUMBER) suspicious = true;
      continue;
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > CAPS.JSON_MAX_DEPTH) return { deep: true, suspicious };
    } else if (code === 0x5d || code === 0x7d) depth--;
    // An `e` right after a digit is an exponent; those of `true` and `false` are not.
    else if (digits > 0 && (code | 0x20) === 0x65) suspicious = true;
    digits = 0;
  }
  return { deep: false, suspicious };
}

type Node = { value: Json; key: string | number; above: Node | undefined };

/** The place as it can itself be sent: what is being refused does not stand in it. */
function place(node: Node): Step[] {
  const keys: Step[] = [];
  for (let at = node; at.above !== undefined; at = at.above) {
    keys.unshift(typeof at.key === "string" ? at.key.toWellFormed().replaceAll("\0", "\uFFFD") : at.key);
  }
  return keys;
}

function textFault(text: string): string | undefined {
  if (text.includes("\0")) return "must not have a NUL character";
  return text.isWellFormed() ? undefined : "must not have a lone surrogate";
}

function nodeFault(value: Json): string | undefined {
  if (typeof value === "string") return textFault(value);
  return typeof value === "number" && !Number.isFinite(value) ? "must be a finite number" : undefined;
}

function keyFault(key: string | number): string | undefined {
  if (typeof key === "number") return undefined;
  if (key === "__proto__") return 'must not be named "__proto__"';
  const wrong = textFault(key);
  return wrong === undefined ? undefined : `as a key ${wrong}`;
}

/** Walks what JSON.parse made; with a stack of its own, so that no depth can overflow the call stack. */
function deepFaults(root: Json): FieldFault[] {
  const faults: FieldFault[] = [];
  const stack: Node[] = [{ value: root, key: "", above: undefined }];
  for (let node = stack.pop(); node !== undefined && faults.length < MAX_FAULTS; node = stack.pop()) {
    const { value } = node;
    for (const wrong of [keyFault(node.key), nodeFault(value)]) {
      if (wrong !== undefined) faults.push(fault(place(node), wrong));
    }
    if (isJsonList(value)) {
      for (let index = value.length - 1; index >= 0; index--) {
        stack.push({ value: value[index] ?? null, key: index, above: node });
      }
    } else if (isJsonObject(value)) {
      for (const [key, child] of Object.entries(value).reverse())
        stack.push({ value: child, key, above: node });
    }
  }
  return faults;
}

/** Why a body is refused: it is no JSON, it is nested too deeply, or it is JSON that holds what cannot be kept. */
export type JsonRefusal = "malformed" | "too_deep" | "unkept";
export type JsonText =
  { ok: true; value: Json } | { ok: false; reason: JsonRefusal; faults: readonly FieldFault[] };

function refused(message: string, reason: JsonRefusal = "malformed"): JsonText {
  return { ok: false, reason, faults: [{ path: "", message }] };
}

/**
 * Reads a JSON body as the contract takes it. The walk over the values is only made when the text could
 * hold what it looks for: NUL and lone surrogates need an escape in valid JSON, and so does a hidden `__proto__`.
 */
export function parseJsonText(bytes: Uint8Array): JsonText {
  let json: string;
  try {
    json = decoder.decode(bytes);
  } catch {
    return refused("the body is not valid UTF-8");
  }
  const { deep, suspicious } = scan(json);
  if (deep) return refused(`the body is nested deeper than ${CAPS.JSON_MAX_DEPTH} levels`, "too_deep");
  let value: Json;
  try {
    value = JSON.parse(json) as Json; // JSON.parse makes nothing else
  } catch {
    // The engine's own message quotes the body, which may hold what must not be repeated.
    return refused(
      json.trim() === "" ? "the body is empty, JSON was expected" : "the body is not valid JSON",
    );
  }
  if (!suspicious && !json.includes("\\u") && !json.includes("__proto__")) return { ok: true, value };
  const faults = deepFaults(value);
  return faults.length === 0 ? { ok: true, value } : { ok: false, reason: "unkept", faults };
}
