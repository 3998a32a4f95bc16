import { inspect } from "node:util";
import { type OwnServer, startOwnNats } from "@interlude/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLog } from "../src/index.ts";

const PASSWORD = "p@ss-4711";
let server: OwnServer;
const address = (userinfo: string) => server.url.replace("nats://", `nats://${userinfo}`);

beforeAll(async () => {
  const users = [{ user: "ann", password: PASSWORD }];
  server = await startOwnNats({ configuration: `authorization: ${JSON.stringify({ users })}` });
});
afterAll(() => server.stop());

describe("connecting to a server that asks who it is", () => {
  it("gives the user and password of the address", async () => {
    const url = address(`ann:${encodeURIComponent(PASSWORD)}@`);
    const log = await openLog({ url, service: "test" });
    expect(log.isUp()).toBe(true);
    await log.close();
  });

  it.each(["ann:wrong-0815@", "wrong-0815@"])("tells a refusal without what was given", async (userinfo) => {
    const failure: unknown = await openLog({ url: address(userinfo), service: "test" }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: "log_unavailable" });
    expect(inspect(failure, { depth: 9 })).toContain("cannot reach NATS at nats://127.0.0.1");
    expect(inspect(failure, { depth: 9 })).not.toContain("0815");
  });
});
