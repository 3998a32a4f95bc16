import { fullFormats } from "ajv-formats/dist/formats.js";
import { checkRegExp } from "./linear-pattern.ts";

export type FormatCheck =
  | { readonly type: "string"; validate(text: string): boolean }
  | { readonly type: "number"; validate(value: number): boolean };

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:z|[+-](\d{2}):(\d{2}))$/i;
const EMAIL_LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const HOST_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const WITH_SCHEME = /^[a-z][a-z0-9+\-.]*:/i;

export function isDate(text: string): boolean {
  const parts = DATE.exec(text);
  if (!parts) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= (month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31);
}

/** RFC 3339 with an offset; second 60 and hour 24 are no times here. */
function isTime(text: string): boolean {
  const parts = TIME.exec(text);
  if (!parts) return false;
  const [hour, minute, second] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  return hour < 24 && minute < 60 && second < 60 && Number(parts[4] ?? 0) < 24 && Number(parts[5] ?? 0) < 60;
}

export function isDateTime(text: string): boolean {
  return /^t$/i.test(text.charAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

export function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  if (at < 1 || text.length > 320) return false;
  return EMAIL_LOCAL.test(text.slice(0, at)) && isHostname(text.slice(at + 1));
}

function isHostname(text: string): boolean {
  if (text.length > 253) return false;
  return text.split(".").every((label) => HOST_LABEL.test(label));
}

function isUrl(text: string): boolean {
  return /^(?:https?|ftp):\/\/[^\s/?#]+[^\s]*$/i.test(text) && URL.canParse(text);
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && BASE64.test(text);
}

const isUri = (text: string): boolean => WITH_SCHEME.test(text) && expression("uri-reference")(text);

/** The expressions taken from ajv-formats are those that a test shows to be linear on hostile text. */
type ReusedFormat =
  | "duration"
  | "ipv4"
  | "ipv6"
  | "json-pointer"
  | "relative-json-pointer"
  | "uri-reference"
  | "uri-template"
  | "uuid";

function expression(name: ReusedFormat): (text: string) => boolean {
  const format = fullFormats[name];
  return (text) => format instanceof RegExp && format.test(text);
}

const text = (validate: (value: string) => boolean): FormatCheck => ({ type: "string", validate });
const int32 = (value: number) => Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31;

/** Formats that are asserted. Any other is an annotation, at ask time and at answer time alike. */
export const FORMATS: ReadonlyMap<string, FormatCheck> = new Map([
  ["date", text(isDate)],
  ["time", text(isTime)],
  ["date-time", text(isDateTime)],
  ["email", text(isEmail)],
  ["hostname", text((value) => isHostname(value.replace(/\.$/, "")))],
  ["url", text(isUrl)],
  ["uri", text(isUri)],
  ["byte", text(isBase64)],
  ["regex", text((value) => checkRegExp(value) === undefined)],
  ["duration", text(expression("duration"))],
  ["ipv4", text(expression("ipv4"))],
  ["ipv6", text(expression("ipv6"))],
  ["json-pointer", text(expression("json-pointer"))],
  ["relative-json-pointer", text(expression("relative-json-pointer"))],
  ["uri-reference", text(expression("uri-reference"))],
  ["uri-template", text(expression("uri-template"))],
  ["uuid", text(expression("uuid"))],
  ["int32", { type: "number", validate: int32 }],
  ["int64", { type: "number", validate: (value: number) => Number.isInteger(value) }],
]);
