import type { Resolution } from "@interlude/sdk";
import {
  Annotation,
  Command,
  END,
  entrypoint,
  interrupt,
  MemorySaver,
  START,
  StateGraph,
  task,
} from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { askEveryone, askUser } from "./index.ts";
import { openThread, type Drivable, type Rest, type Thread } from "./thread.ts";

const State = Annotation.Root({
  out: Annotation<string[]>({ reducer: (old, more) => [...old, ...more], default: () => [] }),
});
const expiryAt = "2099-01-01T00:00:00.000Z";
const ask = async (question: string): Promise<string> => {
  const answer = await askUser({ question, expiryAt });
  return typeof answer === "string" ? answer : "expired";
};
const NESTED_OUT = ["a a?!", "b b?!", "inner one?! two?!", "inner one?! two?!", "last"];
const outOf = (rest: Rest | undefined) => (rest?.values as { out: string[] }).out.sort();

/** A saver whose writes are lost from a certain one on, as if the process had been killed before it. */
class FallibleSaver extends MemorySaver {
  killedBefore: (channels: readonly string[], namespace: string) => boolean = () => false;
  /** Only those writes are lost: others were on their way at the same time, and arrived. */
  losesSome = false;
  /** What came after that step is written, but not taken over into a checkpoint. */
  killedAfterStep: number | undefined;
  #isDead = false;

  revive(): void {
    this.killedAfterStep = undefined;
    this.killedBefore = () => false;
    this.#isDead = false;
  }

