import type { SentFile } from "../core/body-fields.ts";
import type { Fields } from "../core/json.ts";
import { exceeds } from "../core/limit.ts";
import { TELEGRAM_LIMITS as LIMITS } from "./limits.ts";
import { isReachableUrl } from "./markup.ts";
import { badRequest, TelegramRefusal } from "./refusal.ts";
import type { World } from "./world.ts";

export type MediaKind = "photo" | "document" | "video" | "audio";
export type Attachment = Readonly<{ content: Fields; url?: string }>;

/** A file as it may be given: an address that Telegram would fetch, the id of a known file, or an upload. */
export function attach(
  world: World,
  kind: MediaKind,
  given: unknown,
  files: Readonly<Record<string, SentFile>>,
): Attachment {
  const upload =
    files[kind] ?? (typeof given === "string" ? files[given.replace(/^attach:\/\//, "")] : undefined);
  if (upload !== undefined)
    return { content: mediaJson(kind, storeUpload(world, kind, upload), upload.filename) };
  if (typeof given !== "string" || given === "") throw badRequest(`there is no ${kind} in the request`);
  if (world.files.has(given)) return { content: mediaJson(kind, given) };
  if (!/^https?:/i.test(given))
    throw badRequest("wrong remote file identifier specified: Wrong string length");
  if (!isReachableUrl(given)) throw badRequest("wrong file identifier/HTTP URL specified");
  const id = `file-${world.files.size + 1}`;
  world.files.set(id, { id, path: `${kind}/${id}`, bytes: Buffer.alloc(0), contentType: "" });
  return { content: mediaJson(kind, id, fileName(given)), url: given };
}

function storeUpload(world: World, kind: MediaKind, upload: SentFile): string {
  const limit = kind === "photo" ? LIMITS.photoUploadBytes : LIMITS.fileUploadBytes;
  if (exceeds(limit, upload.bytes.byteLength)) {
    throw new TelegramRefusal(413, "Request Entity Too Large");
  }
  if (upload.bytes.byteLength === 0) throw badRequest("file must be non-empty");
  return storeFile(world, kind, upload.bytes, upload.contentType);
}

export function storeFile(world: World, kind: MediaKind, bytes: Buffer, contentType: string): string {
  const id = `file-${world.files.size + 1}`;
  world.files.set(id, { id, path: `${kind}/${id}`, bytes, contentType });
  return id;
}

/** The field of a message that holds the file. */
export function mediaJson(kind: MediaKind, id: string, name?: string): Fields {
  const file = { file_id: id, file_unique_id: `u${id}` };
  if (kind === "photo") return { photo: [{ ...file, width: 640, height: 480 }] };
  if (kind === "video") return { video: { ...file, width: 640, height: 480, duration: 1 } };
  if (kind === "audio") return { audio: { ...file, duration: 1 } };
  return { document: { ...file, ...(name === undefined ? {} : { file_name: name }) } };
}

function fileName(url: string): string | undefined {
  const name = new URL(url).pathname.split("/").at(-1);
  return name === "" ? undefined : name;
}
