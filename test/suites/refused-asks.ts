/** `[what, body over {question}, place, word of the message]`. */
export type RefusedAsk = [string, Record<string, unknown>, string, string?];

const select = (...options: unknown[]) => ({ answer_format: "select", options });
const form = (schema: unknown, rest: object = {}) => ({ answer_format: "form", schema, ...rest });
const media = (...items: object[]) => ({ media: items });
const link = (url: unknown) => media({ kind: "link", url });
const image = (url: unknown) => media({ kind: "image", url });
const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
const async = (rest: object = {}) => ({
  mode: "async",
  expiry_at: inAnHour,
  run: { driver: "crew", run_id: "r1" },
  ...rest,
});
const two = { type: "object", properties: { a: { type: "string" }, n: { type: "integer" } } };

const SHAPE: RefusedAsk[] = [
  ["a question of 8193 code points", { question: "x".repeat(8193) }, "/question", "8192"],
  ["an empty question", { question: "" }, "/question"],
  ["a question with nothing to see", { question: " \u200b\u2060\u00ad\n" }, "/question", "visible"],
  ["a question that is a number", { question: 5 }, "/question"],
  ["an unknown field", { questoin: "typo" }, "/questoin"],
  ["an unknown format", { answer_format: "number" }, "/answer_format"],
  ["a null for an optional field", { group_id: null }, "/group_id"],
  ["a group of 129 code points", { group_id: "g".repeat(129) }, "/group_id"],
  ["a control character in the group", { group_id: "a\u0001" }, "/group_id"],
  ["a line break in the audience", { audience: "bob\n" }, "/audience"],
  ["an audience that is blank", { audience: "  " }, "/audience"],
  ["an audience of 513 code points", { audience: "a".repeat(513) }, "/audience"],
  [
    "17 metadata keys",
    { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, ""])) },
    "/metadata",
  ],
  ["a metadata key of 65 code points", { metadata: { ["k".repeat(65)]: "" } }, `/metadata/${"k".repeat(65)}`],
  ["a metadata value of 513 code points", { metadata: { k: "v".repeat(513) } }, "/metadata/k"],
  ["a metadata value that is a number", { metadata: { k: 5 } }, "/metadata/k"],
  ["a control character in metadata", { metadata: { k: "a\u0007b" } }, "/metadata/k"],
  ["sensitive as a word", { sensitive: "yes" }, "/sensitive"],
  ["an id of 7 characters", { id: "abcdefg" }, "/id"],
  ["an id of 65 characters", { id: "a".repeat(65) }, "/id"],
  ["an id with a dot (A-SUB-2)", { id: "user.2026.01.01" }, "/id"],
  ["an id with a wildcard (A-SUB-2)", { id: "tenant:*>abcd" }, "/id"],
  ["an id with a space (A-SUB-1)", { id: "a b c d e f" }, "/id"],
  ["an id with CRLF (A-SUB-1)", { id: "abcdefgh\r\n" }, "/id"],
  ["an id that begins like a derived one", { id: "k_abcdefgh" }, "/id"],
  ["an id that begins like an external one", { id: "x_abcdefgh" }, "/id"],
  ["an id that is a word of a path", { id: "callback" }, "/id"],
  ["an id that is another word of a path", { id: "reservations" }, "/id"],
];

const OPTIONS: RefusedAsk[] = [
  ["a select without options", { answer_format: "select" }, "/options"],
  ["a select with no options", select(), "/options"],
  ["201 options", select(...Array.from({ length: 201 }, (_, at) => `o${at}`)), "/options"],
  ["an option of 513 code points", select("x".repeat(513)), "/options/0"],
  ["an empty option", select("a", ""), "/options/1"],
  ["an option with nothing to see", select("a", "\u200b "), "/options/1"],
  ["a label with nothing to see", select({ value: "a", label: " " }), "/options/0/label"],
  ["options equal after case folding", select("Yes", "yes"), "/options/1"],
  ["options equal after trimming", select("a", " a "), "/options/1"],
  ["options equal after NFC (A-UNI-3)", select("Zu\u0308rich", "Z\u00fcrich"), "/options/1"],
  ["options on a confirm", { answer_format: "confirm", options: ["a"] }, "/options"],
  ["options on a form", form(two, { options: ["a"] }), "/options"],
  ["an option that is a number", select(1), "/options/0"],
  ["an unknown field of an option", select({ value: "a", lable: "A" }), "/options/0/lable"],
];

