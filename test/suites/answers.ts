const TEXT = { question: "Words?" };
const CONFIRM = { question: "Yes?", answer_format: "confirm" };
const SELECT = {
  question: "Which?",
  answer_format: "select",
  options: ["Zu\u0308rich", { value: "b", label: "Bern" }],
};
const form = (schema: object, rest: object = {}) => ({
  question: "Fill?",
  answer_format: "form",
  schema,
  ...rest,
});
const COUNT = form({ type: "object", properties: { qty: { type: "integer" } }, required: ["qty"] });
const TYPED = form({
  type: "object",
  properties: { n: { type: "number" }, b: { type: "boolean" }, s: { type: "string" } },
});
const INHERITED = form({ type: "object", required: ["toString", "constructor"] });
const INHERITED_TYPED = form({
  type: "object",
  properties: { toString: { type: "string" } },
  required: ["toString"],
});
const NICK = form({ properties: { nick: { type: "string", maxLength: 2 } } });
const AGREE = form({
  type: "object",
  properties: { agree: { type: "boolean", const: true } },
  required: ["agree"],
});
const OVERLAID = form(
  { type: "object", properties: { c: { type: "string", enum: ["old"] } }, required: ["c"] },
  { data: { options: { c: [{ value: "new", label: "New" }] } } },
);
const manyParams = (keys: number, value: string) =>
  Object.fromEntries(Array.from({ length: keys }, (_, at) => [`k${at}`, value]));
const MARKER = { interaction_expired: true };

/** `[what, question, body, place, word of the message]`. */
export const UNFIT_ANSWERS: readonly [string, object & Record<string, unknown>, unknown, string, string?][] =
  [
    ["a number for a text", TEXT, { answer: 5 }, "/answer"],
    ["null for a text (A-NUM-4)", TEXT, { answer: null }, "/answer"],
    ["a text of 16,385 code points", TEXT, { answer: "x".repeat(16_385) }, "/answer", "16384"],
    ["a NUL in a text (A-UNI-2)", TEXT, { answer: "a\0b" }, "/answer", "NUL"],
    ["a lone surrogate in a text", TEXT, { answer: "a\ud800" }, "/answer", "surrogate"],
    ["the marker of an expired question (A-EXP-1)", form({}), { answer: MARKER }, "/answer"],
    ["no answer at all", TEXT, {}, "/answer"],
    ["an unknown field beside the answer", TEXT, { answer: "x", param: {} }, "/param"],
    ["a body that is a list", TEXT, ["x"], ""],
    ["a word for a confirm (A-NUM-4)", CONFIRM, { answer: "yes" }, "/answer"],
    ["'false' for a confirm (A-NUM-4)", CONFIRM, { answer: "false" }, "/answer"],
    ["null for a confirm (A-NUM-4)", CONFIRM, { answer: null }, "/answer"],
    ["1 for a confirm", CONFIRM, { answer: 1 }, "/answer"],
    ["a value that is no option", SELECT, { answer: "Basel" }, "/answer"],
    ["a label instead of the value", SELECT, { answer: "Bern" }, "/answer"],
    ["another normal form of an option (A-UNI-3)", SELECT, { answer: "Z\u00fcrich" }, "/answer"],
    ["the position of an option", SELECT, { answer: "1" }, "/answer"],
    ["a blank for an integer (A-NUM-2)", COUNT, { answer: { qty: " " } }, "/answer/qty"],
    ["an empty string for an integer (A-NUM-2)", COUNT, { answer: { qty: "" } }, "/answer/qty"],
    ["null for an integer (A-NUM-2)", COUNT, { answer: { qty: null } }, "/answer/qty"],
    ["a missing property", COUNT, { answer: {} }, "/answer/qty", "required"],
    ["a list for a form", COUNT, { answer: [] }, "/answer"],
    ["false for a number (A-NUM-3)", TYPED, { answer: { n: false } }, "/answer/n"],
    ["1 for a boolean (A-NUM-3)", TYPED, { answer: { b: 1 } }, "/answer/b"],
    ["'true' for a boolean (A-NUM-3)", TYPED, { answer: { b: "true" } }, "/answer/b"],
    ["null for a string (A-NUM-3)", TYPED, { answer: { s: null } }, "/answer/s"],
    ["5 for a string (A-NUM-3)", TYPED, { answer: { s: 5 } }, "/answer/s"],
    [
      "an inherited name that is required (A-PROTO-1)",
      INHERITED,
      { answer: {} },
      "/answer/toString",
      "required",
    ],
    [
      "an inherited name with a type (A-PROTO-1)",
      INHERITED_TYPED,
      { answer: {} },
      "/answer/toString",
      "required",
    ],
    ["three emoji for maxLength 2 (A-UNI-1)", NICK, { answer: { nick: "💩💩💩" } }, "/answer/nick"],
    ["a NUL in a form's value (A-UNI-2)", NICK, { answer: { nick: "\0" } }, "/answer/nick"],
    ["a NUL in a form's key (A-UNI-2)", NICK, { answer: { "a\0": 1 } }, "/answer/a\ufffd"],
    ["an unticked box that must be ticked (A-FORM-8)", AGREE, { answer: { agree: false } }, "/answer/agree"],
    ["an enum value that the overlay replaced", OVERLAID, { answer: { c: "old" } }, "/answer/c"],
    ["17 params", TEXT, { answer: "x", params: manyParams(17, "v") }, "/params"],
    ["a param of 513 code points", TEXT, { answer: "x", params: { k: "v".repeat(513) } }, "/params/k"],
    ["a param that is a number", TEXT, { answer: "x", params: { k: 1 } }, "/params/k"],
    [
      "params over 2048 bytes together",
      TEXT,
      { answer: "x", params: manyParams(5, "é".repeat(256)) },
      "/params",
      "2048",
    ],
  ];

