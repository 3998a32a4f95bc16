/** Whitespace, controls, bidi marks, zero-width and other characters that hide what an address is. */
const HIDDEN = /[\s\p{Cc}\p{Cf}\p{Z}\p{DI}]/u;
const SHAPE = /^(https?):\/\/([^/?#]*)/i;
const AUTHORITY = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]]*)(?::(\d{1,5}))?$/;
const LABEL = /^(?!-)[A-Za-z0-9_-]{1,63}(?<!-)$/;
const NUMERIC = /^(0[xX][0-9A-Fa-f]*|\d+)$/;
const OCTET = /^(0|[1-9]\d{0,2})$/;
const MAX_NAME = 253;
const MAX_PORT = 65_535;

export function hasHiddenCharacter(text: string): boolean {
  return HIDDEN.test(text);
}

function isIpv4(labels: readonly string[]): boolean {
  return labels.length === 4 && labels.every((label) => OCTET.test(label) && Number(label) <= 255);
}

/** A DNS name or address in ASCII. What a browser would read as a number (`0x1`, `999.1`) is only a dotted IPv4. */
function isHost(host: string): boolean {
  if (host.startsWith("[")) return URL.canParse(`http://${host}/`);
  const labels = host.split(".");
  if (host.length > MAX_NAME || !labels.every((label) => LABEL.test(label))) return false;
  return NUMERIC.test(labels.at(-1) ?? "") ? isIpv4(labels) : true;
}

function authorityFault(authority: string): string | undefined {
  if (authority.includes("@")) return "must not have a user name or password";
  const match = AUTHORITY.exec(authority);
  if (match === null) return "must have an ASCII host name or address, with at most a port";
  if (!isHost(match[1] ?? "")) return "must have an ASCII DNS name, an IPv4 or a bracketed IPv6 address";
  if (match[2] === undefined) return undefined;
  const port = Number(match[2]);
  return port < 1 || port > MAX_PORT ? "must have a port from 1 to 65535" : undefined;
}

/** What is wrong with an absolute http(s) address, to be read after the field's name. */
export function webAddressFault(url: string, schemes: readonly ("http" | "https")[]): string | undefined {
  if (hasHiddenCharacter(url)) return "must not have whitespace, control, bidi or zero-width characters";
  const match = SHAPE.exec(url);
  const scheme = match?.[1]?.toLowerCase();
  if (match === null || !schemes.some((allowed) => allowed === scheme)) {
    return `must be an absolute ${schemes.join(" or ")} URL`;
  }
  const fault = authorityFault(match[2] ?? "");
  if (fault !== undefined) return fault;
  return URL.canParse(url) ? undefined : "must be a valid URL";
}

/** Host, port and what may stand before them, of an absolute http(s) address as it is written. */
export function hostPart(url: string): string | undefined {
  return SHAPE.exec(url)?.[2];
}

/** What is wrong with a link that only people open: any absolute http(s) URL without hidden characters. */
export function webLinkFault(url: string): string | undefined {
  if (hasHiddenCharacter(url)) return "must not have whitespace, control, bidi or zero-width characters";
  // A parser takes the first thing after any number of slashes for a host.
  const host = hostPart(url);
  const isAbsolute = host !== undefined && host !== "" && URL.canParse(url);
  return isAbsolute ? undefined : "must be an absolute http or https URL";
}
