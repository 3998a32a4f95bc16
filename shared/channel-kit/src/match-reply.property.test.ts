import { foldText, optionLabel, optionValue } from "@interlude/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchReply, numberedPrompt } from "./index.ts";

const word = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  .filter((text) => /\p{L}/u.test(text.normalize("NFC").trim()));
const option = fc.oneof(word, fc.record({ value: word, label: word }));
/** As they are when an ask is taken: no two have the same value or the same label. */
const options = fc
  .uniqueArray(option, { minLength: 1, maxLength: 12, selector: (each) => foldText(optionValue(each)) })
  .filter((all) => new Set(all.map((each) => foldText(optionLabel(each)))).size === all.length);

describe("a typed reply", () => {
  it("means the option that it names, by value or label, or two of them and then none", () => {
    fc.assert(
      fc.property(options, fc.nat(), fc.boolean(), (all, at, byLabel) => {
        const chosen = all[at % all.length];
        if (chosen === undefined) return;
        const typed = byLabel ? optionLabel(chosen) : optionValue(chosen);
        const { numbered } = numberedPrompt("Which?", all);
        const match = matchReply(` ${typed.normalize("NFD")}\n`, {
          format: "select",
          options: all,
          ...(numbered === undefined ? {} : { numbered }),
        });
        const meant = all.filter((each) =>
          [optionValue(each), optionLabel(each)].some((text) => foldText(text) === foldText(typed)),
        );
        expect(match).toMatchObject(
          meant.length === 1 ? { kind: "answer", answer: optionValue(chosen) } : { kind: "mismatch" },
        );
      }),
    );
  });

  it("means by a number the option that stands at it", () => {
    fc.assert(
      fc.property(options, fc.integer({ min: 0, max: 300 }), (all, number) => {
        const { numbered } = numberedPrompt("Which?", all);
        expect(numbered).toEqual(all.map(optionValue));
        const match = matchReply(String(number), {
          format: "select",
          options: all,
          numbered: numbered ?? [],
        });
        const stands = all[number - 1];
        expect(match).toMatchObject(
          stands === undefined ? { kind: "mismatch" } : { kind: "answer", answer: optionValue(stands) },
        );
      }),
    );
  });
});
