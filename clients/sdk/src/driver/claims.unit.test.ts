import { afterEach, describe, expect, it } from "vitest";
import { resumeClaim, runServer, type RunServer } from "../../test/run-server.ts";
import { problem, type Seen, type Trouble } from "../../test/small-server.ts";
import {
  type Client,
  connect,
  type Driver,
  type DriverOptions,
  LeaseLostError,
  type Resumption,
  RunFailedError,
} from "../index.ts";

const opened: { server: RunServer; client: Client }[] = [];

async function start(
  resume: DriverOptions["resume"],
  trouble?: (seen: Seen, index: number) => Trouble,
  options: Partial<DriverOptions> = {},
): Promise<{ server: RunServer; client: Client; driver: Driver; errors: unknown[] }> {
  const server = await runServer(trouble);
  const client = connect({ url: server.url, apiKey: "key-1" });
  opened.push({ server, client });
  const errors: unknown[] = [];
  const driver = await client.driver({
    ...{ name: "bot", checkpointer: { kind: "postgres" }, resume },
    onError: (error) => errors.push(error),
    ...options,
  });
  return { server, client, driver, errors };
}

afterEach(async () => {
  for (const { server, client } of opened.splice(0)) {
    await client.close();
    await server.stop();
  }
});

const later = { mode: "async", expiryAt: "2099-01-01T00:00:00.000Z" } as const;
const forever = () => new Promise<never>(() => undefined);
const lostOnce = (matches: (seen: Seen) => boolean) => {
  let isLost = false;
  return (seen: Seen): Trouble => {
    if (isLost || !matches(seen)) return undefined;
    isLost = true;
    return "lose response";
  };
};

/** More than any of this takes. */
const PATIENCE = { timeout: 10_000, interval: 5 };

/** A promise and the handle that settles it. */
function gate<T>(): { opened: Promise<T>; open(value: T): void } {
  let open = (_value: T): void => undefined;
  const waited = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened: waited, open };
}

