import type { Received } from "./exchange.ts";
import { type Fields, isFields, parseJson } from "./json.ts";

export type SentFile = Readonly<{ filename: string; contentType: string; bytes: Buffer }>;
export type BodyFields = Readonly<{
  type: "json" | "form" | "multipart" | "none" | "unknown";
  /** Absent when the body is not what its content type says. */
  values?: Fields;
  /** A form's repeated fields; `values` holds the last one. */
  repeated: Readonly<Record<string, readonly string[]>>;
  files: Readonly<Record<string, SentFile>>;
}>;

const NOTHING = { repeated: {}, files: {} } as const;

/** Reads a body by its content type, as the providers do: JSON, a form, or a form with files. */
export function bodyFields(received: Received): BodyFields {
  const contentType = received.header("content-type") ?? "";
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "application/json") {
    const parsed = parseJson(received.rawBody.toString("utf8"));
    return { type: "json", ...NOTHING, ...(isFields(parsed) ? { values: parsed } : {}) };
  }
  if (type === "application/x-www-form-urlencoded") return readForm(received.rawBody.toString("utf8"));
  if (type === "multipart/form-data") return readMultipart(received.rawBody, contentType);
  return { type: received.rawBody.byteLength === 0 ? "none" : "unknown", values: {}, ...NOTHING };
}

function readForm(text: string): BodyFields {
  const values: Fields = {};
  const repeated: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    values[name] = value;
    (repeated[name] ??= []).push(value);
  }
  return { type: "form", values, repeated, files: {} };
}

const HEAD_END = Buffer.from("\r\n\r\n");

/** Read by hand: real servers take what stricter parsers do not, as a header without a blank after its colon. */
function readMultipart(rawBody: Buffer, contentType: string): BodyFields {
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1];
  if (boundary === undefined) return { type: "multipart", ...NOTHING };
  const values: Fields = {};
  const files: Record<string, SentFile> = {};
  for (const part of partsOf(rawBody, Buffer.from(`--${boundary}`))) {
    const headEnd = part.indexOf(HEAD_END);
    const head = part.subarray(0, headEnd).toString("utf8");
    const bytes = part.subarray(headEnd + HEAD_END.length);
    const name = /[;\s]name="?([^";\r\n]*)"?/i.exec(head)?.[1];
    if (headEnd < 0 || name === undefined) return { type: "multipart", ...NOTHING };
    const filename = /filename="?([^";\r\n]*)"?/i.exec(head)?.[1];
    const type = /content-type:\s*([^\r\n]+)/i.exec(head)?.[1] ?? "application/octet-stream";
    if (filename === undefined) values[name] = bytes.toString("utf8");
    else files[name] = { filename, contentType: type, bytes };
  }
  return { type: "multipart", values, repeated: {}, files };
}

/** What lies between the boundaries, without the line break on either side. */
function partsOf(rawBody: Buffer, boundary: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let start = rawBody.indexOf(boundary);
  for (;;) {
    const end = rawBody.indexOf(boundary, start + boundary.length);
    if (start < 0 || end < 0) return parts;
    parts.push(rawBody.subarray(start + boundary.length + 2, end - 2));
    start = end;
  }
}
