import type { Person } from "./start-interlude.ts";

/** What a suite needs of the product, however its processes are cut. */
export type Deployment = Readonly<{
  url: string;
  natsUrl: string;
  keys: Readonly<Record<Person, string>>;
}>;

/** One whose claims' tokens a test can make: `INTERLUDE_SESSION_KEYS`. */
export type RunDeployment = Deployment & Readonly<{ sessionKeys: string }>;