describe("a claimed resume", () => {
  it("gives the handler what the park came to, and completes with what it returns", async () => {
    const seen = gate<Resumption>();
    const { server } = await start((resumption) => {
      seen.open(resumption);
      return { total: 3 };
    });
    const resolutions = [
      {
        interaction_id: "q-1",
        status: "answered",
        answer: false,
        answered_by: "bob",
        at: "2030-01-01T00:00:00.000Z",
      },
      {
        interaction_id: "q-2",
        status: "expired",
        answer: { interaction_expired: true },
        at: "2030-01-01T00:00:00.000Z",
      },
    ];
    server.offer(resumeClaim("c-1", { resolutions }));
    expect(await seen.opened).toMatchObject({
      ...{ runId: "run-1", parkId: "p_1", fencing: 7, identity: { subject: "ana", groups: ["ops"] } },
      resolutions: [
        { interactionId: "q-1", status: "answered", answer: false, answeredBy: "bob" },
        { interactionId: "q-2", status: "expired", answer: { interaction_expired: true } },
      ],
    });
    expect(await server.untilTold(1)).toEqual([
      { claimId: "c-1", verb: "complete", body: { result: { total: 3 } } },
    ]);
  });

  it("is claimed again under the same key when the response was lost, and told again", async () => {
    const isLost = [
      lostOnce(({ path }) => path.endsWith("/claims")),
      lostOnce(({ path }) => path.endsWith("/complete")),
    ];
    const { server } = await start(
      () => "done",
      (seen) => isLost.map((lose) => lose(seen)).find((trouble) => trouble !== undefined),
    );
    server.offer(resumeClaim("c-1"));
    expect(await server.untilTold(2)).toEqual(
      Array.from({ length: 2 }, () => ({ claimId: "c-1", verb: "complete", body: { result: "done" } })),
    );
    const keys = server.seen
      .filter(({ path }) => path.endsWith("/claims"))
      .map(({ headers }) => headers["idempotency-key"]);
    expect(keys[1]).toBe(keys[0]);
  });

  it("reads resolutions page by page where there are many", async () => {
    const page = (items: string[], next: string | null): Trouble => ({
      status: 200,
      body: {
        items: items.map((id) => ({
          interaction_id: id,
          status: "answered",
          answer: id,
          at: "2030-01-01T00:00:00.000Z",
        })),
        next_cursor: next,
      },
    });
    const { server } = await start(
      ({ resolutions }) => resolutions.map(({ answer }) => answer),
      ({ path, query }) => {
        if (path !== "/api/claims/c-1/resolutions") return undefined;
        return query.get("cursor") === "two" ? page(["c"], null) : page(["a", "b"], "two");
      },
    );
    server.offer(
      resumeClaim("c-1", { resolutions: undefined, resolutions_url: "/api/claims/c-1/resolutions" }),
    );
    expect(await server.untilTold(1)).toMatchObject([
      { verb: "complete", body: { result: ["a", "b", "c"] } },
    ]);
  });

  it("that asks again parks by its token, and is then complete", async () => {
    const { server } = await start(async (_, run) => {
      await run.askUser({ question: "And now?", ...later });
      return "dropped";
    });
    server.offer(resumeClaim("c-1"));
    expect(await server.untilTold(1)).toEqual([{ claimId: "c-1", verb: "complete", body: { parked: true } }]);
    expect(server.parks).toEqual([
      { path: "/api/runs/bot/run-1/park", ids: [...server.questions.keys()], bearer: "token-c-1" },
    ]);
  });

  it("asks the same again when it runs again, and another question when the content is another", async () => {
    let question = "And now?";
    const { server } = await start(async (_, run) => {
      await run.askUser({ question, ...later });
      await run.askUser({ question, ...later });
    });
    for (const claimId of ["c-1", "c-2"]) server.offer(resumeClaim(claimId));
    await server.untilTold(2);
    expect(server.questions.size).toBe(2);
    question = "Or now?";
    server.offer(resumeClaim("c-3"));
    await server.untilTold(3);
    expect(server.questions.size).toBe(4);
  });

  it("that would park on what it was resumed by fails for good instead of waiting for ever", async () => {
    const { server } = await start(async (_, run) => {
      await run.askUser({ id: "question-1", question: "?", ...later });
    });
    const resolutions = [
      { interaction_id: "question-1", status: "answered", answer: "x", at: "2030-01-01T00:00:00.000Z" },
    ];
    server.offer(resumeClaim("c-1", { resolutions }));
    expect(await server.untilTold(1)).toMatchObject([{ verb: "fail", body: { retry: false } }]);
    expect(server.parks).toEqual([]);
  });

  it.each([
    [new TypeError("no network"), { reason: "no network", retry: true }],
    [new RunFailedError("the order is gone"), { reason: "the order is gone", retry: false }],
    [new Error(""), { reason: "the handler failed without a reason", retry: true }],
    [new Error("x".repeat(2_000)), { reason: "x".repeat(1_000), retry: true }],
  ])("fails with the reason of its handler: %s", async (error, body) => {
    const { server, errors } = await start(() => {
      throw error;
    });
    server.offer(resumeClaim("c-1"));
    expect(await server.untilTold(1)).toEqual([{ claimId: "c-1", verb: "fail", body }]);
    expect(errors).toEqual([error]);
  });

  it("fails for good when its result is none, or is refused", async () => {
    const { server } = await start(
      ({ runId }) => (runId === "run-1" ? () => 1 : "x".repeat(70_000)),
      ({ path, text }) =>
        path.endsWith("/complete") && text.length > 65_536 ? problem(413, "payload_too_large") : undefined,
    );
    server.offer(resumeClaim("c-1"));
    server.offer(resumeClaim("c-2", { run_id: "run-2" }));
    expect(await server.untilTold(2)).toMatchObject([
      { verb: "fail", body: { retry: false } },
      { verb: "fail", body: { retry: false } },
    ]);
  });

  it("is handed back by a worker that has no handler for its kind", async () => {
    const { server } = await start(() => undefined);
    const turn = {
      turn_id: "t",
      run_id: "r",
      channel: "slack",
      thread: "1",
      from: "U1",
      text: "hi",
      at: "2030-01-01T00:00:00.000Z",
    };
    server.offer({ ...resumeClaim("c-1"), kind: "turn", turn });
    expect(await server.untilTold(1)).toMatchObject([{ verb: "fail", body: { retry: true } }]);
  });

  it("of a message answers it", async () => {
    const { server } = await start(undefined, undefined, {
      turn: ({ turn, runId, fencing }) => `${turn.text} to you, ${turn.from} (${runId}, ${fencing})`,
    });
    const turn = {
      turn_id: "t",
      run_id: "r",
      channel: "slack",
      thread: "1",
      from: "U1",
      text: "hi",
      at: "2030-01-01T00:00:00.000Z",
    };
    server.offer({ ...resumeClaim("c-1"), kind: "turn", turn });
    expect(await server.untilTold(1)).toMatchObject([
      { verb: "complete", body: { result: "hi to you, U1 (r, 7)" } },
    ]);
  });
});

