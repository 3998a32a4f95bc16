import ipaddr from "ipaddr.js";

/** Is `address` one of the proxies whose forwarded headers count? Entries are addresses or CIDR blocks. */
function isTrusted(address: string, proxies: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return proxies.some((proxy) => {
    if (!proxy.includes("/"))
      return ipaddr.isValid(proxy) && ipaddr.process(proxy).toString() === parsed.toString();
    const [range, bits] = ipaddr.parseCIDR(proxy);
    return range.kind() === parsed.kind() && parsed.match(range, bits);
  });
}

/** The nearest address that is not a trusted proxy: walked from the socket outwards through `X-Forwarded-For`. */
export function clientAddress(
  socketAddress: string,
  forwardedFor: string | undefined,
  proxies: readonly string[],
): string {
  let address = socketAddress;
  const hops = (forwardedFor ?? "").split(",").map((hop) => hop.trim());
  while (isTrusted(address, proxies)) {
    const hop = hops.pop();
    if (hop === undefined || !ipaddr.isValid(hop)) break;
    address = hop;
  }
  return address;
}

/** What rate limits count by: an IPv4 address, or the /64 an IPv6 address belongs to. */
export function rateKey(address: string): string {
  if (!ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}
