import { createHmac } from "node:crypto";
import { expect } from "vitest";
import type { Interlude } from "./start-interlude.ts";
import { type Reply, send } from "./send.ts";

/** What the provider of these tests signs with: the secret `provider`. */
export const SECRET = "a secret of the provider";
export const FORM = { "content-type": "application/x-www-form-urlencoded" };
export const NOT_FOUND = '{"error":"not found"}';
export const github = { name: "github", config: { secret_ref: "provider" } };

type External = { id: string; url: string };

/** An external question and what became of it, as its asker sees it. */
export function externalQuestions(at: () => Interlude) {
  const readOf = async (path: string): Promise<Record<string, unknown>> => {
    const { url, keys } = at();
    return (await send(`${url}/api/interactions/${path}`, { key: keys.asker })).json;
  };
  return {
    askExternal: async (fields: Record<string, unknown> = {}): Promise<External> => {
      const { url, keys } = at();
      const json = {
        question: "Pay?",
        answer_format: "external",
        link: "https://pay.example/?return={callback_url}",
        ...fields,
      };
      const asked = await send(`${url}/api/interactions`, { key: keys.asker, json });
      expect(asked.text, asked.text).toContain("interaction_id");
      const link = new URL(String(asked.json["link"]));
      return { id: String(asked.json["interaction_id"]), url: link.searchParams.get("return") ?? "" };
    },
    itemOf: (id: string) => readOf(id),
    resultOf: (id: string) => readOf(`${id}/result`),
  };
}

/** The headers of a delivery as GitHub signs it. */
export function signed(body: string, delivery: string, secret = SECRET): Record<string, string> {
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  return {
    "content-type": "application/json",
    "x-hub-signature-256": `sha256=${signature}`,
    "x-github-delivery": delivery,
  };
}

export function expectGuarded({ headers }: Reply): void {
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  const csp = headers.get("content-security-policy") ?? "";
  expect(csp).toContain("default-src 'none'");
  expect(csp).not.toContain("unsafe-inline");
}

/** All of a reply that its receiver sees, but for the date. */
export function seen({ status, text, headers }: Reply): unknown {
  return [status, text, [...headers].filter(([name]) => name !== "date")];
}
