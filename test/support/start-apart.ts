import { rmSync } from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import { once } from "node:events";
import { pipeline } from "node:stream";
import { eventually, freePort, temporaryHome } from "@interlude/testing";
import { type Child, startChild } from "./child-process.ts";
import type { RunDeployment } from "./deployment.ts";
import { startNatsWithUsers } from "./nats-with-users.ts";
import { type Interlude, startInterlude } from "./start-interlude.ts";

const SERVICES = [
  "asker",
  "answer-gateway",
  "inbox-projector",
  "expiry-scheduler",
  "media",
  "resume-coordinator",
  "channel-dispatcher",
  "retention",
] as const;
export type ServiceName = (typeof SERVICES)[number];

/** Processes of single services on the servers of a composed one that is stopped, behind one address. */
export type Apart = RunDeployment & {
  processes: ReadonlyMap<ServiceName, readonly Child[]>;
  /** As `kill -9` of every process of a service; resolves when they are started again and ready. */
  killAndStart: (name: ServiceName) => Promise<void>;
  stop: () => Promise<void>;
};

type ApartOptions = {
  services?: readonly ServiceName[];
  /** Processes of each. */
  each?: number;
  /** Variables of every process, over those it gets by itself. */
  env?: Readonly<Record<string, string>>;
};

export async function startApart(options: ApartOptions = {}): Promise<Apart> {
  const { services = SERVICES, each = 2, env = {} } = options;
  // The composed process provisions the servers and makes the keys; it takes no request of the test.
  const users = await startNatsWithUsers();
  const servers = await startInterlude({ nats: users.asAdmin, env });
  const home = temporaryHome("apart");
  const routerPort = await freePort();
  const started = await Promise.all(
    services
      .flatMap((name) => Array.from({ length: each }, () => name))
      .map(async (name) => {
        const port = await freePort();
        const natsUrl = users.urlOf(name);
        const start = () => startService({ name, port, publicPort: routerPort, servers, home, natsUrl, env });
        return { name, port, start, child: start() };
      }),
  );
  const end = async (): Promise<void> => {
    await Promise.all(started.map(({ child }) => child.kill()));
    await servers.stop();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    await Promise.all(started.map(({ port, name, child }) => ready(port, name, child)));
  } catch (error) {
    await end();
    throw error;
  }
  const ports = (name: ServiceName) => started.filter((each) => each.name === name).map(({ port }) => port);
  const router = await startRouter(routerPort, {
    asker: ports("asker"),
    media: ports("media"),
    "resume-coordinator": ports("resume-coordinator"),
    "channel-dispatcher": ports("channel-dispatcher"),
    "answer-gateway": ports("answer-gateway"),
  });
  await servers.detach();
  return {
    url: `http://127.0.0.1:${routerPort}`,
    natsUrl: servers.nats.url,
    keys: servers.keys,
    sessionKeys: servers.shared["INTERLUDE_SESSION_KEYS"] ?? "",
    processes: new Map(
      services.map((name) => [name, started.filter((each) => each.name === name).map(({ child }) => child)]),
    ),
    async killAndStart(name) {
      const own = started.filter((each) => each.name === name);
      await Promise.all(own.map(({ child }) => child.kill()));
      for (const each of own) each.child = each.start();
      await Promise.all(own.map(({ port, child }) => ready(port, name, child)));
    },
    async stop() {
      await router.stop();
      await end();
    },
  };
}

type Start = {
  name: ServiceName;
  port: number;
  publicPort: number;
  servers: Interlude;
  home: string;
  /** With the service's own user. */
  natsUrl: string;
  env: Readonly<Record<string, string>>;
};

function startService({ name, port, publicPort, servers, home, natsUrl, env }: Start): Child {
  return startChild(["service", name], {
    ...servers.shared,
    PORT: String(port),
    INTERLUDE_HOME: home,
    NATS_URL: natsUrl,
    DATABASE_URL: servers.databaseUrl,
    INTERLUDE_API_KEYS_FILE: servers.apiKeysFile,
    INTERACTIONS_PUBLIC_BASE_URL: `http://127.0.0.1:${publicPort}`,
    INTERLUDE_LOG_LEVEL: "warn",
    ...env,
  });
}

async function ready(port: number, name: string, child: Child): Promise<void> {
  await eventually(
    async () => {
      if (child.exitCode() !== null) throw new Error(`${name} ended:\n${child.output()}`);
      const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (!isReady) throw new Error(`${name} is not ready:\n${child.output()}`);
    },
    // Sixteen processes start at once, beside what else is tested.
    { withinMs: 180_000, everyMs: 100 },
  );
}

type Backends = Readonly<
  Record<
    "asker" | "media" | "resume-coordinator" | "channel-dispatcher" | "answer-gateway",
    readonly number[]
  >
>;

/** The ingress's rules: the paths a service owns go to it, everything else to the gateway. */
function backendOf(method: string, target: string): keyof Backends {
  const path = target.split("?", 1)[0] ?? "";
  const isUnder = (prefix: string) => path === prefix || path.startsWith(`${prefix}/`);
  if (isUnder("/api/interactions/media")) return "media";
  if (isUnder("/api/interactions/reservations")) return "asker";
  if (["/api/channels", "/api/notifications/form"].some(isUnder)) return "channel-dispatcher";
  if (["/api/drivers", "/api/runs", "/api/claims"].some(isUnder)) return "resume-coordinator";
  const isAsk = path === "/api/interactions" || path === "/api/notifications";
  return isAsk && method === "POST" ? "asker" : "answer-gateway";
}

async function startRouter(port: number, backends: Backends): Promise<{ stop: () => Promise<void> }> {
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const ports = backends[backendOf(incoming.method ?? "GET", incoming.url ?? "/")];
    const forwarded = request(
      {
        port: ports[turn++ % ports.length],
        method: incoming.method,
        path: incoming.url,
        headers: incoming.headers,
      },
      (reply: IncomingMessage) => {
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
        outgoing.flushHeaders();
        // A reply that a killed process breaks off is broken off for the caller too.
        pipeline(reply, outgoing, () => undefined);
      },
    );
    // Nobody is there to take it, or it was broken off before its reply.
    forwarded.on("error", () => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end();
    });
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  // Longer than any client keeps one: a request never meets a connection that is being closed.
  server.keepAliveTimeout = 65_000;
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