const FORMS: RefusedAsk[] = [
  ["a form without schema", { answer_format: "form" }, "/schema"],
  ["a schema that is a string", form("{}"), "/schema"],
  ["a schema on a text", { schema: two }, "/schema"],
  ["data on a text", { data: {} }, "/data"],
  ["pages on a text", { pages: [{ title: "1", properties: ["a"] }] }, "/pages"],
  [
    "a property that is no schema (A-FORM-7)",
    form({ type: "object", properties: { firstName: "" } }),
    "/schema/properties/firstName",
    "firstName",
  ],
  ["allOf that is no list (A-FORM-7)", form({ allOf: {} }), "/schema/allOf", "allOf"],
  [
    "a pattern that does not compile (A-SCH-4)",
    form({ properties: { code: { type: "string", pattern: "[" } } }),
    "/schema/properties/code/pattern",
    "code",
  ],
  [
    "a pattern with a backreference",
    form({ properties: { c: { pattern: "(a)\\1" } } }),
    "/schema/properties/c/pattern",
  ],
  [
    "a pattern with a lookahead",
    form({ properties: { c: { pattern: "(?=a)" } } }),
    "/schema/properties/c/pattern",
  ],
  ["a remote reference", form({ $ref: "https://else.example/s.json" }), "/schema/$ref"],
  ["an unknown dialect", form({ $schema: "http://json-schema.org/draft-04/schema#" }), "/schema/$schema"],
  ["a schema over 64 KiB", form({ description: "x".repeat(65_536) }), "/schema"],
  ["a schema 33 levels deep", form(nested(33)), "/schema"],
  ["a schema that doubles at every level", form(doubling(30)), "/schema/$defs/l14", "multiply"],
  [
    "1001 properties",
    form({ properties: Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`p${at}`, true])) }),
    "/schema",
  ],
  ["a value of an unknown property", form(two, { data: { values: { zz: "x" } } }), "/data/values/zz", "zz"],
  ["a value that does not fit", form(two, { data: { values: { n: "x" } } }), "/data/values/n", "n"],
  [
    "choices on an integer property",
    form(two, { data: { options: { n: [{ value: "1" }] } } }),
    "/data/options/n",
    "n",
  ],
  ["an unknown field of data", form(two, { data: { value: {} } }), "/data/value"],
  ["no pages at all", form(two, { pages: [] }), "/pages"],
  ["a page that misses a property", form(two, { pages: [{ title: "1", properties: ["a"] }] }), "/pages", "n"],
  [
    "a property on two pages",
    form(two, {
      pages: [
        { title: "1", properties: ["a", "n"] },
        { title: "2", properties: ["a"] },
      ],
    }),
    "/pages/1/properties/0",
    "a",
  ],
  [
    "a page with an unknown property",
    form(two, { pages: [{ title: "1", properties: ["a", "n", "zz"] }] }),
    "/pages/0/properties/2",
    "zz",
  ],
  [
    "a page title of 201 code points",
    form(two, { pages: [{ title: "t".repeat(201), properties: ["a", "n"] }] }),
    "/pages/0/title",
  ],
];

const TIMING: RefusedAsk[] = [
  ["a wait of 0 seconds", { timeout_seconds: 0 }, "/timeout_seconds"],
  ["a wait below 0", { timeout_seconds: -1 }, "/timeout_seconds"],
  ["a wait of 0.09 seconds", { timeout_seconds: 0.09 }, "/timeout_seconds"],
  ["a wait over 30 days (A-TIME-1)", { timeout_seconds: 3e9 }, "/timeout_seconds"],
  ["a wait that is a string", { timeout_seconds: "60" }, "/timeout_seconds"],
  ["timeout and expiry together", async({ timeout_seconds: 5 }), "/timeout_seconds", "mutually exclusive"],
  ["expiry on a sync ask", { expiry_at: inAnHour }, "/expiry_at"],
  ["a run on a sync ask", { run: { driver: "crew", run_id: "r" } }, "/run"],
  ["async without expiry", { mode: "async", run: { driver: "crew", run_id: "r" } }, "/expiry_at"],
  ["async without run", { mode: "async", expiry_at: inAnHour }, "/run"],
  ["a driver nobody registered", async({ run: { driver: "nobody", run_id: "r1" } }), "/run/driver", "nobody"],
  ["a run id of 513 code points", async({ run: { driver: "crew", run_id: "r".repeat(513) } }), "/run/run_id"],
  ["an unknown mode", { mode: "later" }, "/mode"],
  ["an expiry without zone (A-TIME-2)", async({ expiry_at: "2031-03-30T02:30:00" }), "/expiry_at", "offset"],
  ["an expiry that is a date (A-TIME-2)", async({ expiry_at: "2031-03-30" }), "/expiry_at"],
  ["an impossible date", async({ expiry_at: "2031-02-30T00:00:00Z" }), "/expiry_at"],
  ["second 60", async({ expiry_at: "2031-06-30T23:59:60Z" }), "/expiry_at"],
  ["hour 24", async({ expiry_at: "2031-06-30T24:00:00Z" }), "/expiry_at"],
  ["an expiry in the past", async({ expiry_at: "2020-01-01T00:00:00Z" }), "/expiry_at", "future"],
  ["an expiry in 101 years", async({ expiry_at: "2140-01-01T00:00:00Z" }), "/expiry_at", "100 years"],
];

