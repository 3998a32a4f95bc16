import { fileURLToPath } from "node:url";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rebuildReadModels } from "@interlude/compose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { converse, idsOf } from "../support/converse.ts";
import { converseAboutRuns } from "../support/converse-runs.ts";
import { openStream } from "../support/event-stream.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

let interlude: Interlude;
const { ask, asked, answer, result, list, item, call } = converse(() => ({
  ...interlude,
  natsUrl: interlude.nats.url,
}));

beforeAll(async () => {
  interlude = await startInterlude();
}, 60_000);
afterAll(() => interlude.stop());

/** Retention's own sweep, in a process whose clock is 91 days ahead. */
async function sweep(): Promise<void> {
  const script = fileURLToPath(new URL("../../services/retention/test/sweep-once.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", script], {
    env: {
      ...process.env,
      NATS_URL: interlude.nats.url,
      DATABASE_URL: interlude.databaseUrl,
      KEYS: interlude.shared["INTERLUDE_DATA_KEYS"] ?? "",
      MOVED_DAYS: "91",
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
  expect((await once(child, "exit"))[0]).toBe(0);
}

const all = async () => {
  const reply = await list("?status=all&page_size=200");
  return { ids: idsOf(reply).toSorted(), total: reply.json["total"] };
};

describe("90 days after its end", { timeout: 60_000 }, () => {
  it("a question is not found at any door, and what came later is as it was", async () => {
    const [ended, open] = [await asked(), await asked({ question: "Still open?" })];
    const external = await ask({
      question: "Signed?",
      answer_format: "external",
      link: "https://sign.example/{callback_url}",
    });
    const signing = String(external.json["interaction_id"]);
    const shown = await item(signing);
    const ticket = /callback\/([A-Za-z0-9_.-]+)/.exec(decodeURIComponent(shown.text))?.[1] ?? "";
    expect(ticket).not.toBe("");
    expect((await answer(ended, "yes")).status).toBe(200);
    expect(
      (await call(`/api/interactions/${signing}/cancel`, { method: "POST", key: interlude.keys.asker }))
        .status,
    ).toBe(200);
    const stream = await openStream(interlude.url, { key: interlude.keys.operator });
    await sweep();

    for (const id of [ended, signing]) {
      expect([(await item(id)).status, (await result(id)).status]).toEqual([404, 404]);
      expect((await answer(id, "late")).status).toBe(404);
    }
    const callback = (path: string) =>
      call(`/api/interactions/callback/${path}`, { method: "POST", json: {} });
    const [late, forged] = [await callback(ticket), await callback(`${ticket.slice(0, -4)}AAAA`)];
    expect([late.status, late.text.replace(/"instance":"[^"]*"/, "")]).toEqual([
      404,
      forged.text.replace(/"instance":"[^"]*"/, ""),
    ]);
    await expect.poll(async () => (await all()).ids, { timeout: 10_000 }).not.toContain(ended);
    const left = await all();
    expect(left.ids).toContain(open);
    expect(left.total).toBe(left.ids.length);

    // What listens goes on over the gap, and the id is free for another question.
    const again = await ask({ id: ended, question: "Again?" });
    expect([again.status, again.json["interaction_id"]]).toEqual([201, ended]);
    await stream.frameOf(ended, "interaction.add");
    stream.close();
    expect((await answer(open, "still")).status).toBe(200);

    const before = await all();
    await rebuildReadModels(interlude.databaseUrl);
    await expect.poll(all, { timeout: 15_000 }).toEqual(before);
    expect((await answer(ended, "once more")).status).toBe(200);
    expect((await result(ended)).json["answer"]).toBe("once more");
  });

  it("a finished run goes with its last question, and one that failed keeps its own", async () => {
    const runs = converseAboutRuns(() => ({ ...interlude, natsUrl: interlude.nats.url }));
    const driver = await runs.registered();
    const claimOf = async (runId: string) => {
      const id = await runs.asked(driver, runId);
      expect((await runs.park(driver, runId, [id])).status).toBe(201);
      expect((await answer(id, "go")).status).toBe(200);
      return { id, claimId: String((await runs.claimed(driver)).json["claim_id"]) };
    };
    const done = await claimOf("done");
    expect((await runs.complete(done.claimId)).status).toBe(200);
    const broken = await claimOf("broken");
    await runs.fail(broken.claimId, { reason: "it broke", retry: false });
    await expect.poll(async () => (await runs.show(driver, "broken")).json["state"]).toBe("failed");
    await sweep();

    expect([(await item(done.id)).status, (await item(broken.id)).status]).toEqual([404, 200]);
    await expect.poll(async () => (await runs.show(driver, "done")).status, { timeout: 10_000 }).toBe(404);
    const listed = async () => (await runs.list(`?driver=${driver}`)).json["items"];
    const before = await listed();
    expect(before).toMatchObject([{ run_id: "broken", state: "failed" }]);
    await rebuildReadModels(interlude.databaseUrl);
    await expect.poll(listed, { timeout: 15_000 }).toEqual(before);
    expect((await runs.replay(driver, "broken")).status).toBe(200);
    expect(runs.resolutionsOf(await runs.claimed(driver))).toEqual({ [broken.id]: "go" });
  });
});
