/** Characters that RFC 8187 lets stand as they are in an extended value. */
const EXTENDED_SAFE = /[A-Za-z0-9!#$&+.^_`|~-]/;
const MAX_FALLBACK_CHARS = 150;

/**
 * `Content-Disposition` for a download (RFC 6266): an ASCII name that every client understands, and the full
 * one where it differs. Nothing in a name can end the header or start another.
 */
export function attachment(filename: string): string {
  const name = baseName(filename);
  const fallback = asciiName(name);
  const plain = `attachment; filename="${fallback}"`;
  return fallback === name ? plain : `${plain}; filename*=UTF-8''${extendedValue(name)}`;
}

/** The last part of a path, without what a file system or a terminal would act on. */
function baseName(filename: string): string {
  const visible = filename
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, "");
  const last = visible.split(/[/\\]/).at(-1)?.trim() ?? "";
  return last === "" || /^\.+$/.test(last) ? "document" : last;
}

function asciiName(name: string): string {
  const { stem, extension } = splitExtension(name);
  const ascii = toAscii(stem).slice(0, MAX_FALLBACK_CHARS);
  return `${/^[. ]*$/.test(ascii) ? "document" : ascii}${toAscii(extension)}`;
}

/**
 * Quotes and percent signs go as well: clients disagree on how to undo them. Slashes and dots can come out of
 * the decomposition ("／", "‥"), so they are looked at after it.
 */
function toAscii(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^\x20-\x7e]|["%/\\]/g, "_");
}

function splitExtension(name: string): { stem: string; extension: string } {
  const at = name.lastIndexOf(".");
  return at > 0 && name.length - at <= 16
    ? { stem: name.slice(0, at), extension: name.slice(at) }
    : { stem: name, extension: "" };
}

function extendedValue(name: string): string {
  let value = "";
  for (const byte of Buffer.from(name, "utf8")) {
    const character = String.fromCharCode(byte);
    value += EXTENDED_SAFE.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return value;
}
