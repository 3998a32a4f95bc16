import { afterEach, describe, expect, it, vi } from "vitest";
import { runServer, type RunServer } from "../../test/run-server.ts";
import { problem, type Seen, type Trouble } from "../../test/small-server.ts";
import { type Client, connect, type Driver, type DriverOptions, Suspended, SuspendedRun } from "../index.ts";

const opened: { server: RunServer; client: Client }[] = [];
const LATER = "2099-01-01T00:00:00.000Z";

async function start(
  trouble?: (seen: Seen, index: number) => Trouble,
  options: Partial<DriverOptions> = {},
): Promise<{ server: RunServer; driver: Driver }> {
  const server = await runServer(trouble);
  const client = connect({ url: server.url, apiKey: "key-1" });
  opened.push({ server, client });
  return {
    server,
    driver: await client.driver({ name: "bot", checkpointer: { kind: "postgres" }, ...options }),
  };
}

afterEach(async () => {
  for (const { server, client } of opened.splice(0)) {
    await client.close();
    await server.stop();
  }
});

const later = { mode: "async", expiryAt: LATER } as const;
const isAsk = ({ method, path }: Seen) => method === "POST" && path === "/api/interactions";

describe("driver.run", () => {
  it("asks nothing before its function has returned, then parks once on everything", async () => {
    const { server, driver } = await start();
    const receipt = await driver.run("run/1", async (run) => {
      const one = await run.askUser({
        question: "One?",
        mode: "async",
        expiryAt: "2098-01-01T00:00:00+01:00",
      });
      const two = await run.askExternal("https://x/?back={callback_url}", { question: "Two?", ...later });
      expect(one).toBeInstanceOf(Suspended);
      expect(one.expiryAt).toBe("2097-12-31T23:00:00.000Z");
      expect(server.seen.filter(isAsk)).toHaveLength(0);
      return two;
    });
    expect(receipt).toBeInstanceOf(SuspendedRun);
    const ids = [...server.questions.keys()].sort();
    expect(receipt).toEqual({
      ...{ status: "suspended", interactionId: ids[0], interactionIds: ids },
      ...{ expiryAt: "2097-12-31T23:00:00.000Z", runId: "run/1", parkId: "p_new" },
    });
    expect(server.parks).toEqual([
      { path: "/api/runs/bot/run%2F1/park", ids: [...server.questions.keys()], bearer: "key-1" },
    ]);
    expect([...server.questions.values()].map(({ body }) => body)).toMatchObject([
      { question: "One?", mode: "async", run: { driver: "bot", run_id: "run/1" } },
      { answer_format: "external", link: "https://x/?back={callback_url}" },
    ]);
  });

  it("is its function's value when nothing is left open", async () => {
    const { driver, server } = await start();
    expect(await driver.run("r", () => 41 + 1)).toBe(42);
    expect(server.parks).toEqual([]);
  });

  it("asks nothing when its function throws", async () => {
    const { driver, server } = await start();
    const work = driver.run("r", async (run) => {
      await run.askUser({ question: "?", ...later });
      throw new Error("changed my mind");
    });
    await expect(work).rejects.toThrow("changed my mind");
    expect(server.questions.size).toBe(0);
  });

  it("cancels what it has stored when one question is refused, and parks nothing", async () => {
    const { server, driver } = await start((seen) =>
      isAsk(seen) && seen.text.includes("Bad?") ? problem(400, "validation_failed") : undefined,
    );
    const work = driver.run("r", async (run) => {
      for (const question of ["One?", "Bad?", "Two?"]) await run.askUser({ question, ...later });
    });
    await expect(work).rejects.toMatchObject({ code: "validation_failed" });
    expect([...server.questions.values()].map(({ cancelled }) => cancelled)).toEqual([true, true]);
    expect(server.parks).toEqual([]);
  });

  it("never cancels a question that was there before: it may belong to a park that stands", async () => {
    let isBad = false;
    const { server, driver } = await start((seen) =>
      isBad && isAsk(seen) && seen.text.includes("Second?") ? problem(429, "limit_reached") : undefined,
    );
    const ask = (questions: string[]) =>
      driver.run("r", async (run) => {
        for (const question of questions) await run.askUser({ question, key: question, ...later });
      });
    await ask(["First?"]);
    isBad = true;
    await expect(ask(["First?", "Second?"])).rejects.toMatchObject({ code: "limit_reached" });
    expect([...server.questions.values()].map(({ cancelled }) => cancelled)).toEqual([false]);
  });

  it("stores one question and one park each, whatever responses are lost", async () => {
    const lost = new Set<string>();
    const { server, driver } = await start((seen) => {
      const what = `${seen.path} ${seen.text}`;
      if (!isAsk(seen) && !seen.path.endsWith("/park")) return undefined;
      if (lost.has(what)) return undefined;
      lost.add(what);
      return "lose response";
    });
    const receipt = await driver.run("r", async (run) => {
      await run.askUser({ question: "One?", ...later });
      await run.askUser({ question: "Two?", ...later });
    });
    expect(server.questions.size).toBe(2);
    expect(new Set(server.parks.map(({ ids }) => ids.join()))).toEqual(
      new Set([[...server.questions.keys()].join()]),
    );
    expect(receipt).toBeInstanceOf(SuspendedRun);
  });

  it("refuses every question beyond the retention by name, before any is stored", async () => {
    const { server, driver } = await start(undefined, {
      checkpointer: { kind: "redis", retentionSeconds: 3_600 },
    });
    const inTime = new Date(Date.now() + 3_500_000);
    const ids: string[] = [];
    const work = driver.run("r", async (run) => {
      await run.askUser({ question: "In time?", mode: "async", expiryAt: inTime });
      for (const question of ["Late?", "Later?"]) {
        ids.push((await run.askUser({ question, ...later })).interactionId);
      }
    });
    const error: unknown = await work.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "validation_failed", errors: [{ path: "/expiry_at" }, {}] });
    for (const id of ids)
      expect(String(error)).toMatch(new RegExp(`${LATER} of interaction ${id} lies beyond \\d{4}-`));
    expect(server.questions.size).toBe(0);
  });

  it("gives a key the same id each time, and none of it to another run", async () => {
    const { driver } = await start();
    const idIn = async (runId: string, key: string) => {
      const receipt = await driver.run(runId, async (run) => {
        await run.askUser({ question: "?", key, ...later });
      });
      return receipt?.interactionId;
    };
    const id = await idIn("r", "k");
    expect(id).toMatch(/^a_[A-Za-z0-9_-]{43}$/);
    expect(await idIn("r", "k")).toBe(id);
    expect(new Set([id, await idIn("r2", "k"), await idIn("r", "k2")]).size).toBe(3);
  });

  it.each([
    [{ question: "?", mode: "async" }, "/expiry_at"],
    [{ question: "?", mode: "async", expiryAt: "2099-01-01T00:00:00" }, "/expiry_at"],
    [{ question: "?", ...later, timeoutSeconds: 5 }, "/timeout_seconds"],
    [{ question: "?", ...later, id: "question-1", key: "k" }, "/key"],
    [{ question: "?", ...later, qestion: "?" }, "/qestion"],
  ])("refuses %j before anything is sent", async (ask, path) => {
    const { server, driver } = await start();
    await expect(driver.run("r", (run) => run.askUser(ask as never))).rejects.toMatchObject({
      errors: [{ path }],
    });
    expect(server.questions.size).toBe(0);
  });

  it("refuses an ask after its function has returned", async () => {
    const { driver } = await start();
    let kept: Parameters<Parameters<Driver["run"]>[1]>[0] | undefined;
    await driver.run("r", (run) => {
      kept = run;
    });
    await expect(kept?.askUser({ question: "?", ...later })).rejects.toMatchObject({ code: "closed" });
  });
});

describe("a checkpointer", () => {
  it.each(["memory", "sqlite", undefined])("that is %s is refused before anything is sent", async (kind) => {
    const fetch = vi.fn();
    const client = connect({ url: "http://127.0.0.1:9", apiKey: "k", fetch });
    const work = client.driver({ name: "bot", checkpointer: { kind } as never });
    await expect(work).rejects.toThrow(/use postgres or redis/);
    expect(fetch).not.toHaveBeenCalled();
  });
});
