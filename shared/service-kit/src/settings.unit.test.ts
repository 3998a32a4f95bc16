import { describe, expect, it } from "vitest";
import { readSettings } from "./settings.ts";

describe("settings", () => {
  it("have the contract's defaults", () => {
    expect(readSettings({}, {})).toMatchObject({
      answer_timeout_seconds: 3_600,
      max_concurrent: 1_000,
      max_streams: 20,
      max_waits: 1_000,
      max_parked: 1_000_000,
      max_queued: 20,
      delivery_attempts: 3,
      delivery_backoff_seconds: 1,
      retention_days: 90,
      inbound_retention_days: 30,
      sse_keepalive_seconds: 15,
      sse_resume_window: 100_000,
      remembered_questions_mb: 32,
      callback_rate_per_minute: 60,
      resume_lease_seconds: 60,
      resume_attempts: 10,
      remote_media: "load",
      page_language: "en",
    });
  });

  it("come from the file, and the environment wins over it", () => {
    const settings = readSettings(
      { max_streams: 5, max_waits: 6 },
      { INTERLUDE_MAX_STREAMS: "7", INTERLUDE_MAX_WAITS: "" },
    );
    expect(settings).toMatchObject({ max_streams: 7, max_waits: 6 });
  });

  it.each([
    [{ max_strems: 5 }, {}],
    [{}, { INTERLUDE_MAX_STREAMS: "many" }],
    [{}, { INTERLUDE_REMOTE_MEDIA: "perhaps" }],
    [{ sse_keepalive_seconds: 16 }, {}],
  ])("that are wrong are refused: %j %j", (file, environment) => {
    expect(() => readSettings(file, environment)).toThrow();
  });
});
