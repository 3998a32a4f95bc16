const TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** Does `If-None-Match` name the tag? Weak comparison, as RFC 9110 wants it there. */
export function isNamedBy(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return [...ifNoneMatch.matchAll(TAG)].some(([, opaque]) => opaque === etag);
}

/** May a range be sent under this `If-Range`? Only for exactly the tag we gave: we give no dates. */
export function allowsRange(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag;
}
