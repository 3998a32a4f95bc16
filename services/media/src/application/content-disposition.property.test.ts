import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attachment } from "./content-disposition.ts";

describe("the name of a download", () => {
  it("is always one well-formed header value, whatever the name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (name) => {
        const header = attachment(name);
        expect(header).toMatch(
          /^attachment; filename="[\x20\x21\x23-\x7e]+"(; filename\*=UTF-8''[A-Za-z0-9!#$&+.^_`|~%-]+)?$/,
        );
        expect(() => new Headers({ "content-disposition": header })).not.toThrow();
      }),
    );
  });

  it("never names another folder", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom("/", "\\"), fc.string(), (folder, slash, name) => {
        const header = decodeURIComponent(
          attachment(`${folder}${slash}${name}`).replaceAll(/%(?![0-9A-F]{2})/g, "%25"),
        );
        expect(header.slice("attachment; ".length).replaceAll("UTF-8''", "")).not.toMatch(/[/\\]/);
      }),
    );
  });

  it("can be read back in full from its extended form", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zé語😀']{1,20}$/u), (name) => {
        const header = attachment(`${name}é`);
        const extended = header.split("filename*=UTF-8''")[1] ?? "";
        expect(decodeURIComponent(extended)).toBe(`${name}é`.normalize("NFC"));
      }),
    );
  });
});
