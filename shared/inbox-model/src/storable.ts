/** A character that Postgres text cannot hold; no door lets one in, but one stored event must not stop the rest. */
export function storableText(text: string): string {
  return text.includes("\u0000") ? text.replaceAll("\u0000", "\ufffd") : text;
}

const SUSPECT = /\\u(0000|d[89a-f])/i;
const UNSTORABLE = /\\\\|\\u0000|\\ud[89ab][0-9a-f]{2}|\\ud[c-f][0-9a-f]{2}/gi;

/** JSON text that `jsonb` takes: without escapes of NUL and of lone surrogates (pairs are not written as escapes). */
export function storableJson(json: string): string {
  if (!SUSPECT.test(json)) return json;
  return json.replaceAll(UNSTORABLE, (found) => (found === "\\\\" ? found : "\\ufffd"));
}