describe("a lease", () => {
  it("is renewed while the handler works, for longer than it would have lasted", async () => {
    const { server } = await start(async ({ signal }) => {
      await expect.poll(() => server.heartbeats("c-1"), PATIENCE).toBeGreaterThanOrEqual(5);
      return signal.aborted;
    });
    server.offer(resumeClaim("c-1", {}, 0.3));
    expect(await server.untilTold(1)).toMatchObject([{ verb: "complete", body: { result: false } }]);
  });

  it("that is lost aborts the handler, and nothing is said about the claim any more", async () => {
    const reason = gate<unknown>();
    const { server, errors, driver } = await start(async ({ signal }) => {
      signal.addEventListener("abort", () => {
        reason.open(signal.reason);
      });
      server.lose("c-1");
      await reason.opened;
      return "too late";
    });
    server.offer(resumeClaim("c-1", {}, 0.3));
    expect(await reason.opened).toBeInstanceOf(LeaseLostError);
    await driver.stop();
    expect(server.told).toEqual([]);
    expect(errors).toMatchObject([{ code: "lease_lost" }]);
  });

  it("that cannot be renewed ends by this machine's clock", async () => {
    const reason = gate<{ reason: unknown; afterMs: number }>();
    const { server } = await start(
      async ({ signal }) => {
        const since = performance.now();
        await new Promise<void>((resolve) => {
          signal.addEventListener("abort", () => {
            resolve();
          });
        });
        reason.open({ reason: signal.reason, afterMs: performance.now() - since });
      },
      ({ path }) => (path.endsWith("/heartbeat") ? "refuse connection" : undefined),
    );
    server.offer(resumeClaim("c-1", {}, 0.6));
    const lost = await reason.opened;
    expect(lost.reason).toBeInstanceOf(LeaseLostError);
    expect(lost.afterMs).toBeGreaterThan(500);
    expect(server.told).toEqual([]);
  });

  it("survives heartbeats that fail in between", async () => {
    let beats = 0;
    const { server } = await start(
      async () => {
        await expect.poll(() => server.heartbeats("c-1"), PATIENCE).toBeGreaterThanOrEqual(3);
      },
      ({ path }) =>
        path.endsWith("/heartbeat") && beats++ % 2 === 0 ? problem(503, "unavailable") : undefined,
    );
    server.offer(resumeClaim("c-1", {}, 0.6));
    expect(await server.untilTold(1)).toMatchObject([{ verb: "complete" }]);
  });
});

describe("a driver", () => {
  it("never works on more claims than it was allowed", async () => {
    let [now, most, begun] = [0, 0, 0];
    const { server, client } = await start(
      async () => {
        now += 1;
        most = Math.max(most, now);
        begun += 1;
        // A claim too many would be asked for at once, and be here before several more requests are answered.
        await expect.poll(() => now === 2 || begun === 7, PATIENCE).toBe(true);
        for (let turn = 0; turn < 3; turn += 1) await client.get(`q-${turn}`).catch(() => undefined);
        now -= 1;
      },
      undefined,
      { concurrency: 2 },
    );
    for (let nth = 1; nth <= 7; nth += 1) server.offer(resumeClaim(`c-${nth}`, { run_id: `run-${nth}` }));
    await server.untilTold(7);
    expect(most).toBe(2);
  });

  it("that is stopped finishes what it holds and claims no more", async () => {
    const begun = gate<undefined>();
    const release = gate<undefined>();
    const { server, driver } = await start(async () => {
      begun.open(undefined);
      await release.opened;
      return "finished";
    });
    server.offer(resumeClaim("c-1"));
    await begun.opened;
    const stopped = driver.stop();
    // One that is granted while the request for it is broken off.
    server.offer(resumeClaim("c-2"));
    await server.untilTold(1);
    release.open(undefined);
    await stopped;
    server.offer(resumeClaim("c-3"));
    expect(server.told).toEqual([
      { claimId: "c-2", verb: "fail", body: { reason: "its worker was stopped", retry: true } },
      { claimId: "c-1", verb: "complete", body: { result: "finished" } },
    ]);
    await expect(driver.run("r", () => 1)).rejects.toMatchObject({ code: "closed" });
  });

  it("hands back what is not finished within the grace", async () => {
    const begun = gate<AbortSignal>();
    const { server, driver } = await start(({ signal }) => {
      begun.open(signal);
      return forever();
    });
    server.offer(resumeClaim("c-1"));
    const signal = await begun.opened;
    await driver.stop({ graceSeconds: 0 });
    expect(signal.aborted).toBe(true);
    expect(server.told).toEqual([
      { claimId: "c-1", verb: "fail", body: { reason: "its worker was stopped", retry: true } },
    ]);
  });

  it("that is stopped waits for the runs that it has begun", async () => {
    const begun = gate<undefined>();
    const release = gate<undefined>();
    const { driver } = await start(undefined);
    const work = driver.run("r", async () => {
      begun.open(undefined);
      await release.opened;
      return "done";
    });
    await begun.opened;
    let isStopped = false;
    const stopped = driver.stop().then(() => {
      isStopped = true;
    });
    await expect(driver.run("s", () => 1)).rejects.toMatchObject({ code: "closed" });
    expect(isStopped).toBe(false);
    release.open(undefined);
    expect(await work).toBe("done");
    await stopped;
  });

  it("goes on claiming through troubles of the service, and tells of them", async () => {
    let refusals = 0;
    const { server, errors } = await start(
      () => "done",
      ({ path }) => (path.endsWith("/claims") && refusals++ === 0 ? problem(403, "forbidden") : undefined),
    );
    server.offer(resumeClaim("c-1"));
    expect(await server.untilTold(1)).toHaveLength(1);
    expect(errors).toMatchObject([{ code: "forbidden" }]);
  });
});
