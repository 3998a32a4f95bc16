/**
 * What a browser sends for a form that nobody touched: the few rules of HTML that matter to our own markup
 * (controls, what is ticked and selected, the line break after <textarea>, CR LF on sending).
 */
export function submitUntouched(page: string): [string, string][] {
  const form = /<form[^>]*>([\s\S]*?)<\/form>/.exec(page)?.[1] ?? "";
  const entries: [string, string][] = [];
  for (const [, tag = "", attributeText = ""] of form.matchAll(/<(input|textarea|select)\b([^>]*)>/g)) {
    const at = form.indexOf(`<${tag}${attributeText}>`) + tag.length + attributeText.length + 2;
    const attributes = attributesOf(attributeText);
    const name = attributes.get("name") ?? "";
    if (tag === "textarea")
      entries.push([name, decode(form.slice(at, form.indexOf("</textarea>", at))).replace(/^\n/, "")]);
    else if (tag === "select")
      entries.push([name, selectedIn(form.slice(at, form.indexOf("</select>", at)))]);
    else if (attributes.get("type") !== "checkbox") entries.push([name, attributes.get("value") ?? ""]);
    else if (attributes.has("checked")) entries.push([name, attributes.get("value") ?? "on"]);
  }
  return entries.map(([name, value]) => [name, value.replace(/\r\n?|\n/g, "\r\n")]);
}

function selectedIn(options: string): string {
  const all = [...options.matchAll(/<option\b([^>]*)>/g)].map(([, text = ""]) => attributesOf(text));
  return (all.find((option) => option.has("selected")) ?? all[0])?.get("value") ?? "";
}

function attributesOf(text: string): Map<string, string> {
  const pairs = text.matchAll(/([a-z-]+)(?:="([^"]*)")?(?=\s|$)/g);
  return new Map([...pairs].map(([, name = "", value = ""]) => [name, decode(value)]));
}

function decode(text: string): string {
  const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };
  return text.replace(
    /&(?:#(\d+)|([a-z]+));/g,
    (_whole, code: string | undefined, name: string | undefined) =>
      code === undefined ? (named[name ?? ""] ?? "?") : String.fromCodePoint(Number(code)),
  );
}
