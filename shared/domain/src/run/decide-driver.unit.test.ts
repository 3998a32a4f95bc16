import type { DriverRegisteredData } from "@interlude/contract";
import { describe, expect, it } from "vitest";
import { decideRegister } from "./decide-driver.ts";

const first: DriverRegisteredData = {
  driver: "bot",
  owner: "ann",
  checkpointer: { kind: "postgres" },
  at: "2026-01-01T00:00:00.000Z",
};
const at = "2026-01-02T00:00:00.000Z";

describe("registering a driver", () => {
  it("gives a free name to who comes first", () => {
    expect(decideRegister(first, undefined)).toEqual({ ok: true, events: [first] });
  });

  it("by another does not tell that the name is taken", () => {
    expect(decideRegister({ ...first, owner: "eve" }, first)).toEqual({
      ok: false,
      refusal: { code: "not_found" },
    });
  });

  it("again as it is stores nothing", () => {
    expect(decideRegister({ ...first, at }, first)).toEqual({ ok: true, events: [] });
  });

  it.each<Partial<DriverRegisteredData>>([
    { checkpointer: { kind: "redis" } },
    { checkpointer: { kind: "postgres", retention_seconds: 60 } },
    { deliver: { url: "https://bot.example/", secret_ref: "bot" } },
  ])("by its owner changes it: %j", (change) => {
    const changed = { ...first, ...change, at };
    expect(decideRegister(changed, first)).toEqual({ ok: true, events: [changed] });
    expect(decideRegister({ ...first, at }, changed).ok).toBe(true);
  });
});
