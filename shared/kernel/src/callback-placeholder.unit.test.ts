import { describe, expect, it } from "vitest";
import { fillPlaceholder } from "./callback-placeholder.ts";

const URL = "https://in.example/cb?a=$&b=1";
const ENCODED = encodeURIComponent(URL);

describe("a link's callback URL", () => {
  it.each([
    ["stands as it is before the query", "https://p.example/{callback_url}", `https://p.example/${URL}`],
    ["is encoded in a query", "https://p.example/?u={callback_url}", `https://p.example/?u=${ENCODED}`],
    ["is encoded in a fragment", "https://p.example/#{callback_url}", `https://p.example/#${ENCODED}`],
    [
      "stands wherever its place is, each in its way",
      "https://p.example/{callback_url}?u={callback_url}#{callback_url}",
      `https://p.example/${URL}?u=${ENCODED}#${ENCODED}`,
    ],
    ["leaves other braces alone", "https://p.example/{id}?u={url}", "https://p.example/{id}?u={url}"],
  ])("%s", (_, link, filled) => {
    expect(fillPlaceholder(link, URL)).toBe(filled);
  });
});
