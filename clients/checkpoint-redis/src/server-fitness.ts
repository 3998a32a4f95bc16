import { CheckpointError } from "./errors.ts";
import { asText, type Commands } from "./redis-client.ts";

const OLDEST_MAJOR = 7;

/** Refuses a server that cannot keep a checkpoint, before one is given to it. */
export async function checkServer(commands: Commands): Promise<void> {
  const facts = readFacts(asText(await commands.send(["INFO"])));
  const complaint = complaintAbout(facts);
  if (complaint !== undefined) throw new CheckpointError("server_unfit", complaint);
}

/** Every server that speaks for Valkey still says the Redis version whose commands it has. */
export function complaintAbout(facts: ReadonlyMap<string, string>): string | undefined {
  const version = facts.get("redis_version") ?? "";
  if (!(Number.parseInt(version, 10) >= OLDEST_MAJOR)) {
    return `Redis ${OLDEST_MAJOR} or newer, or Valkey, is needed; the server says that it is ${version || "of no version"}`;
  }
  if (facts.get("cluster_enabled") === "1") {
    return "a Redis Cluster cannot be used: a thread's checkpoints and the list of threads are written as one";
  }
  const policy = facts.get("maxmemory_policy") ?? "";
  if (policy.startsWith("allkeys")) {
    return `the server's maxmemory-policy is ${policy}: when its memory is full it would silently forget parked threads; set noeviction`;
  }
  return undefined;
}

export function readFacts(info: string): ReadonlyMap<string, string> {
  const lines = info.split(/\r?\n/).map((line) => /^([a-z_]+):(.*)$/.exec(line));
  return new Map(lines.flatMap((found) => (found === null ? [] : [[found[1] ?? "", found[2] ?? ""]])));
}
