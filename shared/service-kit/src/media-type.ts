/** The media type of a body in UTF-8, in lower case; empty where none is named, or another charset. */
export function mediaTypeOf(contentType: string | undefined): string {
  const [type = "", ...parameters] = (contentType ?? "").toLowerCase().split(";");
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith("charset="));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  return isUtf8 ? type.trim() : "";
}

/** Is this a JSON body in UTF-8, uncompressed? Other JSON-like types are not taken for it. */
export function isPlainJson(contentType: string | undefined, contentEncoding: string | undefined): boolean {
  return mediaTypeOf(contentType) === "application/json" && isIdentity(contentEncoding);
}

export function isIdentity(contentEncoding: string | undefined): boolean {
  return ["", "identity"].includes((contentEncoding ?? "").trim().toLowerCase());
}
