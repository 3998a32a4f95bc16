import { describe, expect, it } from "vitest";
import { converse } from "../support/converse.ts";
import type { Deployment } from "../support/deployment.ts";
import { openStream, type OpenStream } from "../support/event-stream.ts";

/** What a stream tells, to whom, and where it goes on. */
export function streamingSuite(at: () => Deployment): void {
  const { asked, answer, call, item, result, ask } = converse(at);
  const open = (options: Parameters<typeof openStream>[1] = {}) =>
    openStream(at().url, { key: at().keys.answerer, ...options });

  async function during<T>(stream: OpenStream, work: (stream: OpenStream) => Promise<T>): Promise<T> {
    try {
      return await work(stream);
    } finally {
      stream.close();
    }
  }

  describe("a stream", () => {
    it("begins at once with the contract's headers, uncompressed (A-SSE-3)", async () => {
      await during(
        await open({ headers: { "accept-encoding": "gzip, br" } }),
        async ({ status, headers, comments }) => {
          expect(status).toBe(200);
          expect(headers.get("content-type")).toBe("text/event-stream");
          expect(headers.get("cache-control")).toBe("no-store");
          expect(headers.get("x-accel-buffering")).toBe("no");
          expect(headers.get("content-encoding")).toBeNull();
          expect(headers.get("x-request-id")).not.toBeNull();
          await expect.poll(() => comments.length).toBeGreaterThan(0);
        },
      );
    });

    it("tells nothing old, then each question with the item a list would show", async () => {
      const before = await asked();
      await during(await open(), async (stream) => {
        const id = await asked({
          metadata: { k: "v" },
          media: [{ kind: "link", url: "https://a.example/" }],
        });
        const frame = await stream.frameOf(id, "interaction.add");
        expect(frame.data).toEqual((await item(id)).json);
        expect(frame.id).toBe(String(frame.data["sequence"]));
        expect(stream.frames.some(({ data }) => data["interaction_id"] === before)).toBe(false);
      });
    });

    it("tells what was answered by whom, and what was removed and why", async () => {
      await during(await open(), async (stream) => {
        const [one, two, three] = [await asked(), await asked(), await asked({ timeout_seconds: 0.3 })];
        await answer(one, "x");
        await call(`/api/interactions/${two}/cancel`, { method: "POST", key: at().keys.asker });
        const answered = await stream.frameOf(one, "interaction.answered");
        expect(Object.keys(answered.data).toSorted()).toEqual([
          "answered_by",
          "at",
          "group_id",
          "interaction_id",
          "status",
        ]);
        expect(answered.data).toMatchObject({ status: "answered", answered_by: "bob" });
        expect((await stream.frameOf(two, "interaction.removed")).data["status"]).toBe("cancelled");
        expect((await stream.frameOf(three, "interaction.removed")).data["status"]).toBe("expired");
      });
    });

    it("has one frame for a question that looks like frames (A-SSE-1)", async () => {
      const question = 'a\ndata: {"x":1}\n\nevent: answered\r\ndata: z\rid: 9\u2028\0'.replace("\0", "");
      await during(await open(), async (stream) => {
        const id = await asked({ question });
        const frame = await stream.frameOf(id, "interaction.add");
        expect(frame.data["question"]).toBe(question);
        expect(stream.frames.filter(({ data }) => data["interaction_id"] === id)).toHaveLength(1);
        expect(
          stream.frames.every(
            ({ event, id: at }) => event.startsWith("interaction.") && /^[1-9]\d*$/.test(at),
          ),
        ).toBe(true);
      });
    });

    it("follows the reader's visibility", async () => {
      const streams = await Promise.all([
        open(),
        open({ key: at().keys.groupAnswerer }),
        open({ key: at().keys.operator }),
      ]);
      const [bob, carol, olga] = streams;
      const secret = await asked({ audience: "group:finance" });
      const shown = await asked();
      for (const stream of streams) await stream.frameOf(shown, "interaction.add");
      const sees = (stream: OpenStream | undefined) =>
        stream?.frames.some(({ data }) => data["interaction_id"] === secret);
      expect([bob, carol, olga].map(sees)).toEqual([false, true, true]);
      for (const stream of streams) stream.close();
    });

    it.each([
      ["no key is 401", {}, 401],
      ["an asker's key is 403", { key: "asker" }, 403],
    ] as const)("with %s", async (_name, who, status) => {
      const key = "key" in who ? at().keys[who.key] : undefined;
      expect((await call("/api/interactions/stream", key === undefined ? {} : { key })).status).toBe(status);
    });
  });

  describe("a stream that comes back", () => {
    async function five(): Promise<{ sequences: number[]; ids: string[] }> {
      const replies = [];
      for (let each = 0; each < 5; each++) replies.push(await ask({ question: `${each}?` }));
      return {
        sequences: replies.map(({ json }) => Number(json["sequence"])),
        ids: replies.map(({ json }) => String(json["interaction_id"])),
      };
    }
    const added = (stream: OpenStream, ids: string[]) =>
      stream.frames.map(({ data }) => String(data["interaction_id"])).filter((id) => ids.includes(id));

    it.each([
      ["by header", (after: number) => ({ headers: { "last-event-id": String(after) } })],
      ["by query", (after: number) => ({ query: `?last_event_id=${after}` })],
      [
        "by header before query",
        (after: number) => ({
          headers: { "last-event-id": String(after) },
          query: "?last_event_id=999999999",
        }),
      ],
      [
        "by query when the header is empty",
        (after: number) => ({ headers: { "last-event-id": "" }, query: `?last_event_id=${after}` }),
      ],
    ])("%s gets what it missed, in order, once, and goes on live", async (_name, options) => {
      const { sequences, ids } = await five();
      await during(await open(options(sequences[1] ?? 0)), async (stream) => {
        const live = await asked();
        await stream.frameOf(live, "interaction.add");
        expect(added(stream, ids)).toEqual(ids.slice(2));
      });
    });

    it.each(["-1", "+1", "01", "1.0", "1e3", "abc", "99999999999999999", "9999999999", "0x1", "１"])(
      "with the id %s tails from the end",
      async (text) => {
        const { ids } = await five();
        const query = `?last_event_id=${encodeURIComponent(text)}`;
        await during(await open({ query }), async (stream) => {
          const live = await asked();
          await stream.frameOf(live, "interaction.add");
          expect(added(stream, ids)).toEqual([]);
        });
      },
    );
  });

  it("the quickest answer wakes its asker, 100 times of 100 (A-IDEM-1)", { timeout: 60_000 }, async () => {
    await during(await open(), async (stream) => {
      for (let round = 0; round < 10; round++) {
        const ids = Array.from({ length: 10 }, (_, each) => `quick-${crypto.randomUUID()}-${each}`);
        const held = ids.map((id) => ask({ id, question: "Quick?" }, { headers: { prefer: "wait=10" } }));
        await Promise.all(
          ids.map(async (id) => {
            await stream.frameOf(id, "interaction.add");
            await answer(id, `to ${id}`);
          }),
        );
        expect((await Promise.all(held)).map(({ json }) => json["answer"])).toEqual(
          ids.map((id) => `to ${id}`),
        );
      }
    });
  });

  it("a read after a write sees it", async () => {
    for (let round = 0; round < 20; round++) {
      const id = await asked();
      await answer(id, String(round));
      expect((await result(id)).json["answer"]).toBe(String(round));
    }
  });
}
