import { CAPS, parameterFaults } from "@interlude/contract";
import { mediaPath, type MediaStore } from "@interlude/event-log";
import {
  invalidRequest,
  isIdentity,
  json,
  problemResponse,
  type RequestContext,
  type Route,
} from "@interlude/service-kit";
import { agreedType, claimedType, isAccepted } from "../application/accepted-types.ts";
import { sniffType } from "./sniff-type.ts";
import { uploadBody, UploadCut } from "./upload-body.ts";

const MAX_BYTES = CAPS.MEDIA_UPLOAD_MAX_BYTES;
const TAKEN = "images (PNG, JPEG, GIF, WebP, AVIF), PDF and office documents, video and audio";

/** Takes raw bytes of a type it can tell, and gives the reference to show them by. */
export function uploadDoor(store: MediaStore): Route {
  return {
    door: "POST /api/interactions/media",
    body: "raw",
    maxBytes: MAX_BYTES,
    query: "unchecked",
    async handle(context) {
      const refused = refuseByHeaders(context);
      if (refused !== undefined) return refused;
      try {
        return await takeBody(store, context);
      } catch (error) {
        if (!(error instanceof UploadCut)) throw error;
        return error.reason === "too_large"
          ? tooLarge()
          : problemResponse({ code: "validation_failed", detail: "The body ended early." });
      }
    },
  };
}

function refuseByHeaders(context: RequestContext): Response | undefined {
  if (!isIdentity(context.header("content-encoding"))) return unsupported("The body must not be compressed.");
  const claimed = claimedType(context.header("content-type"));
  if (claimed !== undefined && !isAccepted(claimed))
    return unsupported(`${claimed} is not taken: ${TAKEN} are.`);
  return Number(context.header("content-length")) > MAX_BYTES ? tooLarge() : undefined;
}

async function takeBody(store: MediaStore, context: RequestContext): Promise<Response> {
  const sniffed = await sniffType(uploadBody(context.incoming, MAX_BYTES));
  if (sniffed.isEmpty) return problemResponse({ code: "validation_failed", detail: "The body is empty." });
  const claimed = claimedType(context.header("content-type"));
  const type = agreedType(sniffed.type ?? "", claimed);
  if (type === undefined) return unsupported(disagreement(sniffed.type, claimed));
  // After the body's own faults, as at every door, and before a byte is stored.
  const faults = parameterFaults(context.query, []);
  if (faults.length > 0) return invalidRequest(faults);
  const { id, size } = await store.put(sniffed.source, type);
  const url = mediaPath(id);
  return json(201, { url, content_type: type, size }, { location: url });
}

function disagreement(found: string | undefined, claimed: string | undefined): string {
  const bytes = found === undefined ? "of no known type" : found;
  if (claimed === undefined) return `The bytes are ${bytes}: ${TAKEN} are taken.`;
  return `Content-Type says ${claimed}, and the bytes are ${bytes}.`;
}

function unsupported(detail: string): Response {
  return problemResponse({ code: "unsupported_media_type", detail });
}

function tooLarge(): Response {
  return problemResponse({
    code: "payload_too_large",
    detail: `The body may have ${MAX_BYTES} bytes at most.`,
  });
}
