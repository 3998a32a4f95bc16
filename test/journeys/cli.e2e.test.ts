import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, connect, RunFailedError } from "@interlude/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type CliOptions, type Ended, type Running, startCli } from "../support/run-cli.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

const Document = z.record(z.string(), z.unknown());

let interlude: Interlude;
let operator: Client;
let folder: string;

beforeAll(async () => {
  interlude = await startInterlude();
  operator = connect({ url: interlude.url, apiKey: interlude.keys.operator });
  folder = mkdtempSync(join(tmpdir(), "cli-journey-"));
});

afterAll(async () => {
  await operator.close();
  await interlude.stop();
  rmSync(folder, { recursive: true, force: true });
});

const start = (args: string[], options?: CliOptions): Running =>
  startCli({ ...interlude, folder }, args, options);
const cli = (args: string[], options?: CliOptions): Promise<Ended> => start(args, options).end;

async function isPending(id: string): Promise<void> {
  const status = async (): Promise<string> =>
    operator.get(id).then(
      (item) => item.status,
      () => "none",
    );
  await expect.poll(status, { timeout: 20_000 }).toBe("pending");
}

let questions = 0;

/** Asks in one process and answers in another, as two people at two terminals. */
async function askAndAnswer(
  ask: string[],
  answer: string[],
): Promise<{ id: string; asked: Ended; answered: Ended }> {
  questions += 1;
  const id = `cli-journey-${questions}`;
  const asking = start(["ask", ...ask, "--id", id]);
  await isPending(id);
  const answered = await cli(["answer", id, ...answer], { key: interlude.keys.answerer });
  return { id, asked: await asking.end, answered };
}

const FORM = JSON.stringify({
  type: "object",
  properties: { name: { type: "string" }, seats: { type: "integer" } },
  required: ["name", "seats"],
});

describe("two terminals", () => {
  it.each([
    ["a text", ["Who?"], ["Ana Šimić"], "Ana Šimić\n"],
    ["a decision", ["Go?", "--format", "confirm"], ["no"], "false\n"],
    [
      "a choice, by its number",
      ["Size?", "--format", "select", "--option", "s", "--option", "m=Medium"],
      ["2"],
      "m\n",
    ],
    [
      "a form, by fields",
      ["Book?", "--format", "form", "--schema", FORM],
      ["--field", "name=Ana", "--field", "seats=2"],
      '{\n  "name": "Ana",\n  "seats": 2\n}\n',
    ],
  ])("ask and answer %s", async (_name, ask, answer, printed) => {
    const { asked, answered } = await askAndAnswer(ask, answer);
    expect(answered).toEqual({ code: 0, out: "answered by bob\n", err: "" });
    expect(asked).toEqual({ code: 0, out: printed, err: "" });
  });

  it("print documents for scripts", async () => {
    const { id, asked, answered } = await askAndAnswer(
      ["Go?", "--format", "confirm", "--json"],
      ["yes", "--json", "--param", "comment=fine"],
    );
    expect(Document.parse(JSON.parse(asked.out))).toMatchObject({
      interaction_id: id,
      status: "answered",
      answer: true,
      answered_by: "bob",
      params: { comment: "fine" },
    });
    expect(Document.parse(JSON.parse(answered.out))).toMatchObject({
      answered_by: "bob",
      status: "answered",
    });
  });

  it("read an answer from standard input, where a process list cannot show it", async () => {
    const asking = start(["ask", "-", "--sensitive", "--id", "cli-journey-secret"], { input: "Password?\n" });
    await isPending("cli-journey-secret");
    const typed = await cli(["answer", "cli-journey-secret", "-"], {
      key: interlude.keys.answerer,
      input: "s3 cret\n",
    });
    expect(typed.code).toBe(0);
    expect((await asking.end).out).toBe("s3 cret\n");
    expect((await cli(["show", "cli-journey-secret", "--json"])).out).not.toContain("s3 cret");
  });
});

