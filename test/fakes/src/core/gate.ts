import { setTimeout as delay } from "node:timers/promises";
import type { Answer, Received } from "./exchange.ts";
import type { Fault, Faults } from "./faults.ts";
import type { Fields } from "./json.ts";
import type { NamedRequest, Provider } from "./provider.ts";
import type { Rates } from "./rates.ts";

export type RecordedRequest = Readonly<{
  atMs: number;
  operation: string;
  method: string;
  path: string;
  /** Header names in lower case; only those that the providers read. */
  headers: Readonly<Record<string, string>>;
  fields: Fields;
  /** The status that it was answered with; absent where the connection was dropped or is still open. */
  status?: number;
  /** Whether it was carried out, whatever the sender was told. */
  wasCarriedOut: boolean;
}>;

type GateParts = Readonly<{
  provider: Provider;
  faults: Faults;
  rates: Rates;
  nowMs: () => number;
  stopping: AbortSignal;
}>;

export interface Gate {
  readonly requests: readonly RecordedRequest[];
  readonly forget: () => void;
  readonly pass: (received: Received) => Promise<Answer>;
}

const HEADERS = ["authorization", "content-type", "user-agent"];

/** Every request of the provider's API goes through here: recorded, then failed as told, or carried out. */
export function createGate(parts: GateParts): Gate {
  let requests: RecordedRequest[] = [];

  const pass = async (received: Received): Promise<Answer> => {
    const named = parts.provider.receive(received);
    const place = requests.push(record(received, named, parts.nowMs())) - 1;
    const list = requests;
    const note = (update: Partial<RecordedRequest>): void => {
      const before = list[place];
      if (before !== undefined) list[place] = { ...before, ...update };
    };
    const answer = await decide(parts, named, () => {
      note({ wasCarriedOut: true });
    });
    if ("status" in answer) note({ status: answer.status });
    return answer;
  };

  return {
    get requests() {
      return requests;
    },
    forget() {
      requests = [];
    },
    pass,
  };
}

async function decide(parts: GateParts, named: NamedRequest, carriedOut: () => void): Promise<Answer> {
  const faults = parts.faults.take(named.operation);
  const wait = faults.find((fault) => fault.kind === "delay");
  if (wait !== undefined) await delay(wait.ms, undefined, { signal: parts.stopping }).catch(() => undefined);
  const failure = faults.find((fault) => fault.kind !== "delay");
  const early = failure === undefined ? undefined : failed(parts, failure);
  if (early !== undefined) return early;
  if (named.conversation !== undefined) {
    const exceeded = parts.rates.take(named.conversation, parts.nowMs());
    if (exceeded !== undefined) return parts.provider.tooMany(exceeded);
  }
  const answer = await named.answer();
  if ("status" in answer && answer.status < 300) carriedOut();
  return failure === undefined ? answer : { kind: "drop" };
}

/** Undefined for the one fault that comes after the request was carried out. */
function failed({ provider }: GateParts, fault: Fault): Answer | undefined {
  switch (fault.kind) {
    case "fail":
      return provider.failure(fault);
    case "answer":
      return {
        status: fault.status,
        headers: { "content-type": fault.contentType ?? "text/html" },
        body: fault.body,
      };
    case "drop":
      return fault.when === "before" ? { kind: "drop" } : undefined;
    case "delay":
      return undefined;
  }
}

function record(received: Received, { operation, fields }: NamedRequest, atMs: number): RecordedRequest {
  const headers: Record<string, string> = {};
  for (const name of HEADERS) {
    const value = received.header(name);
    if (value !== undefined) headers[name] = value;
  }
  const { method, path } = received;
  return { atMs, operation, method, path, headers, fields, wasCarriedOut: false };
}
