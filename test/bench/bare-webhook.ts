import { createServer } from "node:http";
import { jetstream, jetstreamManager, StorageType } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";

/** The least that a webhook which loses nothing can do: what comes in is stored, and then acknowledged. */
const connection = await connect({ servers: process.env["NATS_URL"] ?? "", name: "bench-reference" });
const manager = await jetstreamManager(connection);
await manager.streams.add({ name: "BENCHHOOK", subjects: ["benchhook.>"], storage: StorageType.File });
const client = jetstream(connection);

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    client.publish("benchhook.update", Buffer.concat(chunks)).then(
      () => response.writeHead(200).end(),
      () => response.writeHead(503).end(),
    );
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" && address !== null ? address.port : 0}\n`);
});
// It ends with whoever started it.
process.stdin.resume().once("close", () => process.exit(0));
