import { type Dispatcher, Pool } from "undici";
import { z } from "zod";
import type { Composition } from "./composition.ts";

const Receipt = z.object({ interaction_id: z.string(), sequence: z.number() });
const Page = z.object({ items: z.array(z.unknown()), total: z.number(), next_cursor: z.string().nullable() });
export type Page = z.infer<typeof Page>;

const Claim = z.object({ claim_id: z.string(), continuation: z.object({ run_id: z.string() }) });
export type RunName = { driver: string; run_id: string };

/** The HTTP doors over kept-alive connections. */
export type Doors = {
  ask(question?: string): Promise<{ id: string; sequence: number }>;
  answer(id: string): Promise<void>;
  /** Holds until the question has ended. */
  awaitEnd(id: string): Promise<void>;
  list(query: string): Promise<Page>;
  registerDriver(name: string): Promise<void>;
  /** Asks in the name of a run, which may then park on it. */
  askInRun(run: RunName): Promise<string>;
  park(run: RunName, ids: readonly string[]): Promise<void>;
  /** Waits for a run to go on with, and ends it. */
  claim(driver: string): Promise<{ runId: string; complete(): Promise<void> }>;
  metric(name: string): Promise<number>;
  close(): Promise<void>;
};

export function openDoors({ url, apiKey }: Pick<Composition, "url" | "apiKey">, connections = 200): Doors {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const authorization = `Bearer ${apiKey}`;
  const asJson = { authorization, "content-type": "application/json" };

  async function call(request: Dispatcher.RequestOptions, wanted: readonly number[]): Promise<string> {
    const { statusCode, body } = await pool.request(request);
    const text = await body.text();
    if (!wanted.includes(statusCode)) throw new Error(`${request.path} answered ${statusCode}: ${text}`);
    return text;
  }

  return {
    async ask(question = "Shall we ship the release to everybody tonight?") {
      const body = JSON.stringify({ question, answer_format: "confirm" });
      const text = await call({ path: "/api/interactions", method: "POST", headers: asJson, body }, [201]);
      const { interaction_id: id, sequence } = Receipt.parse(JSON.parse(text));
      return { id, sequence };
    },
    async answer(id) {
      const path = `/api/interactions/${id}/answer`;
      await call({ path, method: "POST", headers: asJson, body: '{"answer":true}' }, [200]);
    },
    async awaitEnd(id) {
      const path = `/api/interactions/${id}/result?wait=30`;
      await call({ path, method: "GET", headers: { authorization } }, [200]);
    },
    async list(query) {
      const text = await call(
        { path: `/api/interactions?${query}`, method: "GET", headers: { authorization } },
        [200],
      );
      return Page.parse(JSON.parse(text));
    },
    async registerDriver(name) {
      const body = JSON.stringify({ name, checkpointer: { kind: "postgres" } });
      await call({ path: "/api/drivers", method: "POST", headers: asJson, body }, [200, 201]);
    },
    async askInRun(run) {
      const expiry_at = new Date(Date.now() + 86_400_000).toISOString();
      const body = JSON.stringify({
        question: "Go on?",
        answer_format: "confirm",
        mode: "async",
        expiry_at,
        run,
      });
      const text = await call({ path: "/api/interactions", method: "POST", headers: asJson, body }, [201]);
      return Receipt.parse(JSON.parse(text)).interaction_id;
    },
    async park({ driver, run_id }, ids) {
      const path = `/api/runs/${driver}/${run_id}/park`;
      const body = JSON.stringify({ interaction_ids: ids });
      await call({ path, method: "POST", headers: asJson, body }, [201]);
    },
    async claim(driver) {
      const path = `/api/drivers/${driver}/claims?wait=30`;
      const text = await call({ path, method: "POST", headers: { authorization } }, [200]);
      const { claim_id: id, continuation } = Claim.parse(JSON.parse(text));
      return {
        runId: continuation.run_id,
        async complete() {
          const done = { path: `/api/claims/${id}/complete`, method: "POST" as const };
          await call({ ...done, headers: asJson, body: "{}" }, [200]);
        },
      };
    },
    async metric(name) {
      const text = await call({ path: "/metrics", method: "GET", headers: { authorization } }, [200]);
      return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? NaN);
    },
    close: () => pool.close(),
  };
}
