import { freePort, type OwnServer, startOwnNats } from "@interlude/testing";

/** Three servers that keep one replicated log. */
export async function startCluster(): Promise<{
  servers: OwnServer[];
  urls: string[];
  stop(): Promise<void>;
}> {
  const ports = [await freePort(), await freePort(), await freePort()];
  const routes = ports.map((port) => `nats://127.0.0.1:${port}`);
  const servers = await Promise.all(
    ports.map((port) => {
      const cluster = { name: "test", listen: `127.0.0.1:${port}`, routes };
      return startOwnNats({ configuration: `cluster: ${JSON.stringify(cluster)}` });
    }),
  );
  return {
    servers,
    urls: servers.map(({ url }) => url),
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}
