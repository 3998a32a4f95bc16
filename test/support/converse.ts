import { expect } from "vitest";
import type { Deployment } from "./deployment.ts";
import { type Reply, send, type Sent } from "./send.ts";

export type Body = Readonly<Record<string, unknown>>;

/** The doors by name, as the people of a test use them; `ann` asks and `bob` answers unless said otherwise. */
export type Conversation = {
  call: (path: string, sent?: Sent) => Promise<Reply>;
  ask: (body: Body, sent?: Sent) => Promise<Reply>;
  /** Asks what must be accepted; the id. */
  asked: (body?: Body, sent?: Sent) => Promise<string>;
  answer: (id: string, answer: unknown, sent?: Sent) => Promise<Reply>;
  result: (id: string, query?: string, sent?: Sent) => Promise<Reply>;
  list: (query?: string, sent?: Sent) => Promise<Reply>;
  /** The list's items once it includes everything up to `sequence`. */
  listed: (query: string, sequence: unknown, sent?: Sent) => Promise<Reply>;
  item: (id: string, sent?: Sent) => Promise<Reply>;
};

export function converse(at: () => Deployment): Conversation {
  const call = (path: string, sent: Sent = {}) => send(`${at().url}${path}`, sent);
  const ask = (body: Body, sent: Sent = {}) =>
    call("/api/interactions", { key: at().keys.asker, json: body, ...sent });
  const list = (query = "", sent: Sent = {}) =>
    call(`/api/interactions${query}`, { key: at().keys.operator, ...sent });
  return {
    call,
    ask,
    list,
    async asked(body = {}, sent = {}) {
      const reply = await ask({ question: "Shall we?", ...body }, sent);
      expect(reply.text).toContain("interaction_id");
      expect(reply.status).toBe(201);
      return String(reply.json["interaction_id"]);
    },
    answer: (id, answer, sent = {}) =>
      call(`/api/interactions/${id}/answer`, { key: at().keys.answerer, json: { answer }, ...sent }),
    result: (id, query = "", sent = {}) =>
      call(`/api/interactions/${id}/result${query}`, { key: at().keys.asker, ...sent }),
    listed: (query, sequence, sent = {}) =>
      list(`${query}${query === "" ? "?" : "&"}at_least=${String(sequence)}`, sent),
    item: (id, sent = {}) => call(`/api/interactions/${id}`, { key: at().keys.operator, ...sent }),
  };
}

/** The problem's code and the places it names, in order. */
export function faultsOf(reply: Reply): { status: number; code: unknown; paths: string[] } {
  const { errors } = reply.json;
  const list: unknown[] = Array.isArray(errors) ? errors : [];
  return {
    status: reply.status,
    code: reply.json["code"],
    paths: list.map((each) =>
      typeof each === "object" && each !== null && "path" in each ? String(each.path) : "",
    ),
  };
}

export function messagesOf(reply: Reply): string {
  return JSON.stringify(reply.json["errors"] ?? []);
}

export function itemsOf(reply: Reply): Record<string, unknown>[] {
  const { items } = reply.json;
  return Array.isArray(items) ? (items as Record<string, unknown>[]) : [];
}

export function idsOf(reply: Reply): string[] {
  return itemsOf(reply).map((item) => String(item["interaction_id"]));
}
