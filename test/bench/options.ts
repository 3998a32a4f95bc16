import { parseArgs } from "node:util";
import { z } from "zod";

export type Options = {
  full: boolean;
  /** Scenarios to run; none named: all. */
  only: readonly string[];
  /** Whom `peers` measures against; none named: all. */
  peers: readonly string[];
  pairs: number;
  /** Operations a measurement of one side takes, where it counts operations. */
  n: number;
  /** Where the results are written. */
  out: string;
  /** Where the composed process leaves its CPU profile. */
  profile: string | undefined;
};

const Values = z.object({
  full: z.boolean(),
  only: z.array(z.string()),
  peer: z.array(z.string()),
  pairs: z.coerce.number().int().min(1).max(1_000),
  n: z.coerce.number().int().min(1).max(100_000),
  out: z.string().min(1),
  profile: z.string().optional(),
});

/** @throws ZodError, or a TypeError of node's for a flag it does not know */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      full: { type: "boolean", default: false },
      only: { type: "string", multiple: true, default: [] },
      peer: { type: "string", multiple: true, default: [] },
      pairs: { type: "string", default: "5" },
      n: { type: "string", default: "200" },
      out: { type: "string", default: "bench/results.json" },
      profile: { type: "string" },
    },
  });
  const { profile, peer, ...rest } = Values.parse(values);
  return { ...rest, peers: peer, profile };
}
