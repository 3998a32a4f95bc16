import type { Person } from "./start-interlude.ts";

/** What a suite needs of the product, however its processes are cut. */
export type Deployment = Readonly<{
  url: string;
  natsUrl: string;
  keys: Readonly<Record<Person, string>>;
}>;