const MEDIA: RefusedAsk[] = [
  ["no media at all", { media: [] }, "/media"],
  [
    "51 media",
    { media: Array.from({ length: 51 }, () => ({ kind: "link", url: "https://a.example/" })) },
    "/media",
  ],
  ["media over 1,048,576 characters together", threeLargeImages(), "/media", "1048576"],
  ["a link by ftp", link("ftp://a.example/x"), "/media/0/url"],
  ["a relative link", link("/somewhere"), "/media/0/url"],
  ["a script as a link", link("javascript:alert(1)"), "/media/0/url"],
  ["an image over http", image("http://a.example/x.png"), "/media/0/url"],
  ["an SVG as data (A-MED-1)", image("data:image/svg+xml;base64,PHN2Zy8+"), "/media/0/url"],
  ["data that is not base64 (A-MED-3)", image("data:image/png,%89PNG"), "/media/0/url"],
  [
    "data of another type than its bytes",
    image("data:image/png;base64,R0lGODlhAQABAAAAACw="),
    "/media/0/url",
  ],
  ["data with no bytes", image("data:image/png;base64,"), "/media/0/url"],
  ["data on a video", media({ kind: "video", url: "data:image/png;base64,iVBORw0KGgo=" }), "/media/0/url"],
  ["a space in a URL", link("https://a.example/a b"), "/media/0/url"],
  ["a zero-width character in a URL", link("https://a.example/\u200bx"), "/media/0/url"],
  ["a bidi control in a URL", link("https://a.example/\u202ex"), "/media/0/url"],
  ["userinfo in a URL", link("https://u:p@a.example/"), "/media/0/url"],
  ["a port over 65535", link("https://a.example:70000/"), "/media/0/url"],
  ["a host that is no ASCII", link("https://bücher.example/"), "/media/0/url"],
  ["an impossible IPv4 host", link("https://999.999.999.999/"), "/media/0/url"],
  ["a host in hex", link("https://0x1/"), "/media/0/url"],
  ["an IPv6 zone", link("https://[fe80::1%25eth0]/"), "/media/0/url"],
  ["a URL of 8193 characters", link(`https://a.example/${"x".repeat(8193 - 18)}`), "/media/0/url"],
  ["an empty caption", media({ kind: "link", url: "https://a.example/", caption: "" }), "/media/0/caption"],
  [
    "a caption of 1001 code points",
    media({ kind: "link", url: "https://a.example/", caption: "c".repeat(1001) }),
    "/media/0/caption",
  ],
  [
    "a file name on an image",
    media({ kind: "image", url: "https://a.example/x.png", filename: "x.png" }),
    "/media/0/filename",
  ],
  [
    "a file name with a line break (A-MED-2)",
    media({ kind: "document", url: "https://a.example/a", filename: "a\r\nX-Evil: 1.pdf" }),
    "/media/0/filename",
  ],
  [
    "a file name of 256 code points",
    media({ kind: "document", url: "https://a.example/a", filename: "f".repeat(256) }),
    "/media/0/filename",
  ],
  ["an unknown kind", media({ kind: "gif", url: "https://a.example/" }), "/media/0/kind"],
  ["a stored file that is not there", image(`/api/interactions/media/${"a".repeat(43)}`), "/media/0/url"],
];

const ELSEWHERE: RefusedAsk[] = [
  ["a channel nobody registered", { channel: "pigeon" }, "/channel", "pigeon"],
  ["a channel with a space and a dot (A-SUB-1)", { channel: "ops team.eu" }, "/channel"],
  ["an empty channel", { channel: "" }, "/channel"],
  ["a recipient without channel", { recipient: "ann" }, "/recipient"],
  ["on_mismatch without channel", { on_mismatch: "retry" }, "/on_mismatch"],
  ["a mismatch notice without channel", { mismatch_notice: "No: {reason}" }, "/mismatch_notice"],
  ["a link on a text", { link: "https://a.example/{callback_url}" }, "/link"],
  ["a verifier on a text", { verifier: { name: "github", config: { secret_ref: "s" } } }, "/verifier"],
];

export const REFUSED_ASKS: readonly RefusedAsk[] = [
  ...SHAPE,
  ...OPTIONS,
  ...FORMS,
  ...TIMING,
  ...MEDIA,
  ...ELSEWHERE,
];

function nested(levels: number): object {
  let schema: object = {};
  for (let level = 1; level < levels; level++) schema = { not: schema };
  return schema;
}

/** No answer could be checked against it: each level leads twice to the next. */
function doubling(levels: number): object {
  const next = (level: number) => ({ $ref: `#/$defs/l${level}` });
  const definition = (level: number) =>
    level === levels ? { type: "object" } : { anyOf: [next(level + 1), next(level + 1)] };
  const $defs = Array.from({ length: levels + 1 }, (_, at): [string, object] => [`l${at}`, definition(at)]);
  return { ...next(0), $defs: Object.fromEntries($defs) };
}

function threeLargeImages(): Record<string, unknown> {
  const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(300_000)]).toString(
    "base64",
  );
  const item = { kind: "image", url: `data:image/png;base64,${png}` };
  return { media: [item, item, item] };
}
