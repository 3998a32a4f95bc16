import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { abortAfter } from "./abort-after.ts";
import { sharedAbort } from "./shared-abort.ts";

it("one signal ends any number of works, without a warning of too many listeners", async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error): void => {
    warnings.push(name);
  };
  process.on("warning", onWarning);
  try {
    const shared = sharedAbort();
    const works = Array.from({ length: 100 }, () => abortAfter(60_000, shared.signal));
    shared.abort("stopping");
    expect(works.map(({ reason }): unknown => reason)).toEqual(works.map(() => "stopping"));
    await setImmediate();
    expect(warnings).toEqual([]);
  } finally {
    process.off("warning", onWarning);
  }
});
