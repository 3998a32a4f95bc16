import { ServiceFailure } from "@interlude/kernel";
import { describe, expect, it, vi } from "vitest";
import { runUntilEnded } from "./run-until-ended.ts";

const never = new Promise<never>(() => undefined);
const stopping = { withinMs: 60_000, cut: () => undefined };
const failure = new ServiceFailure("log_unavailable", { retry: "never", message: "closed for good" });

describe("a running process", () => {
  it("goes on until a signal, and then stops", async () => {
    const stop = vi.fn(() => Promise.resolve());
    const signal = { send: (): void => undefined };
    const signalled = new Promise<void>((resolve) => {
      signal.send = resolve;
    });
    const ended = runUntilEnded({ closed: never, stop }, signalled, stopping);
    expect(stop).not.toHaveBeenCalled();
    signal.send();
    await ended;
    expect(stop).toHaveBeenCalledTimes(1);
  });

  it("does not live on when its connection has closed for good: it stops, and says why", async () => {
    const stop = vi.fn(() => Promise.resolve());
    const ended = runUntilEnded({ closed: Promise.resolve(failure), stop }, never, stopping);
    await expect(ended).rejects.toBe(failure);
    expect(stop).toHaveBeenCalledTimes(1);
  });

  it("says why it ended even where a part of it cannot be stopped", async () => {
    const stop = () => Promise.reject(new Error("no connection"));
    await expect(runUntilEnded({ closed: Promise.resolve(failure), stop }, never, stopping)).rejects.toBe(
      failure,
    );
  });

  it("is cut when its stop takes too long", async () => {
    const cut = vi.fn();
    void runUntilEnded({ closed: never, stop: () => never }, Promise.resolve(), { withinMs: 1, cut });
    await vi.waitFor(() => {
      expect(cut).toHaveBeenCalledTimes(1);
    });
  });
});
