import { describe, expect, it } from "vitest";
import { parseDependencies } from "./private-apt.ts";

const SHOWN = `redis-server
  PreDepends: init-system-helpers
 |Depends: lsb-base
  Depends: sysvinit-utils
  Depends: redis-tools
 |Depends: <default-logger>
  Depends: logger
    rsyslog
  Conflicts: <redis>
redis-tools
  Depends: libc6
  Suggests: ruby-redis
`;

describe("what packages depend on", () => {
  it("is a list of alternatives for each need, of real packages only", () => {
    expect(parseDependencies(SHOWN)).toEqual([
      ["init-system-helpers"],
      ["lsb-base", "sysvinit-utils"],
      ["redis-tools"],
      ["logger"],
      ["libc6"],
    ]);
  });

  it("is nothing of a package that is not known", () => {
    expect(parseDependencies("")).toEqual([]);
  });
});
