export type MediaCategory = "image" | "document" | "video" | "audio";

type Accepted = { category: MediaCategory; extension: string };

const accepted = (category: MediaCategory, extension: string): Accepted => ({ category, extension });
const office = (name: string) => `application/vnd.openxmlformats-officedocument.${name}`;
const openDocument = (name: string) => `application/vnd.oasis.opendocument.${name}`;

/**
 * The types that are stored, each under the one name it is served with. None of them runs script in a
 * browser: SVG, HTML and XML are absent for that reason, and office files with macros as well.
 */
const ACCEPTED: ReadonlyMap<string, Accepted> = new Map([
  ["image/png", accepted("image", "png")],
  ["image/jpeg", accepted("image", "jpg")],
  ["image/gif", accepted("image", "gif")],
  ["image/webp", accepted("image", "webp")],
  ["image/avif", accepted("image", "avif")],
  ["application/pdf", accepted("document", "pdf")],
  ["application/rtf", accepted("document", "rtf")],
  ["application/msword", accepted("document", "doc")],
  ["application/vnd.ms-excel", accepted("document", "xls")],
  ["application/vnd.ms-powerpoint", accepted("document", "ppt")],
  [office("wordprocessingml.document"), accepted("document", "docx")],
  [office("spreadsheetml.sheet"), accepted("document", "xlsx")],
  [office("presentationml.presentation"), accepted("document", "pptx")],
  [openDocument("text"), accepted("document", "odt")],
  [openDocument("spreadsheet"), accepted("document", "ods")],
  [openDocument("presentation"), accepted("document", "odp")],
  ["video/mp4", accepted("video", "mp4")],
  ["video/webm", accepted("video", "webm")],
  ["video/quicktime", accepted("video", "mov")],
  ["video/ogg", accepted("video", "ogv")],
  ["audio/mpeg", accepted("audio", "mp3")],
  ["audio/wav", accepted("audio", "wav")],
  ["audio/ogg", accepted("audio", "ogg")],
  ["audio/mp4", accepted("audio", "m4a")],
  ["audio/webm", accepted("audio", "weba")],
  ["audio/aac", accepted("audio", "aac")],
  ["audio/flac", accepted("audio", "flac")],
]);

/** Other names in use for the same type. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["image/jpg", "image/jpeg"],
  ["image/pjpeg", "image/jpeg"],
  ["image/apng", "image/png"],
  ["image/vnd.mozilla.apng", "image/png"],
  ["application/x-pdf", "application/pdf"],
  ["text/rtf", "application/rtf"],
  ["video/x-m4v", "video/mp4"],
  ["application/ogg", "audio/ogg"],
  ["audio/opus", "audio/ogg"],
  ["audio/mp3", "audio/mpeg"],
  ["audio/x-mp3", "audio/mpeg"],
  ["audio/x-mpeg", "audio/mpeg"],
  ["audio/wave", "audio/wav"],
  ["audio/x-wav", "audio/wav"],
  ["audio/vnd.wave", "audio/wav"],
  ["audio/m4a", "audio/mp4"],
  ["audio/x-m4a", "audio/mp4"],
  ["audio/x-aac", "audio/aac"],
  ["audio/aacp", "audio/aac"],
  ["audio/x-flac", "audio/flac"],
]);

/** Containers that hold several types; which one it is only the sender knows. The first is meant when nothing is said. */
const CONTAINERS: ReadonlyMap<string, readonly string[]> = new Map([
  ["video/webm", ["video/webm", "audio/webm"]],
  ["video/mp4", ["video/mp4", "audio/mp4"]],
  ["audio/ogg", ["audio/ogg", "video/ogg"]],
  ["application/x-cfb", ["application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint"]],
]);

/** The old office formats share a container with installers and mail: only a sender's word makes them documents. */
const ONLY_WHEN_NAMED: readonly string[] = ["application/x-cfb"];
/** What clients say when they do not know. */
const SAYS_NOTHING: readonly string[] = ["application/octet-stream", "binary/octet-stream"];

function canonical(type: string): string {
  return ALIASES.get(type) ?? type;
}

/** What a claimed `Content-Type` says, parameters gone; `undefined` when it says nothing. */
export function claimedType(contentType: string | undefined): string | undefined {
  const type = (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  return type === "" || SAYS_NOTHING.includes(type) ? undefined : canonical(type);
}

export function isAccepted(type: string): boolean {
  return ACCEPTED.has(type);
}

/** The type to store bytes under, which are `detected`; `undefined`: not accepted, or not what was claimed. */
export function agreedType(detected: string, claimed: string | undefined): string | undefined {
  const type = canonical(detected.split(";")[0]?.trim() ?? "");
  const possible = CONTAINERS.get(type) ?? [type];
  const chosen = claimed ?? (ONLY_WHEN_NAMED.includes(type) ? undefined : possible[0]);
  return chosen !== undefined && possible.includes(chosen) && isAccepted(chosen) ? chosen : undefined;
}

export function categoryOf(type: string): MediaCategory {
  return ACCEPTED.get(type)?.category ?? "document";
}

export function extensionOf(type: string): string {
  return ACCEPTED.get(type)?.extension ?? "bin";
}
