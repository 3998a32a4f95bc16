import { type Ask, type DriverRegisteredData, formatInstant, parseAsk } from "@interlude/contract";
import { describe, expect, it } from "vitest";
import { checkAskSurroundings, type Surroundings } from "./check-ask.ts";

const NOW_MS = Date.parse("2026-05-01T12:00:00.000Z");
const DAY_MS = 86_400_000;

function ask(fields: object = {}): Ask {
  const body = { question: "Go?", mode: "async", run: { driver: "crew", run_id: "r" }, ...fields };
  const parsed = parseAsk(body, { publicBaseUrl: undefined, isReservation: () => false });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.value;
}

function driver(retention_seconds?: number): DriverRegisteredData {
  const checkpointer = {
    kind: "postgres" as const,
    ...(retention_seconds === undefined ? {} : { retention_seconds }),
  };
  return { driver: "crew", owner: "ann", checkpointer, at: formatInstant(0) };
}

function faults(deadlineMs: number, around: Partial<Surroundings>) {
  return checkAskSurroundings(ask({ expiry_at: formatInstant(deadlineMs) }), {
    ...{ id: "q-12345678", nowMs: NOW_MS, deadlineMs, publicBaseUrl: undefined },
    ...{ hasSecret: () => false, channelFaults: [], driver: driver(), ...around },
  });
}

describe("an async question", () => {
  it("needs a driver that its asker has registered", () => {
    expect(faults(NOW_MS + DAY_MS, {})).toEqual([]);
    const [fault, ...others] = faults(NOW_MS + DAY_MS, { driver: undefined });
    expect([fault?.path, others]).toEqual(["/run/driver", []]);
    expect(fault?.message).toContain('"crew"');
  });

  it("of a driver that keeps runs for good may end in a hundred years", () => {
    expect(faults(NOW_MS + 100 * 365 * DAY_MS, {})).toEqual([]);
  });

  it("may end as late as the run is kept, and not a millisecond later", () => {
    expect(faults(NOW_MS + DAY_MS, { driver: driver(86_400) })).toEqual([]);
    expect(faults(NOW_MS + DAY_MS + 1, { driver: driver(86_400) })).toEqual([
      {
        path: "/expiry_at",
        message:
          'expiry_at 2026-05-02T12:00:00.001Z of interaction q-12345678 lies beyond 2026-05-02T12:00:00.000Z, until when the checkpointer of driver "crew" keeps the run',
      },
    ]);
  });

  it("is held to no retention that is longer than time can be told", () => {
    expect(faults(NOW_MS + DAY_MS, { driver: driver(1e300) })).toEqual([]);
  });

  it("is told both that its end is past and that it has no driver", () => {
    const paths = faults(NOW_MS, { driver: undefined }).map(({ path }) => path);
    expect(paths).toEqual(["/expiry_at", "/run/driver"]);
  });
});

describe("what leads back here from outside", () => {
  const external = { answer_format: "external", link: "https://sign.example/?back={callback_url}" };
  const chat = { channel: "telegram", recipient: "1001" };

  it.each([
    ["an external question", external, "/answer_format"],
    ["a question over a channel", chat, "/channel"],
    ["an external one over a channel", { ...external, ...chat }, "/answer_format"],
  ])("%s needs a public address, and says how it is set", (_what, fields, path) => {
    const deadlineMs = NOW_MS + DAY_MS;
    const asked = ask({ ...fields, expiry_at: formatInstant(deadlineMs) });
    const found = (publicBaseUrl: string | undefined) =>
      checkAskSurroundings(asked, {
        ...{ id: "q-12345678", nowMs: NOW_MS, deadlineMs, publicBaseUrl },
        ...{ hasSecret: () => false, channelFaults: [], driver: driver() },
      });
    expect(found("https://ask.example.com")).toEqual([]);
    expect(found(undefined)).toEqual([
      { path, message: expect.stringContaining("INTERACTIONS_PUBLIC_BASE_URL") as string },
    ]);
  });
});
