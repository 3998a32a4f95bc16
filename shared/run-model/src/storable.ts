/** Without the one character that Postgres text cannot hold: no door lets it in, but one stored event must not stop the rest. */
export function storableText(text: string): string {
  return text.includes("\u0000") ? text.replaceAll("\u0000", "\ufffd") : text;
}
