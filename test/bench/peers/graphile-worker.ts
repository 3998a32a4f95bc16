import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { Logger, makeWorkerUtils, run, type WorkerEvents } from "graphile-worker";
import { z } from "zod";
import type { Contender } from "./contender.ts";
import { openMoments } from "./moments.ts";

const TASK = "continue";
const CONNECTIONS = 40;
const WORKERS = 64;
const Payload = z.object({ id: z.string() });

/** What one builds oneself: a table of what waits, and a job in the answer's transaction that goes on. */
export async function openGraphileWorker(connectionString: string): Promise<Contender> {
  const continued = openMoments<number>();
  const finished = openMoments<undefined>();
  const logger = new Logger(() => () => undefined);
  const events: WorkerEvents = new EventEmitter();
  events.on("job:complete", ({ job, error }) => {
    if (!error) finished.came(Payload.parse(job.payload).id, undefined);
  });
  const utils = await makeWorkerUtils({ connectionString, logger, maxPoolSize: CONNECTIONS });
  await utils.migrate();
  const query = (text: string, values: unknown[]) =>
    utils.withPgClient((client) => client.query(text, values));
  await query(
    "create table if not exists runs (id uuid primary key, state text not null, answer boolean)",
    [],
  );
  const runner = await run({
    ...{ connectionString, logger, events, maxPoolSize: CONNECTIONS, concurrency: WORKERS },
    noHandleSignals: true,
    taskList: {
      async [TASK](payload, { withPgClient }) {
        const { id } = Payload.parse(payload);
        await withPgClient((client) => client.query("select answer from runs where id = $1", [id]));
        continued.came(id, performance.now());
        await withPgClient((client) => client.query("update runs set state = 'done' where id = $1", [id]));
      },
    },
  });
  return {
    async park() {
      const id = randomUUID();
      await query("insert into runs (id, state) values ($1, 'waiting')", [id]);
      return {
        async continued() {
          const done = finished.of(id);
          return { atMs: await continued.of(id), finished: done };
        },
        async answer() {
          await query(
            `with answered as (
               update runs set answer = true, state = 'answered' where id = $1 and state = 'waiting' returning id)
             select graphile_worker.add_job('${TASK}', json_build_object('id', id)) from answered`,
            [id],
          );
        },
      };
    },
    async close() {
      await runner.stop();
      await utils.release();
    },
  };
}
