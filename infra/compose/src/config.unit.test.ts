import { describe, expect, it } from "vitest";
import { readConfig } from "./config.ts";

const read = (environment: Record<string, string>) => readConfig(environment, () => ({ max_streams: 5 }));

describe("the configuration", () => {
  it("has the contract's defaults", () => {
    expect(read({})).toMatchObject({
      port: 8_787,
      host: "127.0.0.1",
      demo: true,
      corsOrigins: [],
      natsUrl: undefined,
    });
    expect(read({}).home.endsWith("/.interlude")).toBe(true);
  });

  it("takes a variable set to nothing for one that is not set", () => {
    expect(read({ PORT: "", INTERLUDE_DEV_KEY: "" })).toMatchObject({ port: 8_787, devKey: undefined });
  });

  it.each([
    "https://ask.example",
    "http://localhost:3000",
    "http://127.0.0.1:1",
    "http://[::1]:8",
    "https://ask.example/",
  ])("takes %s as public address", (url) => {
    expect(read({ INTERACTIONS_PUBLIC_BASE_URL: url }).publicBaseUrl).toBe(new URL(url).origin);
  });

  it.each([
    "http://ask.example",
    "ftp://ask.example",
    "ask.example",
    "https://ask.example/path",
    "https://u:p@ask.example",
  ])("refuses to start with the public address %s, naming the variable", (url) => {
    expect(() => read({ INTERACTIONS_PUBLIC_BASE_URL: url })).toThrow(/INTERACTIONS_PUBLIC_BASE_URL/);
  });

  it("tells every fault at once", () => {
    expect(() => read({ PORT: "high", INTERLUDE_DEMO: "yes" })).toThrow(
      /PORT[\s\S]*INTERLUDE_DEMO|INTERLUDE_DEMO[\s\S]*PORT/,
    );
  });

  it("reads settings from their file, the environment over it", () => {
    const { settings } = read({ INTERLUDE_SETTINGS_FILE: "s.json", INTERLUDE_MAX_WAITS: "3" });
    expect(settings).toMatchObject({ max_streams: 5, max_waits: 3 });
  });
});

describe("the identity provider's variables", () => {
  const issuer = { INTERLUDE_OIDC_ISSUER: "https://id.example/realm" };
  const tokens = { ...issuer, INTERLUDE_OIDC_AUDIENCE: "interlude" };

  it("say nothing while none is set", () => {
    expect(read({}).oidc).toBeUndefined();
  });

  it("take tokens with issuer and audience, and sign people in with a client besides", () => {
    const claims = { rolesClaim: "roles", groupsClaim: "groups" };
    const taken = { issuer: "https://id.example/realm", audience: "interlude", ...claims };
    expect(read(tokens).oidc).toEqual(taken);
    const client = { INTERLUDE_OIDC_CLIENT_ID: "web", INTERLUDE_OIDC_CLIENT_SECRET: "s" };
    expect(read({ ...tokens, ...client }).oidc).toEqual({
      ...taken,
      client: { id: "web", secret: "s", scope: "openid" },
    });
  });

  const refused: readonly [string, Record<string, string>, RegExp][] = [
    ["an issuer alone", issuer, /INTERLUDE_OIDC_AUDIENCE/],
    ["an audience alone", { INTERLUDE_OIDC_AUDIENCE: "a" }, /INTERLUDE_OIDC_ISSUER/],
    ["a client alone", { INTERLUDE_OIDC_CLIENT_ID: "a" }, /INTERLUDE_OIDC_ISSUER/],
    ["a claim alone", { INTERLUDE_OIDC_ROLES_CLAIM: "r" }, /INTERLUDE_OIDC_ISSUER/],
    [
      "a secret without its client",
      { ...tokens, INTERLUDE_OIDC_CLIENT_SECRET: "a" },
      /INTERLUDE_OIDC_CLIENT_ID/,
    ],
    [
      "a scope that is not OpenID's",
      { ...tokens, INTERLUDE_OIDC_CLIENT_ID: "a", INTERLUDE_OIDC_SCOPE: "profile" },
      /INTERLUDE_OIDC_SCOPE/,
    ],
    ...["http://id.example", "id.example", "https://u:p@id.example", "https://id.example/?x"].map(
      (url): [string, Record<string, string>, RegExp] => [
        url,
        { ...tokens, INTERLUDE_OIDC_ISSUER: url },
        /INTERLUDE_OIDC_ISSUER/,
      ],
    ),
  ];
  it.each(refused)("refuse to start with %s, naming what is wrong", (_, variables, named) => {
    expect(() => read(variables)).toThrow(named);
  });

  it.each(["http://127.0.0.1:9", "http://localhost", "http://[::1]:9/x"])("take the issuer %s", (url) => {
    expect(read({ ...tokens, INTERLUDE_OIDC_ISSUER: url }).oidc?.issuer).toBe(url);
  });
});
