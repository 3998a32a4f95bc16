import { randomUUID } from "node:crypto";
import { DBOS } from "@dbos-inc/dbos-sdk";
import type { Contender } from "./contender.ts";
import { openMoments } from "./moments.ts";

const TOPIC = "answer";
const WAIT_SECONDS = 86_400;
const CONNECTIONS = 40;

/** A workflow that waits with `recv` until somebody sends. */
export async function openDbos(databaseUrl: string): Promise<Contender> {
  const moments = openMoments<number>();
  const waitForAnswer = DBOS.registerWorkflow(
    async (id: string) => {
      const answer = await DBOS.recv<boolean>(TOPIC, WAIT_SECONDS);
      moments.came(id, performance.now());
      return answer;
    },
    { name: "wait-for-answer" },
  );
  DBOS.setConfig({
    name: "bench",
    systemDatabaseUrl: databaseUrl,
    systemDatabasePoolSize: CONNECTIONS,
    logLevel: "error",
  });
  await DBOS.launch();
  return {
    async park() {
      const id = randomUUID();
      const handle = await DBOS.startWorkflow(waitForAnswer, { workflowID: id })(id);
      return {
        continued: async () => ({ atMs: await moments.of(id), finished: handle.getResult() }),
        answer: () => DBOS.send(id, true, TOPIC),
      };
    },
    close: () => DBOS.shutdown(),
  };
}
