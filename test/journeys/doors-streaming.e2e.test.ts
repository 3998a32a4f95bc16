import { afterAll, beforeAll } from "vitest";
import type { Deployment } from "../support/deployment.ts";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";
import { streamingSuite } from "../suites/streaming.ts";

let interlude: Interlude;
const at = (): Deployment => ({ ...interlude, natsUrl: interlude.nats.url });

beforeAll(async () => {
  interlude = await startInterlude();
});

afterAll(() => interlude.stop());

streamingSuite(at);
