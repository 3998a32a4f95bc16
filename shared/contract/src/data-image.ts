export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

export type DecodedImage =
  { ok: true; mime: ImageType; bytes: Uint8Array<ArrayBuffer> } | { ok: false; message: string };

/** Parameters (`;charset=utf-8`) are taken and forgotten: what is served has the bare type. */
const HEAD =
  /^data:image\/(png|jpeg|gif|webp)(?:;[a-z0-9!#$&^_.+-]{1,64}=[a-z0-9!#$&^_.+-]{1,64}){0,4};base64$/i;
const MAX_HEAD = 600;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** Enough base64 for the sixteen bytes that the longest mark needs. */
const MARK_CHARS = 24;

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}

/** The image type that the first bytes say. */
export function sniffImage(bytes: Uint8Array): ImageType | undefined {
  if (ascii(bytes, 0, 8) === "\x89PNG\r\n\x1a\n") return "image/png";
  if (ascii(bytes, 0, 3) === "\xff\xd8\xff") return "image/jpeg";
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return "image/gif";
  if (ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 12) === "WEBP") return "image/webp";
  return undefined;
}

function imageType(subtype: string): ImageType | undefined {
  const types = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;
  return types.find((type) => type === `image/${subtype.toLowerCase()}`);
}

export function isDataUri(url: string): boolean {
  return /^data:/i.test(url);
}

type Opened = { ok: true; mime: ImageType; base64: string } | { ok: false; message: string };

/** Canonical base64 only: padded, and no bits in the last character that would be thrown away. */
function isCanonicalBase64(base64: string): boolean {
  if (base64.length % 4 !== 0 || !BASE64.test(base64)) return false;
  const tail = base64.slice(-4);
  return btoa(atob(tail)) === tail;
}

/** Checks all but the bytes after the mark, and decodes no more than that: a refusal costs little. */
function open(url: string): Opened {
  const comma = url.slice(0, MAX_HEAD).indexOf(",");
  const match = comma === -1 ? null : HEAD.exec(url.slice(0, comma));
  const mime = imageType(match?.[1] ?? "");
  if (mime === undefined) {
    return { ok: false, message: "must be data:image/png, jpeg, gif or webp with ;base64" };
  }
  const base64 = url.slice(comma + 1);
  if (base64 === "") return { ok: false, message: "must not be an empty image" };
  if (!isCanonicalBase64(base64)) return { ok: false, message: "must be strict base64, with padding" };
  if (sniffImage(bytesOf(base64.slice(0, MARK_CHARS))) !== mime) {
    return { ok: false, message: `must have bytes that are ${mime}` };
  }
  return { ok: true, mime, base64 };
}

/** What is wrong with a data image, to be read after the field's name. */
export function dataImageFault(url: string): string | undefined {
  const opened = open(url);
  return opened.ok ? undefined : opened.message;
}

/** The bytes of a `data:` image and the bare type they are to be served with. */
export function decodeDataImage(url: string): DecodedImage {
  const opened = open(url);
  return opened.ok ? { ok: true, mime: opened.mime, bytes: bytesOf(opened.base64) } : opened;
}
