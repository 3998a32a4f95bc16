import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { findAddress } from "./connection.ts";
import { EXIT, run, type Surroundings } from "./index.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cli-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

type Ran = { code: number; out: string; err: string };

async function cli(args: string[], env: Record<string, string> = {}): Promise<Ran> {
  const ran = { out: "", err: "" };
  const around: Surroundings = {
    env,
    cwd: folder,
    columns: undefined,
    writeOut: (text) => {
      ran.out += text;
    },
    writeError: (text) => {
      ran.err += text;
    },
    readInput: () => Promise.resolve(""),
    interruption: () => new AbortController().signal,
  };
  return { code: await run(args, around), ...ran };
}

const EVIL = "\u001b]0;owned\u0007Pay\u202e?\r+ q-2  text";

/** Answers everything with one item, whose texts want to drive a terminal. */
async function withServer<T>(act: (url: string) => Promise<T>): Promise<T> {
  const item = {
    interaction_id: "q-1",
    group_id: "g",
    asker: EVIL,
    question: EVIL,
    answer_format: "select",
    format_payload: { options: [EVIL, { value: "b", label: EVIL }] },
    status: "pending",
    mode: "sync",
    created_at: "2030-01-01T00:00:00.000Z",
    timeout_at: "2030-01-01T01:00:00.000Z",
    sensitive: false,
    server_verified: false,
    metadata: { someKey: "v" },
    sequence: 1,
  };
  const server = createServer((request, response) => {
    const isList = request.url?.startsWith("/api/interactions?") === true;
    response.setHeader("content-type", "application/json");
    if (request.headers.authorization !== "Bearer key-1") {
      response.statusCode = 401;
      response.end(JSON.stringify({ code: "unauthenticated", detail: EVIL, status: 401 }));
    } else
      response.end(
        JSON.stringify(isList ? { items: [item], total: 1, truncated: false, next_cursor: null } : item),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await act(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe("the command line", () => {
  it.each([
    [["asc"]],
    [["ask"]],
    [["list", "--nonsense"]],
    [["list"]],
    [["ask", "?", "--format", "poem", "--url", "http://127.0.0.1:1", "--key", "k"]],
    [["ask", "?", "--timeout", "soon", "--url", "http://127.0.0.1:1", "--key", "k"]],
    [["ask", "?", "--format", "form", "--url", "http://127.0.0.1:1", "--key", "k"]],
    [["list", "--url", "nowhere", "--key", "k", "--retry-seconds", "x"]],
    [["keys", "create", "--subject", "bot", "--roles", "king", "--file", "k.json"]],
    [["keys", "list"]],
    [["runs", "list", "--state", "over", "--url", "http://127.0.0.1:1", "--key", "k"]],
    [["runs", "list", "--limit", "0", "--url", "http://127.0.0.1:1", "--key", "k"]],
    [["runs", "show", "bot"]],
    [["runs", "forget"]],
    [["channels", "test"]],
    [["channels", "mend"]],
  ])("%j is wrong usage", async (args) => {
    expect((await cli(args)).code).toBe(EXIT.usage);
  });

  it("helps, and says what its exit codes mean", async () => {
    const { code, out } = await cli(["--help"]);
    expect(code).toBe(EXIT.ok);
    expect(out).toContain("3 expired");
  });

  it("says that the server is out of reach, with a code of its own and without the key", async () => {
    const ran = await cli(["list", "--url", "http://127.0.0.1:1", "--key", "secret", "--retry-seconds", "0"]);
    expect(ran.code).toBe(EXIT.unreachable);
    expect(ran.err).toContain("cannot be reached");
    expect(ran.err + ran.out).not.toContain("secret");
  });

  it("shows a question that wants to drive the terminal as what it is", async () => {
    const shown = await withServer(async (url) => {
      const env = { INTERLUDE_URL: url, INTERLUDE_API_KEY: "key-1" };
      const refused = await cli(["list"], { ...env, INTERLUDE_API_KEY: "other" });
      expect(refused.code).toBe(EXIT.refused);
      return [refused.err, (await cli(["list"], env)).out, (await cli(["show", "q-1"], env)).out];
    });
    for (const text of shown) {
      // eslint-disable-next-line no-control-regex -- the very characters that must not come through
      expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      expect(text).toContain("Pay?");
    }
    const [, list = "", item = ""] = shown;
    expect(list.trimEnd().split("\n")).toHaveLength(1);
    expect(item.split("\n").filter((line) => line.startsWith("+"))).toEqual([]);
  });

  it("prints one JSON document, with the API's names and other people's untouched", async () => {
    const Document = z.object({
      items: z.array(z.object({ interaction_id: z.string(), metadata: z.unknown(), question: z.string() })),
    });
    const [ran, failed] = await withServer(async (url) => [
      await cli(["--json", "list", "--url", url, "--key", "key-1"]),
      await cli(["list", "--json", "--url", url, "--key", "other"]),
    ]);
    const [item] = Document.parse(JSON.parse(ran.out)).items;
    expect(item).toMatchObject({ interaction_id: "q-1", metadata: { someKey: "v" }, question: EVIL });
    expect(ran.out).not.toContain("\u202e");
    expect(JSON.parse(failed.out)).toMatchObject({ error: { code: "unauthenticated", status: 401 } });
    expect(failed.err).toBe("");
  });

  it("makes a key, lists it without its digest, and revokes it", async () => {
    const env = { INTERLUDE_API_KEYS_FILE: "keys.json" };
    const made = await cli(
      ["keys", "create", "--subject", "bot", "--roles", "asker, answerer", "--groups", "ops"],
      env,
    );
    expect(made.code).toBe(EXIT.ok);
    expect(made.out).toMatch(/^il_[\w-]{43}\n$/);
    const listed = await cli(["keys", "list", "--json"], env);
    const Listed = z.object({ items: z.array(z.record(z.string(), z.unknown())) });
    const [entry = {}] = Listed.parse(JSON.parse(listed.out)).items;
    expect(entry).toEqual({ id: entry["id"], subject: "bot", roles: ["asker", "answerer"], groups: ["ops"] });
    expect((await cli(["keys", "revoke", String(entry["id"])], env)).code).toBe(EXIT.ok);
    expect((await cli(["keys", "revoke", String(entry["id"])], env)).code).toBe(EXIT.refused);
    expect((await cli(["keys", "list"], env)).out).toBe("");
  });
});

describe("the server's address", () => {
  const dev = { url: "http://127.0.0.1:9", api_key: "dev-key", pid: 1 };

  function writeDev(home: string): void {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "dev.json"), JSON.stringify(dev));
  }

  it("is a running development server's, from any folder of the project", () => {
    writeDev(join(folder, ".interlude"));
    mkdirSync(join(folder, "a/b"), { recursive: true });
    expect(findAddress({}, { env: {}, cwd: join(folder, "a/b") })).toEqual({
      url: dev.url,
      apiKey: "dev-key",
    });
    writeDev(join(folder, "elsewhere"));
    const address = findAddress({}, { env: { INTERLUDE_HOME: "elsewhere" }, cwd: folder });
    expect(address.apiKey).toBe("dev-key");
  });

  it("is what was named, flags first", () => {
    const env = { INTERLUDE_URL: "http://env", INTERLUDE_API_KEY: "env-key" };
    expect(findAddress({ url: "http://flag" }, { env, cwd: folder })).toEqual({
      url: "http://flag",
      apiKey: "env-key",
    });
    expect(findAddress({ key: "flag-key" }, { env, cwd: folder })).toEqual({
      url: "http://env",
      apiKey: "flag-key",
    });
  });

  it("never gets a development key that is another's", () => {
    writeDev(join(folder, ".interlude"));
    expect(() => findAddress({ url: "https://elsewhere.example" }, { env: {}, cwd: folder })).toThrow(
      /--key/,
    );
    expect(findAddress({ url: `${dev.url}/` }, { env: {}, cwd: folder }).apiKey).toBe("dev-key");
  });
});