describe("the exit code", () => {
  it("tells an expiry, a cancellation and a second answer apart", async () => {
    const expired = await cli(["ask", "Anybody?", "--timeout", "0.3", "--json"]);
    expect(expired.code).toBe(3);
    expect(Document.parse(JSON.parse(expired.out))).toMatchObject({ error: { code: "expired" } });
    const asking = start(["ask", "Cancel me?", "--id", "cli-journey-cancel"]);
    await isPending("cli-journey-cancel");
    expect((await cli(["cancel", "cli-journey-cancel", "--reason", "changed plans"])).out).toBe(
      "cancelled\n",
    );
    expect(await asking.end).toMatchObject({
      code: 4,
      out: "",
      err: "interlude: The question was cancelled: changed plans\n",
    });
    const late = await cli(["answer", "cli-journey-cancel", "x"], { key: interlude.keys.answerer });
    expect(late.code).toBe(4);
    expect((await cli(["show", "cli-no-such-id"])).code).toBe(1);
  });

  it.each(["SIGINT", "SIGTERM"] as const)("%s cancels the question that is waited for", async (signal) => {
    const id = `cli-journey-${signal}`;
    const asking = start(["ask", "Interrupt me?", "--id", id]);
    await isPending(id);
    asking.child.kill(signal);
    expect(await asking.end).toMatchObject({ code: 130, out: "" });
    expect((await operator.get(id)).status).toBe("cancelled");
  });

  it("comes back to the same question by id after the asking process was killed", async () => {
    const asking = start(["ask", "Deploy?", "--id", "cli-journey-deploy"]);
    await isPending("cli-journey-deploy");
    asking.child.kill("SIGKILL");
    await asking.end;
    await operator.answer("cli-journey-deploy", "go");
    expect(await cli(["ask", "Deploy?", "--id", "cli-journey-deploy"])).toEqual({
      code: 0,
      out: "go\n",
      err: "",
    });
    expect((await cli(["ask", "Other?", "--id", "cli-journey-deploy"])).code).toBe(1);
  });
});

describe("what is shown", () => {
  it("follows the list as it comes and goes, one document a line", async () => {
    const streaming = start(["stream", "--json", "--last-event-id", "", "--count", "2"], {
      key: interlude.keys.answerer,
    });
    const human = start(["stream"], { key: interlude.keys.answerer });
    const stop = new AbortController();
    // Asked again and again until the streams are open, which only their output can tell.
    const asking = (async () => {
      while (!stop.signal.aborted) {
        await operator
          .askUser({ question: "Streamed \u001b[31mred?", timeoutSeconds: 0.2 })
          .catch(() => undefined);
      }
    })();
    const { code, out } = await streaming.end;
    await expect.poll(human.out, { timeout: 20_000 }).toContain("Streamed red?");
    stop.abort();
    await asking;
    expect(code).toBe(0);
    const lines = out
      .trimEnd()
      .split("\n")
      .map((line) => Document.parse(JSON.parse(line)));
    expect(lines).toHaveLength(2);
    human.child.kill("SIGINT");
    expect((await human.end).code).toBe(0);
    expect(human.out()).not.toContain("\u001b");
  });

  it("lists and shows questions, with their history", async () => {
    const id = "cli-journey-list";
    const asking = start(["ask", "Shown?", "--id", id, "--metadata", "order_id=7"]);
    await isPending(id);
    await expect
      .poll(async () => (await cli(["list", "--search", "Shown"])).out, { timeout: 20_000 })
      .toMatch(/^cli-journey-list {2}text .* left .*Shown\?\n$/);
    const listed = await cli(["list", "--search", "Shown", "--json"]);
    expect(Document.parse(JSON.parse(listed.out))).toMatchObject({
      total: 1,
      items: [{ interaction_id: id, metadata: { order_id: "7" } }],
    });
    const shown = await cli(["show", id, "--events"]);
    expect(shown.out).toContain("  | Shown?\n");
    expect(shown.out).toContain("asked by: ann\n");
    asking.child.kill("SIGINT");
    await asking.end;
  });
});

