import { DeliverPolicy, jetstream } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";

/** Tells when a run is asked to go on, as any consumer of the log is told. */
export type ResumeFeed = {
  /** When the next request for this run came, by `performance.now()`. */
  requested(runId: string): Promise<number>;
  close(): Promise<void>;
};

const SUBJECTS = "runs.resume_requested.>";
const WITHIN_MS = 30_000;

export async function openResumeFeed(natsUrl: string): Promise<ResumeFeed> {
  const connection = await connect({ servers: natsUrl, name: "bench-resumes" });
  const client = jetstream(connection);
  const consumer = await client.consumers.get("RUNS", {
    deliver_policy: DeliverPolicy.New,
    filter_subjects: [SUBJECTS],
  });
  const messages = await consumer.consume({ max_messages: 1_000 });
  const waiting = new Map<string, (atMs: number) => void>();
  const deliver = async () => {
    for await (const { subject } of messages) {
      const [, , , run = ""] = subject.split(".");
      waiting.get(run)?.(performance.now());
      waiting.delete(run);
    }
  };
  void deliver();
  return {
    requested: (runId) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          reject(new Error(`run ${runId} was not asked to go on`));
        }, WITHIN_MS);
        waiting.set(runId, (atMs) => {
          clearTimeout(late);
          resolve(atMs);
        });
      }),
    async close() {
      messages.stop();
      await connection.close();
    },
  };
}
