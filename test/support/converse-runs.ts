import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Body } from "./converse.ts";
import type { Deployment } from "./deployment.ts";
import { type Reply, send, type Sent } from "./send.ts";

const HOUR_MS = 3_600_000;

/** The doors of drivers, runs and claims by name; `ann` has the drivers unless said otherwise. */
export function converseAboutRuns(at: () => Deployment) {
  const call = (path: string, sent: Sent = {}) =>
    send(`${at().url}${path}`, { key: at().keys.asker, ...sent });
  const post = (path: string, json: Body | undefined, sent: Sent = {}) =>
    call(path, { method: "POST", ...(json === undefined ? {} : { json }), ...sent });
  const runPath = (driver: string, runId: string) => `/api/runs/${driver}/${encodeURIComponent(runId)}`;
  const register = (name: string, more: Body = {}, sent: Sent = {}) =>
    post("/api/drivers", { name, checkpointer: { kind: "postgres" }, ...more }, sent);
  const ask = (driver: string, runId: string, more: Body = {}, sent: Sent = {}) => {
    const expiry_at = new Date(Date.now() + HOUR_MS).toISOString();
    const body = { question: "Go on?", mode: "async", expiry_at, run: { driver, run_id: runId }, ...more };
    return post("/api/interactions", body, sent);
  };
  const claim = (driver: string, query = "", sent: Sent = {}) =>
    post(`/api/drivers/${driver}/claims${query}`, undefined, sent);
  const ofClaim = (claimId: string, what: string) => `/api/claims/${encodeURIComponent(claimId)}/${what}`;
  return {
    call,
    register,
    ask,
    claim,
    /** A driver of its own for a test. */
    async registered(more: Body = {}, sent: Sent = {}): Promise<string> {
      const name = `d-${randomUUID()}`;
      const reply = await register(name, more, sent);
      expect(reply.text).toContain(name);
      expect(reply.status).toBe(201);
      return name;
    },
    async asked(driver: string, runId: string, more: Body = {}, sent: Sent = {}): Promise<string> {
      const reply = await ask(driver, runId, more, sent);
      expect(reply.text).toContain("interaction_id");
      expect(reply.status).toBe(201);
      return String(reply.json["interaction_id"]);
    },
    park: (driver: string, runId: string, ids: readonly string[], more: Body = {}, sent: Sent = {}) =>
      post(`${runPath(driver, runId)}/park`, { interaction_ids: ids, ...more }, sent),
    show: (driver: string, runId: string, sent: Sent = {}) => call(runPath(driver, runId), sent),
    questions: (driver: string, runId: string, query = "", sent: Sent = {}) =>
      call(`${runPath(driver, runId)}/questions${query}`, sent),
    history: (driver: string, runId: string, sent: Sent = {}) =>
      call(`${runPath(driver, runId)}/events`, sent),
    list: (query = "", sent: Sent = {}) => call(`/api/runs${query}`, sent),
    replay: (driver: string, runId: string, sent: Sent = {}) =>
      post(`${runPath(driver, runId)}/replay`, undefined, sent),
    /** Takes what there must be to take. */
    async claimed(driver: string, sent: Sent = {}): Promise<Reply> {
      const reply = await claim(driver, "?wait=10", sent);
      expect(reply.status, reply.text).toBe(200);
      return reply;
    },
    heartbeat: (claimId: string, sent: Sent = {}) => post(ofClaim(claimId, "heartbeat"), undefined, sent),
    complete: (claimId: string, body?: Body, sent: Sent = {}) =>
      post(ofClaim(claimId, "complete"), body, sent),
    fail: (claimId: string, body: Body, sent: Sent = {}) => post(ofClaim(claimId, "fail"), body, sent),
    /** The answers a claim carries, by question. */
    resolutionsOf(claimed: Reply): Record<string, unknown> {
      return Object.fromEntries(
        resolutionList(claimed).map((each) => [String(each["interaction_id"]), each["answer"]]),
      );
    },
    resolutionList,
  };
}

export function continuationOf(claimed: Reply): Record<string, unknown> {
  const { continuation } = claimed.json;
  return typeof continuation === "object" && continuation !== null
    ? Object.fromEntries(Object.entries(continuation))
    : {};
}

export function resolutionList(claimed: Reply): Record<string, unknown>[] {
  const { resolutions } = continuationOf(claimed);
  return Array.isArray(resolutions) ? (resolutions as Record<string, unknown>[]) : [];
}

export function nextCursorOf(page: Reply): string | null {
  const cursor = page.json["next_cursor"];
  return typeof cursor === "string" ? cursor : null;
}
