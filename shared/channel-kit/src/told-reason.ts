const REASON_MAX_CHARS = 300;

/** A provider's own words for a refusal, short, on one line, and without any of our secrets. */
export function toldReason(text: string, secrets: readonly string[]): string {
  let told = text.replace(/[\p{Cc}\s]+/gu, " ").trim();
  for (const secret of secrets) if (secret !== "") told = told.replaceAll(secret, "[secret]");
  return told.length > REASON_MAX_CHARS ? `${told.slice(0, REASON_MAX_CHARS).toWellFormed()}…` : told;
}
