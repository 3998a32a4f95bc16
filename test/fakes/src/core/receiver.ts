import type { Answer, Received } from "./exchange.ts";
import { startHttpServer } from "./http-server.ts";

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** What the next webhooks are answered with; an empty 200 at first. */
  answerWith(answer: Answer): void;
  stop(): Promise<void>;
}

/** The receiving end of webhooks, for tests of the fakes themselves. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let answer: Answer = { status: 200 };
  const server = await startHttpServer((request) => {
    received.push(request);
    return answer;
  });
  return {
    url: server.url,
    received,
    answerWith(next) {
      answer = next;
    },
    stop: () => server.stop(),
  };
}
