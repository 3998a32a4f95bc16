import { readdirSync } from "node:fs";
import type { Socket } from "node:net";
import { eventually, freePort } from "@interlude/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Child, startChild } from "../support/child-process.ts";
import { converse } from "../support/converse.ts";
import { head, openSocket } from "../support/raw-request.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

const CONNECTIONS = 500;

let interlude: Interlude;
let child: Child;
let url: string;

beforeAll(async () => {
  interlude = await startInterlude();
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  child = startChild(["serve"], {
    ...interlude.shared,
    PORT: String(port),
    NATS_URL: interlude.nats.url,
    DATABASE_URL: interlude.databaseUrl,
    INTERLUDE_API_KEYS_FILE: interlude.apiKeysFile,
  });
  await child.says(/ready/);
});

afterAll(async () => {
  await child.kill();
  await interlude.stop();
});

/** What the process holds open, of any kind. */
const handles = () => readdirSync(`/proc/${child.pid}/fd`).length;

const ASK = "POST /api/interactions";
const JSON_TYPE = "content-type: application/json";

/** What each sends and leaves at that, by what it is. */
const OPENINGS: [string, (key: string) => string][] = [
  ["a body that never ends", (key) => `${head(ASK, key, JSON_TYPE, "content-length: 60000")}{`],
  [
    "a chunked body that never ends",
    (key) => `${head(ASK, key, JSON_TYPE, "transfer-encoding: chunked")}1\r\n{\r\n`,
  ],
  ["a head that never ends", () => `${ASK} HTTP/1.1\r\nhost: x\r\n`],
  ["nothing at all", () => ""],
];

it.runIf(process.platform === "linux").each(OPENINGS)(
  `${CONNECTIONS} connections with %s slow nobody, and leave no handle behind`,
  { timeout: 60_000 },
  async (_, opening) => {
    const { ask, answer, result } = converse(() => ({ ...interlude, natsUrl: interlude.nats.url, url }));
    const talk = async () => {
      const asked = await ask({ question: "Meanwhile?" });
      const id = String(asked.json["interaction_id"]);
      const waiting = result(id, "?wait=10");
      expect((await answer(id, `to ${id}`)).status).toBe(200);
      expect((await waiting).json["answer"]).toBe(`to ${id}`);
    };
    await talk();
    const before = handles();
    const sockets: Socket[] = await Promise.all(Array.from({ length: CONNECTIONS }, () => openSocket(url)));
    for (const socket of sockets) socket.write(opening(interlude.keys.asker));
    await eventually(() => handles() >= before + CONNECTIONS);
    const begun = performance.now();
    await talk();
    expect(performance.now() - begun).toBeLessThan(2_000);

    // Half say goodbye and wait for one, half are gone without a word.
    for (const [each, socket] of sockets.entries()) {
      if (each % 2 === 0) socket.resetAndDestroy();
      else socket.end();
    }
    await eventually(() => handles() <= before + 10, { withinMs: 30_000 });
    for (const socket of sockets) socket.destroy();
    await talk();
  },
);
