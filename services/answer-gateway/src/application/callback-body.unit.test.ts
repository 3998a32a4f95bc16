import type { Json } from "@interlude/kernel";
import { readVerifier } from "@interlude/secrets";
import { describe, expect, it } from "vitest";
import {
  readCallbackBody,
  repliesWithPage,
  type CallbackQuestion,
  type CallbackRules,
} from "./callback-body.ts";

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

/** The rules stand in for the shared ones; what matters here is which of them is asked, and with what. */
const rules: CallbackRules = {
  parseJson: (body) => {
    try {
      return { ok: true, value: JSON.parse(Buffer.from(body).toString("utf8")) as Json };
    } catch {
      return { ok: false, faults: [{ path: "", message: "not JSON" }] };
    }
  },
  typeForm: (fields) => ({ ok: true, value: { typed: Object.fromEntries(fields) } }),
};

type Sent = { body?: string | Uint8Array; type?: string | null; encoding?: string; query?: string };
const verifiers = {
  github: readVerifier({ name: "github", config: { secret_ref: "S" } }),
  stripe: readVerifier({ name: "stripe", config: { secret_ref: "S" } }),
  slack: readVerifier({ name: "slack", config: { secret_ref: "S" } }),
  shared_secret: readVerifier({ name: "shared_secret", config: { secret_ref: "S", header: "X-T" } }),
};
type Format = CallbackQuestion["answerFormat"];

function read(answerFormat: Format, sent: Sent, name?: keyof typeof verifiers) {
  const verifier = name === undefined ? undefined : verifiers[name];
  const question = { answerFormat, ...(verifier === undefined ? {} : { verifier }) };
  const body = typeof sent.body === "string" ? Buffer.from(sent.body) : (sent.body ?? new Uint8Array());
  const type = sent.type === undefined ? JSON_TYPE : sent.type;
  const request = {
    contentType: type,
    contentEncoding: sent.encoding ?? null,
    body,
    query: sent.query ?? "",
  };
  return readCallbackBody(question, request, rules);
}

const answer = (value: Json) => ({ kind: "answer", answer: value });
const faultsOf = (body: ReturnType<typeof read>) =>
  body.kind === "faults" ? body.faults.map(({ path }) => path) : expect.fail(body.kind);

describe("an external question", () => {
  it.each<[string, Json]>([
    ["{}", {}],
    ['{"a":null}', { a: null }],
    ['{"answer":false}', { answer: false }],
    ['{"constructor":1,"then":2}', { constructor: 1, then: 2 }],
  ])("A-RES-4: takes the whole object %s", (body, value) => {
    expect(read("external", { body, query: "a=1" })).toEqual(answer(value));
  });

  it.each(["null", "false", "0", '""', "[]", '"x"', "[{}]", "{"])("A-RES-4: refuses %s with 400", (body) => {
    expect(faultsOf(read("external", { body }))).toEqual([""]);
  });

  it.each<[string, Json]>([
    ["", {}],
    ["?", {}],
    ["?a=1&t=x&t=y", { a: "1", t: ["x", "y"] }],
    ["a=&b&c=d=e&&", { a: "", b: "", c: "d=e" }],
    ["a+b=%C3%A9+%2B&%61=%", { "a b": "é +", a: "%" }],
    [
      "constructor=1&toString=2&toString=3&hasOwnProperty",
      { constructor: "1", toString: ["2", "3"], hasOwnProperty: "" },
    ],
  ])("with an empty body takes the query %j", (query, value) => {
    for (const type of [null, JSON_TYPE, "text/plain"]) {
      expect(read("external", { query, type })).toEqual(answer(value));
      expect(read("external", { query, type }, "shared_secret")).toEqual(answer(value));
    }
  });

  it.each([
    ["%FF=1", ""],
    ["a=%C3", "/a"],
    ["a=%00", "/a"],
    ["__proto__=1", "/__proto__"],
    ["%5F_proto__=1", "/__proto__"],
    ["a/b=%ED%A0%80", "/a~1b"],
  ])("refuses the query %j, naming %j", (query, path) => {
    expect(faultsOf(read("external", { query }))).toEqual([path]);
  });

  it.each(["github", "stripe", "slack"] as const)(
    "bound to %s takes no query for a signed body",
    (verifier) => {
      expect(faultsOf(read("external", { query: "approved=true" }, verifier))).toEqual([""]);
    },
  );

  it("whose page posted its empty form is owed a page, and keeps the query", () => {
    expect(read("external", { type: FORM_TYPE, query: "a=1" })).toEqual(answer({ a: "1" }));
  });

  it("A-HTTP-4: takes no encoded body", () => {
    const kind = "unsupported_media_type";
    expect(read("external", { body: "{}", encoding: "gzip" })).toEqual({ kind });
    expect(read("external", { body: "{}", encoding: "identity" })).toEqual(answer({}));
  });
});

describe("Slack as the verifier", () => {
  it.each<[string, Json]>([
    ["payload=%7B%22type%22%3A%22block_actions%22%7D&token=t", { type: "block_actions" }],
    ["command=%2Fok&text=a+b&x=1&x=2", { command: "/ok", text: "a b", x: ["1", "2"] }],
    ["&", {}],
  ])("makes the object of %s", (body, value) => {
    expect(read("external", { body, type: FORM_TYPE }, "slack")).toEqual(answer(value));
  });

  it("takes JSON too", () => {
    expect(read("external", { body: '{"event_id":"E"}' }, "slack")).toEqual(answer({ event_id: "E" }));
  });

  it.each(["payload=[]", "payload=null", "payload=", "payload=%7B", "payload={}&payload={}"])(
    "refuses %s",
    (body) => {
      expect(faultsOf(read("external", { body, type: FORM_TYPE }, "slack"))).toEqual(["/payload"]);
    },
  );

  it.each([undefined, "github", "stripe", "shared_secret"] as const)(
    "is the only one: %s takes no fields",
    (name) => {
      const kind = "unsupported_media_type";
      expect(read("external", { body: "payload={}", type: FORM_TYPE }, name)).toEqual({ kind });
    },
  );
});

