import { EventEmitter, once } from "node:events";
import {
  problem,
  type Reply,
  type Seen,
  type SmallServer,
  smallServer,
  type Trouble,
} from "./small-server.ts";

type Stored = { text: string; body: Record<string, unknown>; cancelled: boolean };
type Told = Readonly<{ claimId: string; verb: string; body: Record<string, unknown> }>;

export type RunServer = SmallServer &
  Readonly<{
    questions: Map<string, Stored>;
    parks: { path: string; ids: string[]; bearer: string }[];
    /** What workers said of their claims, heartbeats left out. */
    told: Told[];
    heartbeats(claimId: string): number;
    /** Puts a claim up for whoever asks next. */
    offer(claim: Record<string, unknown>): void;
    /** Waits until a worker has said that much of its claims. */
    untilTold(count: number): Promise<readonly Told[]>;
    lose(claimId: string): void;
  }>;

export function resumeClaim(
  claimId: string,
  continuation: object = {},
  leaseSeconds = 60,
): Record<string, unknown> {
  return {
    claim_id: claimId,
    kind: "resume",
    fencing: 7,
    lease_seconds: leaseSeconds,
    token: `token-${claimId}`,
    continuation: {
      run_id: "run-1",
      park_id: "p_1",
      identity: { subject: "ana", groups: ["ops"] },
      resolutions: [],
      ...continuation,
    },
  };
}

/** As strict as the contract on what a driver must get right: ids, keys, tokens, leases and repeats. */
export async function runServer(trouble?: (seen: Seen, index: number) => Trouble): Promise<RunServer> {
  const questions = new Map<string, Stored>();
  const parks: { path: string; ids: string[]; bearer: string }[] = [];
  const told: Told[] = [];
  const beats = new Map<string, number>();
  const lost = new Set<string>();
  const offered: Record<string, unknown>[] = [];
  const given = new Map<string, Record<string, unknown>>();
  const changes = new EventEmitter();
  changes.setMaxListeners(100);

  const ask = (seen: Seen): Reply => {
    const body = JSON.parse(seen.text) as Record<string, unknown>;
    const id = String(body["id"]);
    const known = questions.get(id);
    if (known !== undefined && known.text !== seen.text) return problem(409, "idempotency_conflict");
    if (known === undefined) questions.set(id, { text: seen.text, body, cancelled: false });
    return { status: known === undefined ? 201 : 200, body: { interaction_id: id, status: "pending" } };
  };
  const claim = async (seen: Seen): Promise<Reply> => {
    const key = String(seen.headers["idempotency-key"]);
    const until = AbortSignal.timeout(Number(seen.query.get("wait")) * 1_000);
    for (;;) {
      const found = given.get(key) ?? offered.shift();
      if (found !== undefined) {
        given.set(key, found);
        return { status: 200, body: found };
      }
      if (until.aborted || seen.connection.aborted) return { status: 204 };
      await once(changes, "offer", { signal: AbortSignal.any([until, seen.connection]) }).catch(
        () => undefined,
      );
    }
  };
  const onClaim = (seen: Seen, claimId: string, verb: string): Reply => {
    if (verb === "heartbeat") beats.set(claimId, (beats.get(claimId) ?? 0) + 1);
    if (lost.has(claimId)) return problem(409, "lease_lost");
    if (verb !== "heartbeat") {
      told.push({ claimId, verb, body: JSON.parse(seen.text) as Record<string, unknown> });
      changes.emit("told");
    }
    return { status: 200, body: {} };
  };
  const server = await smallServer((seen) => {
    const bearer = String(seen.headers.authorization).replace("Bearer ", "");
    if (seen.path === "/api/drivers") return { status: 201, body: {} };
    if (/^\/api\/drivers\/[^/]+\/claims$/.test(seen.path)) return claim(seen);
    if (seen.path === "/api/interactions") return ask(seen);
    if (seen.path.endsWith("/park")) {
      const { interaction_ids: ids } = JSON.parse(seen.text) as { interaction_ids: string[] };
      parks.push({ path: seen.path, ids, bearer });
      return { status: 201, body: { park_id: "p_new", remaining: ids.length } };
    }
    const [, cancelled = ""] = /^\/api\/interactions\/([^/]+)\/cancel$/.exec(seen.path) ?? [];
    const question = questions.get(cancelled);
    if (question !== undefined) {
      question.cancelled = true;
      return { status: 200, body: { interaction_id: cancelled, status: "cancelled", sequence: 2 } };
    }
    const [, claimId, verb] = /^\/api\/claims\/([^/]+)\/(heartbeat|complete|fail)$/.exec(seen.path) ?? [];
    return claimId === undefined || verb === undefined
      ? problem(404, "not_found")
      : onClaim(seen, claimId, verb);
  }, trouble);
  return {
    ...server,
    questions,
    parks,
    told,
    heartbeats: (claimId) => beats.get(claimId) ?? 0,
    offer(offer) {
      offered.push(offer);
      changes.emit("offer");
    },
    async untilTold(count) {
      const deadline = AbortSignal.timeout(10_000);
      while (told.length < count) await once(changes, "told", { signal: deadline });
      return told;
    },
    lose: (claimId) => void lost.add(claimId),
  };
}
