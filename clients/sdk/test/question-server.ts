import { once, EventEmitter } from "node:events";
import {
  problem,
  type Reply,
  type Seen,
  type SmallServer,
  smallServer,
  type Trouble,
} from "./small-server.ts";

type End = Readonly<{ status: string; answer?: unknown; reason?: string }>;
type Question = { text: string; body: Record<string, unknown>; end?: End; acknowledged: boolean };

export type QuestionServer = SmallServer &
  Readonly<{
    questions: Map<string, Question>;
    /** Resolves as soon as a question is stored. */
    asked(): Promise<string>;
    end(id: string, end: End): void;
  }>;

const HEADER = { "x-request-id": "req-1" };

/** As strict as the contract on what the client must get right: ids, repeated content, waits and ends. */
export async function questionServer(
  trouble?: (seen: Seen, index: number) => Trouble,
): Promise<QuestionServer> {
  const questions = new Map<string, Question>();
  const changes = new EventEmitter();
  changes.setMaxListeners(100);

  const stateOf = (id: string, question: Question): Reply => {
    const end = question.end ?? { status: "pending" };
    const answered =
      end.status === "answered" ? { answered_by: "ana", answered_at: "2030-01-01T00:00:00.000Z" } : {};
    return {
      status: question.end === undefined ? 202 : 200,
      body: { interaction_id: id, ...end, ...answered },
      headers: HEADER,
    };
  };
  const hold = async (question: Question, seconds: number): Promise<void> => {
    const until = AbortSignal.timeout(seconds * 1_000);
    while (question.end === undefined && !until.aborted)
      await once(changes, "end", { signal: until }).catch(() => undefined);
  };
  const ask = async (seen: Seen): Promise<Reply> => {
    const body = JSON.parse(seen.text) as Record<string, unknown>;
    const id = String(body["id"]);
    const known = questions.get(id);
    if (known !== undefined && known.text !== seen.text) return problem(409, "idempotency_conflict");
    const question = known ?? { text: seen.text, body, acknowledged: false };
    questions.set(id, question);
    changes.emit("asked", id);
    const wait = /wait=(\d+)/.exec(String(seen.headers["prefer"]));
    await hold(question, Number(wait?.[1] ?? 0));
    if (question.end !== undefined) return stateOf(id, question);
    const times = { created_at: "2030-01-01T00:00:00.000Z", timeout_at: "2030-01-01T01:00:00.000Z" };
    return {
      status: known === undefined ? 201 : 200,
      body: { interaction_id: id, status: "pending", ...times },
      headers: HEADER,
    };
  };
  const end = (id: string, how: End): void => {
    const question = questions.get(id);
    if (question !== undefined) question.end = how;
    changes.emit("end", id);
  };
  const onQuestion = async (seen: Seen, id: string, rest: string): Promise<Reply> => {
    const question = questions.get(id);
    if (question === undefined) return problem(404, "not_found");
    if (seen.method === "DELETE") {
      question.acknowledged = true;
      return { status: 204 };
    }
    if (rest === "cancel") {
      if (question.end !== undefined) return problem(410, question.end.status);
      const { reason } = JSON.parse(seen.text) as { reason?: string };
      end(id, { status: "cancelled", ...(reason === undefined ? {} : { reason }) });
      return { status: 200, body: { interaction_id: id, status: "cancelled", sequence: 2 }, headers: HEADER };
    }
    await hold(question, Number(seen.query.get("wait") ?? 0));
    return stateOf(id, question);
  };
  const server = await smallServer((seen) => {
    if (seen.headers.authorization !== "Bearer key-1") return problem(401, "unauthenticated");
    if (seen.method === "POST" && seen.path === "/api/interactions") return ask(seen);
    if (seen.path === "/api/interactions/reservations") {
      const body = {
        interaction_id: "r_reserved",
        callback_url: "https://pub/cb/1",
        expires_at: "2030-01-01T00:00:00.000Z",
      };
      return { status: 201, body, headers: HEADER };
    }
    const [, id = "", rest = ""] = /^\/api\/interactions\/([^/]+)\/(result|cancel)$/.exec(seen.path) ?? [];
    return id === "" ? problem(404, "not_found") : onQuestion(seen, id, rest);
  }, trouble);
  return {
    ...server,
    questions,
    end,
    asked: async () => {
      const [id] = (await once(changes, "asked")) as [string];
      return id;
    },
  };
}
