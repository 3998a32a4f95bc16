import type { MediaCustody, MediaStore, ReadableMedia } from "@interlude/event-log";
import { problemResponse, type RequestContext, type Route } from "@interlude/service-kit";
import { categoryOf, extensionOf } from "../application/accepted-types.ts";
import { readRange } from "../application/byte-range.ts";
import { attachment } from "../application/content-disposition.ts";
import { allowsRange, isNamedBy } from "../application/entity-tags.ts";
import { bodyOf } from "./media-body.ts";

const MEDIA_ID = /^[A-Za-z0-9_-]{43}$/;
/** The bytes of an id never change; how long a copy may outlive them is this. */
const MAX_AGE_SECONDS = 86_400;
const NOT_KEPT = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

export type ServeDeps = { store: MediaStore; custody: Pick<MediaCustody, "claimedName"> };

/** Serves stored bytes to whoever has their id. Nothing served here can run in the page's origin. */
export function serveDoor({ store, custody }: ServeDeps): Route {
  return {
    door: "GET /api/interactions/media/:mediaId",
    body: "none",
    constant: true,
    async handle(context) {
      if (!isDecodable(context.incoming.url ?? "")) return notFound();
      const id = context.param("mediaId");
      if (!MEDIA_ID.test(id)) return invalidId();
      const media = await store.head(id);
      if (media === undefined) return notFound();
      const headers = { ...fixedHeaders(media), ...(await disposition(media, custody)) };
      return respond(context, media, headers);
    },
  };
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.split("?")[0] ?? "");
    return true;
  } catch {
    return false;
  }
}

/** `error` is for those who read this door before it spoke of problems. */
function invalidId(): Response {
  const message = "mediaId: must be 43 characters of A-Z, a-z, 0-9, _ and -";
  return problemResponse({
    code: "validation_failed",
    detail: "The media id is not valid.",
    faults: [{ path: "mediaId", message }],
    extra: { error: "invalid media id" },
    headers: NOT_KEPT,
  });
}

/** Always the same bytes. */
function notFound(): Response {
  return problemResponse({
    code: "not_found",
    detail: "There is no such media.",
    extra: { error: "not found" },
    headers: NOT_KEPT,
  });
}

function fixedHeaders({ contentType, etag }: ReadableMedia): Record<string, string> {
  return {
    "content-type": contentType,
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "same-site",
    "cache-control": `private, max-age=${MAX_AGE_SECONDS}, immutable`,
    "accept-ranges": "bytes",
    etag,
  };
}

/** Documents are saved, not opened in place: some of them can carry script. */
async function disposition(
  media: ReadableMedia,
  custody: ServeDeps["custody"],
): Promise<Record<string, string>> {
  if (categoryOf(media.contentType) !== "document") return { "content-disposition": "inline" };
  const name = (await custody.claimedName(media.id)) ?? `document.${extensionOf(media.contentType)}`;
  return { "content-disposition": attachment(name) };
}

async function respond(
  context: RequestContext,
  media: ReadableMedia,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  if (isNamedBy(context.header("if-none-match"), media.etag))
    return new Response(null, { status: 304, headers });
  const isHead = context.incoming.method === "HEAD";
  // A range is defined for GET alone (RFC 9110, 14.2).
  const mayBePart = !isHead && allowsRange(context.header("if-range"), media.etag);
  const verdict = readRange(mayBePart ? context.header("range") : undefined, media.size);
  if (verdict.kind === "unsatisfiable") return unsatisfiable(media.size);
  const isPart = verdict.kind === "part";
  const { first, last } = isPart ? verdict.range : { first: 0, last: media.size - 1 };
  const length = last - first + 1;
  const described: Record<string, string> = { ...headers, "content-length": String(length) };
  if (isPart) described["content-range"] = `bytes ${first}-${last}/${media.size}`;
  const body = isHead ? null : await bodyOf(media.read({ first, last }), length);
  return new Response(body, { status: isPart ? 206 : 200, headers: described });
}

function unsatisfiable(size: number): Response {
  return problemResponse({
    code: "range_not_satisfiable",
    detail: `The media has ${size} bytes.`,
    headers: { ...NOT_KEPT, "content-range": `bytes */${size}`, "accept-ranges": "bytes" },
  });
}
