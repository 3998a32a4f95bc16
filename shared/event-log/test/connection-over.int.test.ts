import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { eventually, type OwnServer, startOwnNats } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LogEvent, openLog } from "../src/index.ts";

let folder: string;
let server: OwnServer;
let url: string;

/** Changes the password that the running server asks for. */
function setPassword(password: string): void {
  writeFileSync(
    join(folder, "users.conf"),
    `authorization: ${JSON.stringify({ users: [{ user: "ann", password }] })}\n`,
  );
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "interlude-users-"));
  setPassword("first");
  // An included file is looked for from the folder of the configuration, which lies in one beside ours.
  server = await startOwnNats({ configuration: `include "../../${basename(folder)}/users.conf"` });
  url = server.url.replace("nats://", "nats://ann:first@");
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe("a connection to the log", () => {
  it("outlives a time in which its password is refused", async () => {
    const events: LogEvent[] = [];
    const log = await openLog({ url, service: "test", onEvent: (event) => events.push(event) });
    setPassword("second");
    process.kill(server.pid, "SIGHUP");
    const refusals = () => events.filter(({ type }) => type === "error").length;
    await eventually(() => refusals() >= 3 && !log.isUp(), { withinMs: 10_000 });
    setPassword("first");
    process.kill(server.pid, "SIGHUP");
    await eventually(() => log.isUp(), { withinMs: 10_000 });
    expect(events.map(({ type }) => type)).not.toContain("closed");
    await log.close();
  });

  it("that is over for good says so, and is not up", async () => {
    const events: LogEvent[] = [];
    const log = await openLog({ url, service: "test", onEvent: (event) => events.push(event) });
    // As the client does by itself when it gives up.
    await log.connection.close();
    expect(await log.closed).toMatchObject({ code: "log_unavailable", retry: "never" });
    expect(log.isUp()).toBe(false);
    expect(events.map(({ type }) => type)).toContain("closed");
    await log.close();
  });

  it("that was closed by us ends without a failure", async () => {
    const log = await openLog({ url, service: "test" });
    await log.close();
    expect(await log.closed).toBeUndefined();
  });
});
