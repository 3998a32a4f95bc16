import { eventually } from "@interlude/testing";
import { expect } from "vitest";
import type { Interlude } from "./start-interlude.ts";

type Reply = { status: number; body: unknown };

/** Asks, tells and looks over HTTP as a program does, for journeys whose other side is a chat. */
export function talk(interlude: () => Interlude) {
  async function call(method: string, path: string, body?: unknown, prefer?: string): Promise<Reply> {
    const { url, apiKey } = interlude();
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(prefer === undefined ? {} : { prefer }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json: unknown = await response.json();
    return { status: response.status, body: json };
  }

  async function untilItem(id: string, expected: object): Promise<void> {
    await eventually(
      async () => {
        expect((await call("GET", `/api/interactions/${id}`)).body).toMatchObject(expected);
      },
      { withinMs: 10_000 },
    );
  }

  return {
    call,
    untilItem,
    /** Asks, and is back once the provider has taken it. */
    async ask(body: Readonly<Record<string, unknown>>): Promise<void> {
      expect(await call("POST", "/api/interactions", body, "delivered")).toMatchObject({
        status: 201,
        body: { delivery: { state: "sent" } },
      });
    },
  };
}
