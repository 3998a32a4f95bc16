import { describe, expect, it } from "vitest";
import { clientAddress, rateKey } from "./client-address.ts";

describe("the client's address", () => {
  it.each([
    [
      "without proxies is the socket's, whatever is claimed",
      "198.51.100.7",
      "203.0.113.9",
      [],
      "198.51.100.7",
    ],
    ["behind a trusted proxy is the one it tells", "10.0.0.1", "203.0.113.9", ["10.0.0.0/8"], "203.0.113.9"],
    [
      "is not what a client put before the proxy's word",
      "10.0.0.1",
      "1.1.1.1, 203.0.113.9",
      ["10.0.0.1"],
      "203.0.113.9",
    ],
    [
      "is found through a chain of proxies",
      "10.0.0.1",
      "203.0.113.9, 10.0.0.2",
      ["10.0.0.0/8"],
      "203.0.113.9",
    ],
    ["is the proxy's when it tells nonsense", "10.0.0.1", "nonsense", ["10.0.0.0/8"], "10.0.0.1"],
    ["is the proxy's when it tells nothing", "10.0.0.1", undefined, ["10.0.0.0/8"], "10.0.0.1"],
    ["matches a mapped IPv4 address", "::ffff:10.0.0.1", "203.0.113.9", ["10.0.0.0/8"], "203.0.113.9"],
  ])("%s", (_, socket, forwarded, proxies, expected) => {
    expect(clientAddress(socket, forwarded, proxies)).toBe(expected);
  });

  it.each([
    ["203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["", "unknown"],
  ])("%j is counted as %j", (address, key) => {
    expect(rateKey(address)).toBe(key);
  });
});
