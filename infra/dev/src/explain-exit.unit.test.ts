import { describe, expect, it } from "vitest";
import { explainExit } from "./explain-exit.ts";

const SAID = [
  [
    "disk_full",
    'initdb: error: could not write to file "pg_wal/xlogtemp.9": No space left on device',
    "free some space",
  ],
  [
    "disk_full",
    "[FTL] Can't start JetStream: could not write /h/nats/store/meta.inf: no space left on device",
    "free some space",
  ],
  [
    "port_taken",
    "[FTL] Error listening on port: 127.0.0.1:4222, listen tcp: bind: address already in use",
    "4222",
  ],
  ["port_taken", 'LOG:  could not bind IPv4 address "127.0.0.1": Address already in use', "another program"],
  ["home_damaged", "FATAL:  database files are incompatible with server", "move it away"],
  ["home_damaged", "PANIC:  could not locate a valid checkpoint record", "move it away"],
  ["home_damaged", 'FATAL:  data directory "/h/postgres/data" has wrong ownership', "readable"],
  ["home_damaged", "[FTL] Can't start JetStream: mkdir /h/nats/store: permission denied", "readable"],
  ["port_taken", "# Failed listening on port 6379 (tcp), aborting. bind: Address already in use", "4222"],
  ["home_damaged", "# Bad file format reading the append only file store.aof: make a backup", "move it away"],
  ["server_failed", "Segmentation fault", "log is /h/log"],
  ["server_failed", "", "It said: nothing"],
] as const;

describe("a server that ends before it is ready", () => {
  it.each(SAID)("is told as %s when it said: %s", (code, log, hint) => {
    const failure = explainExit({ server: "nats", folder: "/h/nats", port: 4222, log, logPath: "/h/log" });
    expect(failure.code).toBe(code);
    expect(failure.message).toContain(hint);
    expect(failure.message).toContain(log);
  });
});
