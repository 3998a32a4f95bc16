import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname } from "node:path";
import { openWorkshop, type Scenario, type Workshop } from "./bench.ts";
import { currentLoad, type Row } from "./measurement.ts";
import { type Options, readOptions } from "./options.ts";
import { formatTable } from "./report.ts";
import { ask } from "./scenarios/ask.ts";
import { channelScale } from "./scenarios/channel-scale.ts";
import { channelStall } from "./scenarios/channel-stall.ts";
import { expiry } from "./scenarios/expiry.ts";
import { footprint } from "./scenarios/footprint.ts";
import { inboundStorm } from "./scenarios/inbound-storm.ts";
import { list } from "./scenarios/list.ts";
import { park } from "./scenarios/park.ts";
import { parked } from "./scenarios/parked.ts";
import { peers } from "./scenarios/peers.ts";
import { rebuild } from "./scenarios/rebuild.ts";
import { stream } from "./scenarios/stream.ts";
import { throughput } from "./scenarios/throughput.ts";
import { visible } from "./scenarios/visible.ts";
import { wake } from "./scenarios/wake.ts";
import { webhookAck } from "./scenarios/webhook-ack.ts";

const SCENARIOS: readonly Scenario[] = [
  ask,
  wake,
  throughput,
  park,
  visible,
  stream,
  expiry,
  footprint,
  list,
  rebuild,
  parked,
  channelScale,
  channelStall,
  webhookAck,
  inboundStorm,
  peers,
];
/** What a run without `--full` may take. */
const BUDGET_SECONDS = 570;

function chosen({ only }: Options): readonly Scenario[] {
  const names = SCENARIOS.map(({ name }) => name);
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Error(`no measurement is named ${unknown.join()}; there are ${names.join(", ")}`);
  if (only.length === 0) return SCENARIOS.filter(({ onlyNamed }) => onlyNamed !== true);
  return SCENARIOS.filter(({ name }) => only.includes(name));
}

/** One after the other; a scenario that fails is told and does not take the others' results with it. */
async function measure(workshop: Workshop, options: Options) {
  const startedAt = performance.now();
  const rows: Row[] = [];
  const missing: string[] = [];
  for (const scenario of chosen(options)) {
    const { name } = scenario;
    const left = BUDGET_SECONDS - (performance.now() - startedAt) / 1_000;
    if (!options.full && options.only.length === 0 && scenario.seconds(options) > left) {
      missing.push(`${name}: not begun, ${Math.round(left)} s were left of ${BUDGET_SECONDS}`);
      continue;
    }
    process.stderr.write(`measuring ${name} (load ${currentLoad().toFixed(1)})\n`);
    try {
      rows.push(...(await scenario.run(workshop.bench)));
    } catch (error) {
      missing.push(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
    await workshop.endScenario();
  }
  return { rows, missing, seconds: (performance.now() - startedAt) / 1_000 };
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  const workshop = openWorkshop(options);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      void workshop.endAll().finally(() => process.exit(130));
    });
  }
  const measuredAt = new Date().toISOString();
  const results = await measure(workshop, options).finally(() => workshop.endAll());
  const { rows, missing, seconds } = results;
  const { skipped } = workshop;
  const machine = { node: process.version, cores: cpus().length, cpu: cpus()[0]?.model ?? "" };
  process.stdout.write(`\n${formatTable(rows)}\n`);
  process.stdout.write(
    `\n${seconds.toFixed(0)} s on ${machine.cores} × ${machine.cpu}, Node ${machine.node}\n`,
  );
  for (const line of skipped) process.stdout.write(`not to be had here: ${line}\n`);
  for (const line of missing) process.stdout.write(`not measured: ${line}\n`);
  mkdirSync(dirname(options.out), { recursive: true });
  writeFileSync(
    options.out,
    `${JSON.stringify({ measuredAt, machine, options, seconds, rows, skipped, missing }, null, 2)}\n`,
  );
  return missing.length === 0 ? 0 : 1;
}

try {
  process.exit(await main());
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
