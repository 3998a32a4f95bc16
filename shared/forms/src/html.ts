/** Markup that is already safe. Only `markup` and `raw` make it, so that no text reaches a page unescaped. */
export type Html = { readonly text: string };

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
  ["`", "&#96;"],
  // A parser would turn a bare carriage return into a line feed.
  ["\r", "&#13;"],
]);

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`\r]/g, (character) => ENTITIES.get(character) ?? "");
}

export type HtmlPart = Html | string | number | false | undefined | readonly HtmlPart[];

/** A template whose values are escaped; markup and lists of it are kept, `false` and `undefined` are nothing. */
export function markup(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  const texts = strings.map((text, index) => text + textOf(index < parts.length ? parts[index] : undefined));
  return { text: texts.join("") };
}

/** Text of ours that is markup as it stands, such as the stylesheet. */
export function raw(text: string): Html {
  return { text };
}

export type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** Attributes in the order given, each with a space before it; `false` and `undefined` leave one out. */
export function attributes(values: Attributes): Html {
  const texts = Object.entries(values).map(([name, value]) => {
    if (value === undefined || value === false) return "";
    return value === true ? ` ${name}` : ` ${name}="${escapeHtml(value)}"`;
  });
  return { text: texts.join("") };
}

function textOf(part: HtmlPart): string {
  if (part === undefined || part === false) return "";
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part));
  return "text" in part ? part.text : part.map(textOf).join("");
}