  override async put(...given: Parameters<MemorySaver["put"]>): ReturnType<MemorySaver["put"]> {
    if (this.killedAfterStep !== undefined && given[2].step > this.killedAfterStep) this.#isDead = true;
    if (this.#isDead) throw new Error("killed");
    return super.put(...given);
  }

  override async putWrites(...given: Parameters<MemorySaver["putWrites"]>): Promise<void> {
    const [config, writes] = given;
    const namespace = String(config.configurable?.["checkpoint_ns"] ?? "");
    const channels = writes.map(([channel]) => channel);
    const isLost = this.killedBefore(channels, namespace);
    if (isLost && !this.losesSome) this.#isDead = true;
    if (isLost || this.#isDead) throw new Error("killed");
    await super.putWrites(...given);
  }
}

function open(
  graph: Drivable,
  saver: MemorySaver,
  threadId = "t",
  past: ReadonlyMap<string, Resolution> = new Map(),
): Thread {
  const configurable = { thread_id: threadId, interlude_driver: "bot" };
  const config = { configurable, durability: "sync" };
  const lookUp = (id: string) => Promise.resolve(past.get(id));
  return openThread({ graph, saver, name: { driver: "bot", threadId }, config, lookUp });
}

const questionsOf = ({ pending }: Rest) =>
  pending.flatMap(({ asks }) => asks.map(({ ask: { question } }) => question)).sort();

/** Everybody answers with the question and a mark. */
function answersTo(rest: Rest, mark = "!"): Resolution[] {
  return rest.pending.flatMap(({ asks }) =>
    asks.map(({ id, ask: { question } }) => ({
      ...{ interactionId: id, status: "answered", answer: `${question as string}${mark}` },
      ...{ answeredBy: "bob", at: "2030-01-01T00:00:00.000Z" },
    })),
  );
}

/** Two branches, a graph within with two questions one after the other, and a step of its own at the end. */
function nested(saver: MemorySaver) {
  const inner = new StateGraph(State)
    .addNode("inner", async () => ({
      out: [`inner ${await ask("one?")} ${await ask("two?")}`],
    }))
    .addEdge(START, "inner")
    .addEdge("inner", END)
    .compile();
  return new StateGraph(State)
    .addNode("a", async () => ({ out: [`a ${await ask("a?")}`] }))
    .addNode("b", async () => ({ out: [`b ${await ask("b?")}`] }))
    .addNode("static", inner)
    .addNode("dynamic", async (_, config) => inner.invoke({ out: [] }, config))
    .addNode("last", () => ({ out: ["last"] }))
    .addEdge(START, "a")
    .addEdge(START, "b")
    .addEdge(START, "static")
    .addEdge(START, "dynamic")
    .addEdge(["a", "b", "static", "dynamic"], "last")
    .addEdge("last", END)
    .compile({ checkpointer: saver });
}

describe("a thread", () => {
  it("A-RES-1, A-RES-5: gives each question its own answer, in branches and nested graphs, one after the other", async () => {
    const saver = new MemorySaver();
    const thread = open(nested(saver), saver);
    const first = await thread.invoke({ out: [] });
    expect(questionsOf(first)).toEqual(["a?", "b?", "one?", "one?"]);
    expect(new Set(answersTo(first).map(({ interactionId }) => interactionId)).size).toBe(4);

    const second = await thread.resume(answersTo(first));
    expect(second && questionsOf(second)).toEqual(["two?", "two?"]);
    const done = await thread.resume(answersTo(second as Rest));
    expect(done).toMatchObject({ isFinished: true, pending: [] });
    expect(outOf(done)).toEqual(NESTED_OUT);
  });

  it("has the same ids whenever it is read, and others on another thread", async () => {
    const saver = new MemorySaver();
    const ids = answersTo(await open(nested(saver), saver).invoke({ out: [] }));
    expect(answersTo(await open(nested(saver), saver).rest())).toEqual(ids);
    const others = answersTo(await open(nested(saver), saver, "u").invoke({ out: [] }));
    expect(new Set([...ids, ...others].map(({ interactionId }) => interactionId)).size).toBe(8);
  });

  it("of a flow has the questions of all its parallel tasks at once, slow ones too", async () => {
    const saver = new MemorySaver();
    const quick = new Set<string>();
    const asking = task("asking", async (question: string) => {
      if (question === "slow?") await expect.poll(() => quick.size).toBe(2);
      else quick.add(question);
      return ask(question);
    });
    const flow = entrypoint({ name: "flow", checkpointer: saver }, async (questions: string[]) => {
      const answers = await Promise.all(questions.map((question) => asking(question)));
      return [...answers, await ask("last?")];
    });
    const thread = open(flow, saver);
    const first = await thread.invoke(["a?", "slow?", "c?"]);
    expect(questionsOf(first)).toEqual(["a?", "c?", "slow?"]);
    const second = await thread.resume(answersTo(first));
    expect(second && questionsOf(second)).toEqual(["last?"]);
    const done = await thread.resume(answersTo(second as Rest));
    expect(done).toMatchObject({ isFinished: true, values: ["a?!", "slow?!", "c?!", "last?!"] });
  });

  it("asks several questions in one step at once", async () => {
    const saver = new MemorySaver();
    const graph = new StateGraph(State)
      .addNode("ask", async () => {
        const answers = await askEveryone([
          { question: "x?", expiryAt },
          { question: "y?", answerFormat: "confirm", expiryAt },
        ]);
        return { out: answers.map(String) };
      })
      .addEdge(START, "ask")
      .addEdge("ask", END)
      .compile({ checkpointer: saver });
    const thread = open(graph, saver);
    const first = await thread.invoke({ out: [] });
    expect(questionsOf(first)).toEqual(["x?", "y?"]);
    expect(await thread.resume(answersTo(first))).toMatchObject({ values: { out: ["x?!", "y?!"] } });
  });

  it("leaves interrupts alone that are not ours, and shows them", async () => {
    const saver = new MemorySaver();
    const graph = new StateGraph(State)
      .addNode("ours", async () => ({ out: [await ask("ours?")] }))
      .addNode("theirs", () => ({ out: [interrupt<unknown, string>({ question: "theirs?" })] }))
      .addEdge(START, "ours")
      .addEdge(START, "theirs")
      .compile({ checkpointer: saver });
    const thread = open(graph, saver);
    const first = await thread.invoke({ out: [] });
    expect(questionsOf(first)).toEqual(["ours?"]);
    expect(first.others).toMatchObject([{ value: { question: "theirs?" } }]);
    const second = await thread.resume(answersTo(first));
    expect(second).toMatchObject({ pending: [], isFinished: false });
    const id = second?.others[0]?.id ?? "";
    expect(await thread.invoke(new Command({ resume: { [id]: "mine" } }))).toMatchObject({
      isFinished: true,
      values: { out: ["ours?!", "mine"] },
    });
  });
});

describe("answers of the past", () => {
  it("change nothing once the thread was given something else", async () => {
    const saver = new MemorySaver();
    const thread = open(nested(saver), saver);
    const first = answersTo(await thread.invoke({ out: [] }));
    const anew = await thread.invoke({ out: ["anew"] });
    expect(await thread.resume(first)).toBeUndefined();
    expect(await thread.rest()).toEqual(anew);
  });

  it("are known as had when they come again, and never given to a later question", async () => {
    const saver = new MemorySaver();
    const thread = open(nested(saver), saver);
    const first = answersTo(await thread.invoke({ out: [] }));
    const second = await thread.resume(first);
    expect(await thread.resume(first)).toEqual(second);
    const done = await thread.resume(answersTo(second as Rest));
    for (const answers of [first, answersTo(second as Rest)])
      expect(await thread.resume(answers)).toMatchObject({
        isFinished: true,
        pending: [],
        values: done?.values,
      });
  });
});

describe("an attempt that is killed", () => {
  /** Dies at the nth write of a kind, then goes on as another process. */
  async function resumeAcrossKill(kills: (channels: readonly string[], namespace: string) => boolean) {
    const saver = new FallibleSaver();
    const first = await open(nested(saver), saver).invoke({ out: [] });
    saver.killedBefore = kills;
    const outcome = await open(nested(saver), saver)
      .resume(answersTo(first))
      .catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(Error);
    saver.revive();
    const thread = open(nested(saver), saver);
    const second = await thread.resume(answersTo(first));
    expect(second && questionsOf(second)).toEqual(["two?", "two?"]);
    const done = await thread.resume(answersTo(second as Rest));
    expect(outOf(done)).toEqual(NESTED_OUT);
  }

  it("before anything of it was kept is simply repeated", () =>
    resumeAcrossKill((channels) => channels.includes("__resume__")));

  it("after a nested step had its answer, but before the graph around it knew, gives no answer twice", () =>
    resumeAcrossKill((channels, namespace) => namespace === "" && channels.includes("__interrupt__")));

  it("after some branches were through goes on with the others", () =>
    resumeAcrossKill((channels, namespace) => namespace === "" && channels.includes("out")));

  it("of whose writes a nested one was lost while that around it arrived asks nothing a second time", async () => {
    const saver = new FallibleSaver();
    saver.losesSome = true;
    const past = new Map<string, Resolution>();
    const threadOf = () => open(nested(saver), saver, "t", past);
    const first = answersTo(await threadOf().invoke({ out: [] }));
    for (const each of first) past.set(each.interactionId, each);
    saver.killedBefore = (channels, namespace) => namespace !== "" && channels.includes("__resume__");
    await threadOf().resume(first);
    saver.revive();
    let rest = await threadOf().resume(first);
    for (let round = 0; round < 4 && rest?.isFinished === false; round += 1) {
      expect(questionsOf(rest)).toEqual(["two?", "two?"]);
      rest = await threadOf().resume(answersTo(rest));
    }
    expect(outOf(rest)).toEqual(NESTED_OUT);
  });

  it.each([1, 2])(
    "when all was done that came after step %d, but not taken over, is not taken for finished",
    async (step) => {
      const saver = new FallibleSaver();
      const graph = new StateGraph(State)
        .addNode("ask", async () => ({ out: [await ask("go?")] }))
        .addNode("work", () => ({ out: ["worked"] }))
        .addNode("end", () => ({ out: ["ended"] }))
        .addEdge(START, "ask")
        .addEdge("ask", "work")
        .addEdge("work", "end")
        .addEdge("end", END)
        .compile({ checkpointer: saver });
      const thread = open(graph, saver);
      const answers = answersTo(await thread.invoke({ out: [] }));
      saver.killedAfterStep = step;
      await expect(thread.resume(answers)).rejects.toThrow("killed");
      saver.revive();
      expect(await thread.rest()).toMatchObject({ isFinished: false });
      expect(await thread.resume(answers)).toMatchObject({
        isFinished: true,
        values: { out: ["go?!", "worked", "ended"] },
      });
    },
  );

  it("when it had moved on is followed by what was left to do", async () => {
    const saver = new FallibleSaver();
    let isBroken = true;
    const graph = new StateGraph(State)
      .addNode("ask", async () => ({ out: [await ask("go?")] }))
      .addNode("work", () => {
        if (isBroken) throw new Error("killed");
        return { out: ["worked"] };
      })
      .addEdge(START, "ask")
      .addEdge("ask", "work")
      .addEdge("work", END)
      .compile({ checkpointer: saver });
    const thread = open(graph, saver);
    const answers = answersTo(await thread.invoke({ out: [] }));
    await expect(thread.resume(answers)).rejects.toThrow("killed");
    isBroken = false;
    expect(await thread.resume(answers)).toMatchObject({
      isFinished: true,
      values: { out: ["go?!", "worked"] },
    });
  });
});
