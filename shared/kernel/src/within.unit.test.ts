import { expect, it } from "vitest";
import { ServiceFailure } from "./failure.ts";
import { within } from "./within.ts";

const late = () => new ServiceFailure("log_unavailable", { retry: "later" });

it("is what the work comes to, its failure included", async () => {
  await expect(within(1_000, Promise.resolve(5), late)).resolves.toBe(5);
  await expect(within(1_000, Promise.reject(new TypeError("broken")), late)).rejects.toThrow(TypeError);
});

it("fails when the work takes too long, and a later failure of the work is nobody's", async () => {
  let fail: (error: Error) => void = () => undefined;
  const work = new Promise<never>((_, reject) => (fail = reject));
  await expect(within(5, work, late)).rejects.toMatchObject({ code: "log_unavailable" });
  fail(new TypeError("broken, later"));
});
