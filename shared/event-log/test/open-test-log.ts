import { type Log, openLog, provisionLog } from "../src/index.ts";
import { type OwnServer, startOwnNats } from "@interlude/testing";

/** A log of its own on a server of its own, provisioned small. */
export async function openTestLog(): Promise<{ log: Log; server: OwnServer; close(): Promise<void> }> {
  const server = await startOwnNats();
  const admin = await openLog({ url: server.url, service: "provision" });
  await provisionLog(admin, { maxBytes: 268_435_456, replicas: 1 });
  await admin.close();
  const log = await openLog({ url: server.url, service: "test" });
  return {
    log,
    server,
    async close() {
      await log.close();
      await server.stop();
    },
  };
}
