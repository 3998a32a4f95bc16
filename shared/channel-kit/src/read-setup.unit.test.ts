import { describe, expect, it } from "vitest";
import { API_URL, apiBase, readRecipients, readSetup, recipientFaults, SECRET, TEXT } from "./index.ts";

const rules = { T_TOKEN: SECRET, T_SECRET: SECRET, T_API_URL: API_URL, T_NOTE: TEXT };
const read = (environment: Record<string, string>) =>
  readSetup(environment, rules, (value, optional) => ({ token: value("T_TOKEN"), note: optional("T_NOTE") }));

describe("a channel's variables", () => {
  it("are unset when there is none, also when they are set to nothing", () => {
    expect(read({ OTHER: "x" })).toEqual({ state: "unset" });
    expect(read({ T_TOKEN: "", T_NOTE: "" })).toEqual({ state: "unset" });
  });

  it("are half set when one is missing, which is named", () => {
    expect(read({ T_TOKEN: "a" })).toEqual({ state: "half_set", missing: ["T_SECRET"] });
    expect(read({ T_NOTE: "a", T_SECRET: "" })).toEqual({
      state: "half_set",
      missing: ["T_TOKEN", "T_SECRET"],
    });
  });

  it("are named when they are wrong, without what they hold", () => {
    const setup = read({ T_TOKEN: "hush hush", T_SECRET: "b", T_API_URL: "ftp://u:p@x" });
    expect(setup).toEqual({
      state: "invalid",
      faults: [
        "T_TOKEN must be of visible ASCII characters",
        "T_API_URL must be an http or https URL without user, query and fragment",
      ],
    });
  });

  it("make a channel when they are whole", () => {
    expect(read({ T_TOKEN: "a", T_SECRET: "b", T_API_URL: "http://127.0.0.1:1/x" })).toEqual({
      state: "set",
      config: { token: "a", note: undefined },
    });
    expect(apiBase(undefined, "https://a.example/v1")).toBe("https://a.example/v1/");
    expect(apiBase("http://b.example//", "")).toBe("http://b.example/");
  });
});

describe("who may be written to", () => {
  const channel = {
    name: "sms",
    address: (recipient: string) => recipient.replaceAll(" ", ""),
    shape: /^[+\d ]+$/,
    example: "a number",
  };
  const messages = (recipient: string | undefined, fallback?: string, allowed?: string) =>
    recipientFaults(recipient, readRecipients(fallback, allowed), channel).map(({ message }) => message);

  it("is anybody, unless a list says otherwise", () => {
    expect(messages("+1 2")).toEqual([]);
    expect(messages("+12", undefined, "+3, +1 2")).toEqual([]);
    expect(messages("+12", "+12", "+3")).toEqual(["recipient is not among SMS_ALLOWED_RECIPIENTS"]);
    expect(messages("you")).toEqual(["recipient must be a number on channel sms"]);
  });

  it("is the default one without a recipient, whatever the list says", () => {
    expect(messages(undefined, "+12", "+3")).toEqual([]);
    expect(messages(undefined)).toEqual(["recipient is required: SMS_DEFAULT_RECIPIENT is not set"]);
  });
});
