import { connect, type Resumption, type Run, SuspendedRun } from "@interlude/sdk";
import { readConfig } from "../config.ts";

/** A flow without a framework: what it needs to go on is in its run's name and in the answers. */
const [, , command, order = `order-${Date.now()}`, placed = new Date().toISOString().slice(0, 10)] =
  process.argv;
const { url, apiKey } = readConfig();
const client = connect({ url, apiKey });

/** The same for whoever asks again: a deadline that moves would make another question of it. */
function aWeekAfter(moment: string): Date {
  return new Date(Date.parse(moment) + 7 * 24 * 3_600_000);
}

const driver = await client.driver({
  name: "orders",
  checkpointer: { kind: "postgres" },
  resume: command === "work" ? resume : undefined,
  onError: (error) => {
    console.error(error);
  },
});

if (command === "start") {
  const receipt = await driver.run(order, async (run) => {
    for (const who of ["Finance", "Legal"]) {
      await run.askUser({
        ...{ key: who, question: `${who}: may ${order} go out?`, answerFormat: "confirm" },
        ...{ mode: "async", expiryAt: aWeekAfter(placed) },
      });
    }
  });
  const count = receipt instanceof SuspendedRun ? receipt.interactionIds.length : 0;
  console.log(`${order} waits for ${count} answers`);
  await client.close();
} else {
  console.log("working; Ctrl-C ends");
  process.once("SIGINT", () => {
    driver
      .stop()
      .then(() => client.close())
      .catch(console.error);
  });
}

/** May run more than once for one park, after a crash: so whatever it does outside should carry `fencing`. */
async function resume({ runId, resolutions, fencing }: Resumption, run: Run): Promise<string | undefined> {
  const [first] = resolutions;
  if (resolutions.length === 1) {
    const decision = `${runId}: ${first?.answer === "ship" ? "shipped" : "dropped"}`;
    console.log(`${decision} (fencing ${fencing})`);
    return decision;
  }
  if (resolutions.every(({ answer }) => answer === true)) {
    console.log(`${runId}: shipped (fencing ${fencing})`);
    return `${runId}: shipped`;
  }
  await run.askUser({
    ...{
      key: "override",
      question: `${runId} was not approved. What now?`,
      mode: "async",
      expiryAt: aWeekAfter(
        resolutions
          .map(({ at }) => at)
          .sort()
          .at(-1) ?? placed,
      ),
    },
    ...{ answerFormat: "select", options: ["ship", "drop"] },
  });
  return undefined;
}
