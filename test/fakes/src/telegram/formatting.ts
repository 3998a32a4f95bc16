import { badRequest } from "./refusal.ts";

const TAGS = new Set([
  "b",
  "strong",
  "i",
  "em",
  "u",
  "ins",
  "s",
  "strike",
  "del",
  "span",
  "tg-spoiler",
  "a",
  "tg-emoji",
  "code",
  "pre",
  "blockquote",
]);
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };
const RESERVED = /[_*[\]()~`>#+\-=|{}.!]/;

/** The text that a person reads, of which Telegram counts the characters. */
export function plainText(text: string, parseMode: unknown): string {
  switch (parseMode) {
    case undefined:
    case "":
      return text;
    case "HTML":
      return fromHtml(text);
    case "MarkdownV2":
      return fromMarkdown(text);
    default:
      // The old Markdown has no escapes to get wrong; nothing new should use it.
      throw badRequest("unsupported parse_mode");
  }
}

function fromHtml(text: string): string {
  const open: string[] = [];
  const read = text.replace(/<(\/?)([a-z0-9-]*)([^<>]*)>|<|&(#x?[0-9a-f]+|[a-z]+);/gi, (all, ...groups) => {
    const [slash, tag, , entity] = groups as (string | undefined)[];
    const offset = Buffer.byteLength(text.slice(0, Number(groups.at(-2))));
    if (entity !== undefined) return decode(entity) ?? all;
    const name = (tag ?? "").toLowerCase();
    if (!TAGS.has(name)) {
      throw badRequest(`can't parse entities: Unsupported start tag "${name}" at byte offset ${offset}`);
    }
    if (slash === "") open.push(name);
    else if (open.pop() !== name) {
      throw badRequest(`can't parse entities: Unmatched end tag at byte offset ${offset}`);
    }
    return "";
  });
  const unclosed = open.at(-1);
  if (unclosed === undefined) return read;
  throw badRequest(`can't parse entities: Can't find end tag corresponding to start tag "${unclosed}"`);
}

function decode(entity: string): string | undefined {
  if (!entity.startsWith("#")) return ENTITIES[entity.toLowerCase()];
  const code = /^#x/i.test(entity) ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** Marks around words are taken away; a reserved character that is neither mark nor escaped is refused. */
function fromMarkdown(text: string): string {
  let read = "";
  const isMark = new Set(["*", "_", "~", "|", "`", ">", "[", "]", "(", ")"]);
  let isAddress = false;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === "\\" && index + 1 < text.length) {
      index += 1;
      if (!isAddress) read += text.charAt(index);
    } else if (character === "(" && text.charAt(index - 1) === "]") isAddress = true;
    else if (isAddress) isAddress = character !== ")";
    else if (isMark.has(character) && character !== "(" && character !== ")") continue;
    else if (RESERVED.test(character)) {
      throw badRequest(
        `can't parse entities: Character '${character}' is reserved and must be escaped with the preceding '\\'`,
      );
    } else read += character;
  }
  return read;
}