describe("a question over a channel", () => {
  it.each<[Format, Json]>([
    ["text", ""],
    ["confirm", false],
    ["confirm", null],
    ["select", "a"],
    ["form", { x: 0 }],
    ["text", 0],
  ])("%s takes the answer %j as it is sent", (format, value) => {
    expect(read(format, { body: JSON.stringify({ answer: value }) })).toEqual(answer(value));
  });

  it.each([
    ["{}", ["/answer"]],
    ["null", [""]],
    ["true", [""]],
    ["[true]", [""]],
    ['{"Answer":true}', ["/Answer", "/answer"]],
    ['{"answer":true,"a/b":1,"other":2}', ["/a~1b", "/other"]],
  ])("refuses %s, naming %j", (body, paths) => {
    for (const format of ["text", "confirm", "select", "form"] as const) {
      expect(faultsOf(read(format, { body }))).toEqual(paths);
    }
  });

  it("is never answered by its query", () => {
    for (const format of ["text", "select", "form"] as const) {
      expect(faultsOf(read(format, { query: "answer=a" }))).toEqual([""]);
    }
    expect(read("confirm", { query: "answer=false" })).toEqual(answer(true));
  });
});

describe("a page's fields", () => {
  const confirm = (body: string) => read("confirm", { body, type: FORM_TYPE });

  it("answer a confirm and are owed a page", () => {
    expect(confirm("answer=true")).toEqual(answer(true));
    expect(confirm("answer=false")).toEqual(answer(false));
  });

  it.each([
    ["answer=", ["/answer"]],
    ["answer=True", ["/answer"]],
    ["answer=on", ["/answer"]],
    ["&", ["/answer"]],
    ["answer=true&answer=true", ["/answer"]],
    ["answer=true&answer=false", ["/answer"]],
    ["answer=true&x=1", ["/x"]],
    ["answer=%FF", ["/answer"]],
  ])("%s is refused, naming %j", (body, paths) => {
    expect(faultsOf(confirm(body))).toEqual(paths);
  });

  it("of a form are typed by its schema", () => {
    const typed = { typed: { age: "7", "full name": "Ünal" } };
    expect(read("form", { body: "age=7&full+name=%C3%9Cnal", type: FORM_TYPE })).toEqual(answer(typed));
  });

  it("A-FORM-1: of a form that sends none, as one unticked box does, are typed all the same", () => {
    expect(read("form", { type: FORM_TYPE })).toEqual(answer({ typed: {} }));
    expect(faultsOf(read("form", { type: null }))).toEqual([""]);
  });

  it("sent twice are refused before they are typed", () => {
    expect(faultsOf(read("form", { body: "a=1&b=2&a=3&b=4&a=5", type: FORM_TYPE }))).toEqual(["/a", "/b"]);
  });

  it("that are not UTF-8 are refused", () => {
    expect(faultsOf(read("form", { body: Uint8Array.of(0x61, 0x3d, 0xff), type: FORM_TYPE }))).toEqual([""]);
  });

  it("answer no text and no choice", () => {
    for (const format of ["text", "select"] as const) {
      const kind = "unsupported_media_type";
      expect(read(format, { body: "answer=a", type: FORM_TYPE })).toEqual({ kind });
    }
  });
});

describe("A-HTTP-2: the media type", () => {
  it.each([
    "application/json",
    "APPLICATION/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    " application/json ; profile=x",
  ])("%j is JSON", (type) => {
    expect(read("text", { body: '{"answer":"a"}', type })).toEqual(answer("a"));
  });

  it.each([
    null,
    "",
    "text/plain",
    "application/vnd.api+json",
    "application/jsonp",
    "multipart/form-data; boundary=x",
    "application/json; charset=latin1",
    "application/json, text/plain",
    "text/plain; x=application/json",
  ])("%j is taken by no question, once there is a body", (type) => {
    for (const format of ["text", "confirm", "select", "form", "external"] as const) {
      expect(read(format, { body: '{"answer":true}', type })).toEqual({ kind: "unsupported_media_type" });
    }
  });

  it("of fields has no case and may carry UTF-8 as its charset", () => {
    const type = "Application/X-WWW-Form-Urlencoded; charset=UTF-8";
    expect(read("confirm", { body: "answer=true", type })).toEqual(answer(true));
  });
});

describe("a page in return", () => {
  it.each([FORM_TYPE, `${FORM_TYPE}; charset=UTF-8`])("is owed to a browser that sent %s", (type) => {
    expect(repliesWithPage({ answerFormat: "confirm" }, type)).toBe(true);
  });

  it.each([null, JSON_TYPE, "text/plain"])("is not owed to a program that sent %s", (type) => {
    expect(repliesWithPage({ answerFormat: "confirm" }, type)).toBe(false);
  });

  it("is never owed where a verifier is bound: what Slack sends looks like a form", () => {
    const { slack } = verifiers;
    const question = {
      answerFormat: "external",
      ...(slack === undefined ? {} : { verifier: slack }),
    } as const;
    expect(repliesWithPage(question, FORM_TYPE)).toBe(false);
  });
});
