import { describe, expect, it } from "vitest";
import { commandsOf, type RedisClient } from "./redis-client.ts";
import { PUT } from "./scripts.ts";

function recording(answer: (command: unknown) => Promise<unknown>) {
  const sent: { command: unknown; signal: AbortSignal | undefined }[] = [];
  const client: RedisClient = {
    sendCommand([command], options) {
      sent.push({ command, signal: options?.abortSignal });
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
    expect(await commandsOf(client, 1_000).run(PUT, [], [])).toBe(1);
    expect(sent.map(({ command }) => command)).toEqual(["EVALSHA", "EVAL"]);
  });

  it("is not run a second time when the server refused what it does", async () => {
    const { client, sent } = recording(() => Promise.reject(new Error("OOM command not allowed")));
    await expect(commandsOf(client, 1_000).run(PUT, [], [])).rejects.toThrow(/OOM/);
    expect(sent).toHaveLength(1);
  });

  it("waits for a server that still loads its data, as after a restart, but not for ever", async () => {
    let looks = 0;
    const loading = () => Promise.reject(new Error("LOADING Redis is loading the dataset in memory"));
    const { client } = recording(() => (++looks < 3 ? loading() : Promise.resolve(7)));
    expect(await commandsOf(client, 1_000).run(PUT, [], [])).toBe(7);
    await expect(commandsOf(recording(loading).client, 60).run(PUT, [], [])).rejects.toThrow(/LOADING/);
  });

  it("waits for a server that does not answer, but not for ever, and takes back what was not sent", async () => {
    const { client, sent } = recording(() => new Promise(() => undefined));
    const running = commandsOf(client, 20).run(PUT, [], []);
    await expect(running).rejects.toMatchObject({ code: "server_away" });
    expect(sent.map(({ signal }) => signal?.aborted)).toEqual([true]);
  });
});
