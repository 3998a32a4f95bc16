import { describe, expect, it } from "vitest";
import { run, type RedisClient } from "./redis-client.ts";
import { PUT } from "./scripts.ts";

function recording(answer: (command: unknown) => Promise<unknown>) {
  const sent: { command: unknown; timeout: number | undefined }[] = [];
  const client: RedisClient = {
    sendCommand([command], options) {
      sent.push({ command, timeout: options?.timeout });
      return answer(command);
    },
  };
  return { client, sent };
}

describe("a script", () => {
  it("is sent by its digest, and whole only to a server that does not know it", async () => {
    const { client, sent } = recording((command) =>
      command === "EVAL" ? Promise.resolve(1) : Promise.reject(new Error("NOSCRIPT No matching script.")),
    );
    expect(await run(client, PUT, [], [])).toBe(1);
    expect(sent.map(({ command }) => command)).toEqual(["EVALSHA", "EVAL"]);
  });

  it("is not run a second time when the server refused what it does", async () => {
    const { client, sent } = recording(() => Promise.reject(new Error("OOM command not allowed")));
    await expect(run(client, PUT, [], [])).rejects.toThrow(/OOM/);
    expect(sent).toHaveLength(1);
  });

  it("waits for a server that is away, but not for ever", async () => {
    const { client, sent } = recording(() => Promise.resolve(1));
    await run(client, PUT, [], []);
    expect(sent[0]?.timeout).toBe(30_000);
  });
});
