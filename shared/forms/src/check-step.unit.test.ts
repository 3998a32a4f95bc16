import type { Json } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { checkStep } from "./check-step.ts";

const schema: Json = {
  type: "object",
  required: ["city", "nights", "class"],
  properties: {
    city: { type: "string", minLength: 2 },
    nights: { $ref: "#/$defs/count" },
    class: { type: "string", enum: ["eco", "biz"] },
    insured: { type: "boolean", const: true },
  },
  $defs: { count: { type: "integer", minimum: 1 } },
  // Of nobody who has not been to the second page yet.
  if: { properties: { class: { const: "biz" } } },
  then: { properties: { nights: { minimum: 3 } } },
  minProperties: 4,
};
const form = {
  schema,
  pages: [
    { title: "The trip", properties: ["city", "nights"] },
    { title: "The rest", properties: ["class", "insured"] },
  ],
};
const paths = (page: number, entries: [string, string][]) =>
  checkStep(form, page, entries).map(({ path }) => path);

describe("one step of a form", () => {
  it("is taken whatever the other steps are still to bring", () => {
    expect(
      paths(0, [
        ["city", "Wien"],
        ["nights", "1"],
      ]),
    ).toEqual([]);
  });

  it.each<[string, number, [string, string][], string[]]>([
    [
      "what its own properties do not take",
      0,
      [
        ["city", "W"],
        ["nights", "0"],
      ],
      ["/city", "/nights"],
    ],
    [
      "what is no number",
      0,
      [
        ["city", "Wien"],
        ["nights", "one"],
      ],
      ["/nights"],
    ],
    ["what of it is needed and missing", 0, [["city", "Wien"]], ["/nights"]],
    ["what of it is needed, and none of the others", 1, [["insured", "true"]], ["/class"]],
    ["a box that has to be ticked", 1, [["class", "eco"]], ["/insured"]],
    [
      "a choice that it has not",
      1,
      [
        ["class", "x"],
        ["insured", "true"],
      ],
      ["/class"],
    ],
  ])("tells %s", (_, page, entries, expected) => {
    expect(paths(page, entries)).toEqual(expected);
  });

  it("takes the choices of this ask", () => {
    const data = { options: { class: [{ value: "sleeper" }] } };
    const entries: [string, string][] = [
      ["class", "sleeper"],
      ["insured", "true"],
    ];
    expect(checkStep({ ...form, data }, 1, entries)).toEqual([]);
  });
});