describe("runs", () => {
  const inAnHour = () => new Date(Date.now() + 3_600_000);

  /** A run whose resume gives up at once, until it is told to go on. */
  async function parkedRun(driverName: string, gate: { open: boolean }) {
    const ann = connect({ url: interlude.url, apiKey: interlude.keys.asker });
    const driver = await ann.driver({
      name: driverName,
      checkpointer: { kind: "postgres" },
      resume: () => {
        if (!gate.open) throw new RunFailedError("no \u001b[31mnetwork");
        return Promise.resolve({ done: true });
      },
    });
    const ids: string[] = [];
    await driver.run("trip 7", async (run) => {
      for (const question of ["Which \u001b[31mhotel?", "Which flight?"]) {
        const asked = await run.askUser({ question, mode: "async", expiryAt: inAnHour() });
        ids.push(asked.interactionId);
      }
    });
    return { ann, ids };
  }

  it("are listed, shown with what they wait for and what happened, and replayed", async () => {
    const gate = { open: false };
    const { ann, ids } = await parkedRun("cli-trips", gate);
    const [hotel = "", flight = ""] = ids;
    const listed = await cli(["runs", "list", "--driver", "cli-trips"]);
    expect(listed).toMatchObject({ code: 0, err: "" });
    expect(listed.out).toMatch(/^parked {4}0 of 2 ended .*cli-trips trip 7\n$/);
    await operator.answer(hotel, "the old one");
    const waiting = await cli(["runs", "show", "cli-trips", "trip 7"]);
    expect(waiting.out).toContain(`  ${flight}  pending     Which flight?\n`);
    expect(waiting.out).toContain(`  ${hotel}  answered by olga  Which hotel?\n`);
    expect(waiting.out).toContain("questions: 1 of 2 ended\n");
    expect(waiting.out).not.toContain("the old one");
    const early = await cli(["runs", "replay", "cli-trips", "trip 7"]);
    expect(early).toMatchObject({ code: 1, out: "" });
    expect(early.err).toContain("Only a resume that has failed");

    await operator.answer(flight, "the late one");
    const failed = () => cli(["runs", "list", "--state", "failed", "--driver", "cli-trips"]);
    await expect.poll(async () => (await failed()).out, { timeout: 20_000 }).toContain("no network\n");
    gate.open = true;
    const replayed = await cli(["runs", "replay", "cli-trips", "trip 7"], { key: interlude.keys.operator });
    expect(replayed).toMatchObject({ code: 0, err: "" });
    const show = async () => {
      const { out } = await cli(["runs", "show", "cli-trips", "trip 7", "--json"]);
      return Document.parse(JSON.parse(out));
    };
    await expect.poll(show, { timeout: 20_000 }).toMatchObject({
      run_id: "trip 7",
      state: "resumed",
      owner: "ann",
      questions: { truncated: false, items: [{ status: "answered" }, { answered_by: "olga" }] },
    });
    const { history } = await show();
    const History = z.object({ items: z.array(z.object({ type: z.string(), by: z.string().optional() })) });
    const { items } = History.parse(history);
    expect(items.find((entry) => entry.type === "replayed")).toMatchObject({ by: "olga" });
    const byQuestion = await cli(["runs", "list", "--interaction", hotel, "--json"]);
    expect(Document.parse(JSON.parse(byQuestion.out))).toMatchObject({
      items: [{ run_id: "trip 7", park_id: z.string().parse((await show())["park_id"]) }],
      truncated: false,
    });
    await ann.close();
  });

  it("of others are not there, and an answerer has no part in them", async () => {
    const { ann } = await parkedRun("cli-others", { open: true });
    const alan = { key: interlude.keys.otherAsker };
    expect((await cli(["runs", "list"], alan)).out).toBe("");
    const shown = await cli(["runs", "show", "cli-others", "trip 7"], alan);
    expect(shown).toMatchObject({ code: 1, out: "" });
    expect(shown.err).toContain("There is no such run.");
    expect((await cli(["runs", "list"], { key: interlude.keys.answerer })).code).toBe(1);
    await ann.close();
  });
});

describe("a key made on the command line", () => {
  it("is the one whose digest the file holds", async () => {
    const file = join(folder, "keys.json");
    const made = await cli(["keys", "create", "--subject", "ci", "--roles", "asker", "--file", file]);
    expect(made.code).toBe(0);
    const beside = await startInterlude({ beside: interlude, env: { INTERLUDE_API_KEYS_FILE: file } });
    try {
      const client = connect({ url: beside.url, apiKey: made.out.trim() });
      expect(await client.me()).toEqual({ subject: "ci", roles: ["asker"], groups: [] });
      expect(readFileSync(file, "utf8")).not.toContain(made.out.trim());
    } finally {
      await beside.stop();
    }
  });
});
