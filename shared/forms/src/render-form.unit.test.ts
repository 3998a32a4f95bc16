import { createHash } from "node:crypto";
import type { Json } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { constantPages, PAGE_CSP, renderFormPage, toFields, typeSubmission } from "./index.ts";
import { submitUntouched } from "../test/submit-untouched.ts";

function page(schema: Json, rest: Partial<Parameters<typeof renderFormPage>[0]> = {}): string {
  return renderFormPage({ question: "How many?", model: toFields(schema), language: "en", ...rest });
}

const HOSTILE = [
  "\" autofocus onfocus=alert(1) x='",
  "</option><script>",
  "{{7*7}}",
  "`",
  "</textarea><b>",
  "&amp;",
  "<!--",
];

describe("a form page", () => {
  it.each(HOSTILE)("shows %j as text, wherever it stands (A-ESC-2)", (text) => {
    const schema = {
      type: "object",
      title: text,
      properties: {
        [text]: { type: "string", title: text, description: text, enum: [text, "b"], default: text },
        area: { type: "string", default: `${text}\n${text}`, title: text },
      },
    };
    const model = toFields(schema, { pages: [{ title: text, properties: [text, "area"] }] });
    const shown = page(schema, { question: text, model, faults: [{ path: "", message: text }] });
    const plain = page({
      type: "object",
      properties: { a: { type: "string", enum: ["a", "b"] }, area: { type: "string" } },
    });
    const tags = (source: string) =>
      new Set([...source.matchAll(/<\/?([a-z0-9]+)/g)].map(([, name]) => name));
    const strange = [...tags(shown)].filter((name) => !tags(plain).has(name));
    expect(strange.sort()).toEqual(
      ["div", "fieldset", "h2", "legend", "li", "p", "textarea", "ul"].filter(
        (name) => !tags(plain).has(name),
      ),
    );
    expect(shown.replace(/"[^"]*"/g, "")).not.toMatch(/<[^>]*\sonfocus/);
    const submission = typeSubmission({ schema }, submitUntouched(shown));
    expect(submission).toEqual({ ok: true, answer: { [text]: text, area: `${text}\n${text}` } });
  });

  it("gives a prefill back character for character (A-ESC-1)", () => {
    const note = '{"a": "b"} & <i>';
    const asked = {
      schema: { type: "object", properties: { note: { type: "string" } } },
      data: { values: { note } },
    };
    const shown = page(asked.schema, { model: toFields(asked.schema, asked) });
    expect(typeSubmission(asked, submitUntouched(shown))).toEqual({ ok: true, answer: { note } });
  });

  it("pins faults to their fields and shows again what was typed", () => {
    const schema = {
      type: "object",
      properties: { qty: { type: "integer", title: "Quantity" } },
      required: ["qty"],
    };
    const submitted: [string, string][] = [["qty", "2,5"]];
    const result = typeSubmission({ schema }, submitted);
    const shown = page(schema, { submitted, faults: result.ok ? [] : result.faults });
    expect(shown).toContain('role="alert"');
    expect(shown).toContain('<a href="#f0">Quantity must be a whole number written in digits');
    expect(shown).toMatch(/name="qty" aria-describedby="f0e0" aria-invalid="true" required value="2,5"/);
    expect(shown).toContain('<p class="fault" id="f0e0">Quantity must be');
    expect(shown).toContain('<label for="f0">Quantity <span class="required">required</span></label>');
  });

  it("names faults in the order of the form, and a box as something to tick", () => {
    const schema = {
      type: "object",
      properties: { a: { type: "string" }, n: { type: "number" }, yes: { type: "boolean", const: true } },
      required: ["a", "yes"],
    };
    const result = typeSubmission({ schema }, [["n", "2,5"]]);
    const faults = result.ok ? [] : result.faults;
    expect(faults.map((fault) => fault.path)).toEqual(["/a", "/n", "/yes"]);
    expect(page(schema, { submitted: [], faults })).toContain("yes must be ticked");
  });

  it("is allowed no more than its own sheet", () => {
    const sheet = /<style>([\s\S]*)<\/style>/.exec(page({}))?.[1] ?? "";
    expect(PAGE_CSP).toContain(`'sha256-${createHash("sha256").update(sheet).digest("base64")}'`);
    expect(PAGE_CSP).not.toContain("unsafe");
    expect(page({})).not.toMatch(/<script|style="/);
  });

  it("shows media, and nothing as an address that is none", () => {
    const shown = page(
      {},
      {
        media: [
          { kind: "image", url: "https://a.example/x.png", caption: 'A "plan"' },
          { kind: "link", url: "javascript:alert(1)" },
        ],
      },
    );
    expect(shown).toContain('alt="A &quot;plan&quot;"');
    expect(shown).not.toContain("javascript");
  });
});

describe("the constant pages", () => {
  it("confirm by posting to their own address, without script", () => {
    const pages = constantPages("en");
    expect(pages.confirm).toContain('<button name="answer" value="true">Yes</button>');
    expect(pages.confirm).toContain('name="answer" value="false">No</button>');
    expect(pages.externalConfirm).toContain('<form method="post">');
    expect(pages.done + pages.alreadyAnswered + pages.replyInChat).not.toContain("<form");
    expect(constantPages("xx").done).toContain("Thank you");
  });
});