/** `[what, question, answer]`. */
export const FITTING_ANSWERS: readonly [string, object & Record<string, unknown>, unknown][] = [
  ["a text", TEXT, "hi"],
  ["an empty text", TEXT, ""],
  ["a text of 16,384 emoji is cut by no UTF-16 count", TEXT, "x".repeat(16_383) + "😀"],
  ["a text with markup, quotes and line ends", TEXT, '  "a"\\ <b>&amp;\r\n\u2028\u0085 \ufeff '],
  ["a text beside suggested replies", { question: "?", options: ["A"] }, "something else"],
  ["a yes", CONFIRM, true],
  ["a no (A-RES-4)", CONFIRM, false],
  ["an option exactly as declared (A-UNI-3)", SELECT, "Zu\u0308rich"],
  [
    "an option with braces (A-JSON-2)",
    { question: "?", answer_format: "select", options: ["{a,b}", 'say "hi"'] },
    "{a,b}",
  ],
  ["an object stays an object (A-JSON-1)", form({ type: "object" }), { a: 1, b: [true, null] }],
  [
    "an empty object gets no defaults (A-FORM-5)",
    form({ type: "object", properties: { n: { type: "integer", default: 3 } } }),
    {},
  ],
  ["falsy values are values (A-FORM-2)", TYPED, { n: 0, b: false, s: "" }],
  ["3.0 is an integer", COUNT, { qty: 3.0 }],
  ["an inherited name as data (A-PROTO-1)", INHERITED_TYPED, { toString: "x" }],
  [
    "an optional inherited name that is absent (A-PROTO-2)",
    form({ properties: { constructor: { type: "string" } } }),
    {},
  ],
  ["two emoji for maxLength 2 (A-UNI-1)", NICK, { nick: "💩💩" }],
  ["a ticked box that must be ticked (A-FORM-8)", AGREE, { agree: true }],
  [
    "an empty enum value (A-FORM-3)",
    form({ properties: { suffix: { enum: ["", "Jr"] } }, required: ["suffix"] }),
    { suffix: "" },
  ],
  [
    "flat keys that look nested (A-FORM-6)",
    form({ type: "object" }),
    { "a[b]": "1", "a.b": "2", 日本: "3", 'x"y': "4", "a&b=c": "5" },
  ],
  ["a value of the overlay", OVERLAID, { c: "new" }],
  [
    "numbers to the last digit",
    form({ type: "object" }),
    { a: 0.1, b: 1e21, c: -0.5, d: 9_007_199_254_740_991 },
  ],
];
