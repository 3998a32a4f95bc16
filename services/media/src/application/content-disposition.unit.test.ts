import { describe, expect, it } from "vitest";
import { attachment } from "./content-disposition.ts";

describe("the name of a download", () => {
  it.each([
    ["report.pdf", 'attachment; filename="report.pdf"'],
    ["résumé.pdf", "attachment; filename=\"resume.pdf\"; filename*=UTF-8''r%C3%A9sum%C3%A9.pdf"],
    ["100%.pdf", "attachment; filename=\"100_.pdf\"; filename*=UTF-8''100%25.pdf"],
    ['a "b".pdf', "attachment; filename=\"a _b_.pdf\"; filename*=UTF-8''a%20%22b%22.pdf"],
    ["/etc/passwd", 'attachment; filename="passwd"'],
    ["C:\\temp\\a.pdf", 'attachment; filename="a.pdf"'],
    ["..", 'attachment; filename="document"'],
    ["  ", 'attachment; filename="document"'],
    ["exe.\u202Efdp.pdf", 'attachment; filename="exe.fdp.pdf"'],
    ["\u102B", "attachment; filename=\"document\"; filename*=UTF-8''%E1%80%AB"],
    ["\u0301.pdf", "attachment; filename=\"document.pdf\"; filename*=UTF-8''%CC%81.pdf"],
    ["a／b", "attachment; filename=\"a_b\"; filename*=UTF-8''a%EF%BC%8Fb"],
    ["‥", "attachment; filename=\"document\"; filename*=UTF-8''%E2%80%A5"],
    ["\r\nX-Evil: 1.pdf", 'attachment; filename="X-Evil: 1.pdf"'],
  ])("%j becomes %s", (name, header) => {
    expect(attachment(name)).toBe(header);
  });

  it("keeps its ending when it is very long", () => {
    expect(attachment(`${"é".repeat(255)}.pdf`)).toMatch(
      /^attachment; filename="e{150}\.pdf"; filename\*=UTF-8''/,
    );
  });
});
