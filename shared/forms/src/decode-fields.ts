import type { FieldFault } from "@interlude/contract";
import { pointer } from "@interlude/kernel";
import type { FormEntries } from "./type-submission.ts";

export type DecodedFields =
  | { readonly ok: true; readonly value: FormEntries }
  | { readonly ok: false; readonly faults: readonly FieldFault[] };

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * `application/x-www-form-urlencoded` as the URL standard decodes it, but for what it would silently replace or
 * what JSON bodies are refused for as well: bytes that are not UTF-8, NUL, lone surrogates and `__proto__`.
 */
export function decodeFields(encoded: string): DecodedFields {
  const fields: [string, string][] = [];
  const faults: FieldFault[] = [];
  for (const pair of encoded.split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const name = decode(at < 0 ? pair : pair.slice(0, at));
    const value = decode(at < 0 ? "" : pair.slice(at + 1));
    if (name === undefined || value === undefined) {
      faults.push({
        path: name === undefined ? "" : pointer("", name),
        message: `${shown(name)} is not UTF-8`,
      });
    } else {
      faults.push(...faultsIn(name, value));
      fields.push([name, value]);
    }
  }
  return faults.length === 0 ? { ok: true, value: fields } : { ok: false, faults };
}

function decode(text: string): string | undefined {
  const spaced = text.replaceAll("+", " ");
  if (!spaced.includes("%")) return spaced;
  // One character a byte, so that escapes and the bytes around them are put together before UTF-8 is read.
  const binary = Buffer.from(spaced, "utf8").toString("latin1");
  const unescaped = binary.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  try {
    return utf8.decode(Buffer.from(unescaped, "latin1"));
  } catch {
    return undefined;
  }
}

function faultsIn(name: string, value: string): FieldFault[] {
  const path = pointer("", name);
  if (name === "__proto__") return [{ path, message: "__proto__ is not a name that a field may have" }];
  if (/[\0\p{Cs}]/u.test(name)) return [{ path, message: "a field's name holds NUL or half a character" }];
  return /[\0\p{Cs}]/u.test(value) ? [{ path, message: `${shown(name)} holds NUL or half a character` }] : [];
}

function shown(name: string | undefined): string {
  return name === undefined ? "a field's name" : JSON.stringify(name);
}
