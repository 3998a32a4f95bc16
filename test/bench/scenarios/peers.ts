import type { Bench, Scenario } from "../bench.ts";
import { delay } from "../load.ts";
import { interleave, type Row, rowOf, rowOfPairs } from "../measurement.ts";
import { type Ground, openGround } from "../peers/ground.ts";
import { type Peer, PEERS } from "../peers/peers.ts";
import type { Command, Contestant } from "../peers/protocol.ts";
import { type Application, runApplication } from "../peers/run-application.ts";
import { processFigures } from "../process-figures.ts";

const CALLERS = [1, 64] as const;
/** What a block leaves behind is done with before the other side begins. */
const SETTLE_MS = 250;

/** The same job as others do it: a run asks, waits, is answered from outside and goes on. */
export const peers: Scenario = {
  name: "peers",
  seconds: ({ peers: named }) => 60 + 100 * (named.length === 0 ? PEERS.length : named.length),
  onlyNamed: true,
  async run(bench) {
    const wanted = chosen(bench.options.peers);
    const ground = await openGround(bench);
    try {
      const { url, apiKey, pid } = ground.synced;
      const us: Contestant = { name: "interlude", url, apiKey };
      const rows: Row[] = [];
      for (const peer of wanted) rows.push(...(await compare(us, peer, ground, bench)));
      const servers = [pid, ground.natsPid ?? NaN];
      rows.push(await memoryRow("interlude", us, servers, bench));
      return rows;
    } finally {
      await ground.close();
    }
  },
};

function chosen(names: readonly string[]): readonly Peer[] {
  const known = PEERS.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`no peer is named ${unknown.join()}; there are ${known.join(", ")}`);
  return names.length === 0 ? PEERS : PEERS.filter(({ name }) => names.includes(name));
}

async function compare(us: Contestant, peer: Peer, ground: Ground, bench: Bench): Promise<Row[]> {
  const them = await peer.contestant(ground, bench).catch((error: unknown) => {
    bench.skip(`peers, ${peer.name}: ${error instanceof Error ? error.message : String(error)}`);
  });
  if (them === undefined) return [];
  const sides = [await runApplication(us), await runApplication(them)] as const;
  const rows: Row[] = [];
  try {
    for (const side of sides) await side.tell(rateOf(64, bench));
    for (const callers of CALLERS) rows.push(await latencyRow(peer, sides, callers, bench));
    for (const callers of CALLERS) rows.push(await rateRow(peer, sides, callers, bench));
  } finally {
    await Promise.all(sides.map((side) => side.stop()));
  }
  if (them.name !== "interlude") rows.push(await memoryRow(peer.name, them, [], bench));
  return rows;
}

type Both = readonly [Application, Application];

async function latencyRow(peer: Peer, sides: Both, callers: number, bench: Bench): Promise<Row> {
  const { pairs, n } = bench.options;
  const waves = Math.max(1, Math.round(callers === 1 ? n / 5 : n / callers));
  const measured = await interleave(pairs, ...alternately(sides, { kind: "latency", callers, waves }));
  const note = callers === 1 ? peer.settings : undefined;
  return rowOfPairs(
    `answer to continued, ${waiting(callers)}, to ${peer.name}, p50`,
    "ms",
    measured,
    undefined,
    note,
  );
}

async function rateRow(peer: Peer, sides: Both, callers: number, bench: Bench): Promise<Row> {
  const measured = await interleave(bench.options.pairs, ...alternately(sides, rateOf(callers, bench)));
  return rowOfPairs(
    `whole runs, ${callers === 1 ? "1 caller" : `${callers} callers`}, to ${peer.name}`,
    "/s",
    measured,
  );
}

const waiting = (callers: number) => (callers === 1 ? "1 run" : `${callers} runs at once`);

const rateOf = (callers: number, { options }: Bench): Command => ({
  kind: "rate",
  callers,
  seconds: Math.min(4, options.n / 50),
});

function alternately(sides: Both, command: Command) {
  const told = (side: Application) => async () => {
    const value = await side.tell(command);
    await delay(SETTLE_MS);
    return value;
  };
  return [told(sides[0]), told(sides[1])] as const;
}

/** What each run that waits adds to the application and to the servers of its own; databases are not counted. */
async function memoryRow(
  name: string,
  contestant: Contestant,
  servers: readonly number[],
  { options }: Bench,
): Promise<Row> {
  const runs = options.n * (options.full ? 50 : 10);
  const application = await runApplication(contestant);
  try {
    const pids = [application.pid, ...servers, ...(application.serverPid ? [application.serverPid] : [])];
    const used = () => pids.reduce((sum, pid) => sum + (processFigures(pid)?.rssKb ?? NaN), 0);
    // The first ones pay for code and pools, not for waiting.
    await application.tell({ kind: "hold", runs: Math.ceil(runs / 10) });
    const before = used();
    await application.tell({ kind: "hold", runs });
    const note = `${runs.toLocaleString("en")} runs; ${before.toLocaleString("en")} kB before them`;
    return rowOf(`memory a waiting run takes, ${name}`, "kB", [(used() - before) / runs], note);
  } finally {
    await application.stop();
  }
}
