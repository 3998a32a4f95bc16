import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { FAILURE_CODES, ServiceFailure, settle } from "./failure.ts";

describe("failures", () => {
  it("are documented, each and no other", () => {
    const page = readFileSync(new URL("../../../docs/errors.md", import.meta.url), "utf8");
    const documented = [...page.matchAll(/^\| `([a-z_]+)` *\|/gm)].map((match) => match[1]);
    expect(documented).toEqual([...FAILURE_CODES]);
  });

  it("that are never to be retried end a delivery; everything else asks for another", () => {
    const message = { nak: vi.fn(), term: vi.fn() };
    settle(message, new ServiceFailure("event_unreadable", { retry: "never" }));
    expect(message.term).toHaveBeenCalledWith("event_unreadable");
    settle(message, new ServiceFailure("log_unavailable", { retry: "later" }));
    settle(message, new Error("a defect"));
    expect(message.nak).toHaveBeenCalledTimes(2);
  });
});
