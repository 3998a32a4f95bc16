import "./with-resolvers.ts";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http2";
import { eventually, freePort } from "@interlude/testing";
import {
  createEndpointHandler,
  workflow,
  type WorkflowContext,
  type WorkflowSharedContext,
} from "@restatedev/restate-sdk";
import { Pool } from "undici";
import type { Contender } from "./contender.ts";
import { openMoments } from "./moments.ts";

const READY_WITHIN_MS = 30_000;
const SERVICE = "wait";
const PROMISE = "answer";

/** A workflow that waits for a durable promise; its server is started beside the application. */
export async function openRestate(program: string, folder: string): Promise<Contender> {
  const moments = openMoments<number>();
  const wait = workflow({
    name: SERVICE,
    handlers: {
      run: async (context: WorkflowContext) => {
        const answer = await context.promise<boolean>(PROMISE);
        moments.came(context.key, performance.now());
        return answer;
      },
      answer: async (context: WorkflowSharedContext, answer: boolean) => {
        await context.promise<boolean>(PROMISE).resolve(answer);
      },
    },
  });
  const endpoint = createServer(createEndpointHandler({ services: [wait] })).listen(0, "127.0.0.1");
  await once(endpoint, "listening");
  const address = endpoint.address();
  if (address === null || typeof address === "string") throw new Error("the service has no port");
  const server = await startServer(program, folder);
  const post = poster(server.ingressUrl);
  await poster(server.adminUrl)("/deployments", { uri: `http://127.0.0.1:${address.port}` });
  return {
    serverPid: server.pid,
    async park() {
      const id = randomUUID();
      await post(`/${SERVICE}/${id}/run/send`, {});
      return {
        async continued() {
          const atMs = await moments.of(id);
          return { atMs, finished: post(`/restate/workflow/${SERVICE}/${id}/attach`) };
        },
        answer: () => post(`/${SERVICE}/${id}/answer`, true),
      };
    },
    async close() {
      await server.stop();
      endpoint.close();
    },
  };
}

/** Posts JSON over kept-alive connections; without a body it is a GET. */
function poster(url: string) {
  const pool = new Pool(url, { connections: 200, pipelining: 1 });
  return async (path: string, body?: unknown): Promise<void> => {
    const { statusCode, body: answer } = await pool.request(
      body === undefined
        ? { path, method: "GET" }
        : {
            path,
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
          },
    );
    const text = await answer.text();
    if (statusCode >= 300) throw new Error(`${path} answered ${statusCode}: ${text}`);
  };
}

async function startServer(program: string, folder: string) {
  const [ingress, admin, node] = [await freePort(), await freePort(), await freePort()];
  const child = spawn(program, ["--base-dir", folder], {
    env: {
      DO_NOT_TRACK: "1",
      RESTATE_DISABLE_TELEMETRY: "true",
      RUST_LOG: "warn",
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
      RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
    },
    stdio: "ignore",
  });
  const exited = once(child, "exit");
  const adminUrl = `http://127.0.0.1:${admin}`;
  const healthy = async () => {
    if (child.exitCode !== null) throw new Error(`the Restate server ended with ${child.exitCode}`);
    try {
      return (await fetch(`${adminUrl}/health`)).ok;
    } catch {
      return false;
    }
  };
  await eventually(healthy, { withinMs: READY_WITHIN_MS, everyMs: 50 });
  return {
    ingressUrl: `http://127.0.0.1:${ingress}`,
    adminUrl,
    pid: child.pid,
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}
