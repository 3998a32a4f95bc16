/** The media type of a `Content-Type` header in lower case, and its charset if it names one. */
export function mediaType(
  header: string | undefined,
): { type: string; charset: string | undefined } | undefined {
  if (header === undefined) return undefined;
  const [type = "", ...parameters] = header.split(";").map((part) => part.trim());
  const charset = parameters
    .map((parameter) => /^charset="?([^"]+)"?$/i.exec(parameter)?.[1]?.toLowerCase())
    .find((found) => found !== undefined);
  return { type: type.toLowerCase(), charset };
}

/** Is this a JSON body in UTF-8, uncompressed? Other JSON-like types are not taken for it. */
export function isPlainJson(contentType: string | undefined, contentEncoding: string | undefined): boolean {
  const parsed = mediaType(contentType);
  if (parsed?.type !== "application/json") return false;
  return isIdentity(contentEncoding) && (parsed.charset === undefined || parsed.charset === "utf-8");
}

export function isIdentity(contentEncoding: string | undefined): boolean {
  return contentEncoding === undefined || contentEncoding.toLowerCase() === "identity";
}
