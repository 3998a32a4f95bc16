import type { Client } from "@interlude/sdk";

/** Answers whatever is asked from now on, each question by its own text, until told to end. Closes its client. */
export async function answerAll(
  answerer: Client,
): Promise<{ answered: ReadonlySet<string>; end(): Promise<void> }> {
  const answered = new Set<string>();
  const stop = new AbortController();
  let work = Promise.resolve();
  await new Promise<void>((resolve) => {
    const onOpen = () => {
      resolve();
    };
    work = (async () => {
      for await (const frame of answerer.stream({ signal: stop.signal, onOpen })) {
        if (frame.type !== "add") continue;
        const { interactionId, question } = frame.item;
        answered.add(interactionId);
        await answerer.answer(interactionId, `${question} answered`);
      }
    })();
  });
  return {
    answered,
    async end() {
      stop.abort();
      await work;
      await answerer.close();
    },
  };
}
