import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Client, connect, type Item, type Json } from "@interlude/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Interlude, startInterlude } from "../support/start-interlude.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

let interlude: Interlude;
let person: Client;
let folder: string;
let answering: Promise<void>;
const stop = new AbortController();

function blocks(readme: string, language: string): string {
  const text = readFileSync(join(ROOT, readme), "utf8");
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))]
    .map(([, code = ""]) => code)
    .join("\n");
}

function anAnswer(item: Item): Json {
  switch (item.answerFormat) {
    case "confirm":
      return true;
    case "select":
      return item.formatPayload.options?.[0] === "canary" ? "canary" : "s";
    case "form":
      return { city: "Graz", nights: 3 };
    case "text":
    case "external":
      return "Edelweiss";
  }
}

/** Somebody who answers everything at once, but what the page says that nobody does. */
async function answerAll(): Promise<void> {
  for await (const frame of person.stream({ signal: stop.signal })) {
    if (frame.type !== "add" || /nobody|Anybody|Size/.test(frame.item.question)) continue;
    const { interactionId, answerFormat, formatPayload } = frame.item;
    if (answerFormat !== "external") await person.answer(interactionId, anAnswer(frame.item));
    else {
      const callback = new URL(formatPayload.url ?? "").searchParams.get("back") ?? "";
      await fetch(callback, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"signed":true}',
      });
    }
  }
}

beforeAll(async () => {
  interlude = await startInterlude();
  person = connect({ url: interlude.url, apiKey: interlude.apiKey });
  folder = mkdtempSync(join(tmpdir(), "readme-"));
  answering = answerAll();
});

afterAll(async () => {
  stop.abort();
  await answering;
  await person.close();
  await interlude.stop();
  rmSync(folder, { recursive: true, force: true });
});

function environment(): Record<string, string | undefined> {
  return {
    PATH: `${folder}:${process.env["PATH"] ?? ""}`,
    INTERLUDE_URL: interlude.url,
    INTERLUDE_API_KEY: interlude.apiKey,
  };
}

describe("what the pages show", { timeout: 120_000 }, () => {
  it("runs as a program: the SDK's page", async () => {
    // Where the packages that the page imports are found, and no commit would take it along.
    const file = join(ROOT, "test/node_modules", `.readme-${process.pid}.mts`);
    writeFileSync(file, blocks("clients/sdk/README.md", "ts"));
    try {
      const { stdout } = await run(process.execPath, ["--import", "tsx", file], {
        cwd: join(ROOT, "test"),
        env: environment(),
        timeout: 110_000,
      });
      expect(stdout).toContain("Edelweiss true canary");
      expect(stdout).toContain("Graz 3 false");
      expect(stdout).toContain("nobody answered");
      expect(stdout).toContain("parked until ");
      expect(stdout.trimEnd()).toMatch(/dev$/);
    } finally {
      rmSync(file);
    }
  });

  it("runs in a shell: the command line's page", async () => {
    const bin = join(folder, "interlude");
    writeFileSync(
      bin,
      `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, "clients/cli/bin/interlude.mjs")}" "$@"\n`,
    );
    chmodSync(bin, 0o755);
    const script = `set -eu\n${blocks("clients/cli/README.md", "sh")}`;
    const { stdout } = await run("bash", ["-c", script], {
      cwd: folder,
      env: environment(),
      timeout: 110_000,
    });
    for (const text of [
      "Edelweiss\n",
      "\ntrue\n",
      "\ncanary\n",
      '"nights": 3',
      '"answer":"Edelweiss"',
      "answered by dev",
      "\nm\n",
      "going on",
      "\nil_",
    ]) {
      expect(stdout).toContain(text);
    }
  });
});
