import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { channelConfig, openChannels } from "./channels.ts";
import { OwnChannels } from "./own-channels.ts";

/** A channel in plain JavaScript, as somebody else's package would have it. */
const channelSource = (name: string): string => `
  const nothing = () => [];
  const capabilities = { formDelivery: "none", interactive: false, replyContext: true, media: [], caps: {}, idempotentSend: false };
  const methods = { check: nothing, checkNotification: nothing, render: nothing, renderEnd: nothing, renderNotice: nothing, renderNotification: nothing };
  export const openChannel = (variables, options) =>
    variables.PAGER_TOKEN === undefined
      ? { state: "unset" }
      : variables.PAGER_TOKEN === "half"
        ? { state: "half_set", missing: ["PAGER_URL"] }
        : { state: "set", config: { name: "${name}", capabilities, ...methods, given: { variables, options },
            address: (to) => to, send: nothing, verify: () => ({ ok: false }), parse: () => ({ inbound: [] }) } };`;

let from = "";
beforeAll(() => {
  from = mkdtempSync(join(tmpdir(), "own-channels-"));
  const packaged = join(from, "node_modules", "@acme", "pager");
  mkdirSync(packaged, { recursive: true });
  writeFileSync(
    join(packaged, "package.json"),
    JSON.stringify({ name: "@acme/pager", type: "module", exports: "./pager.js" }),
  );
  writeFileSync(join(packaged, "pager.js"), channelSource("pager"));
  const files = {
    "pager.mjs": channelSource("pager"),
    "other.mjs": channelSource("other"),
    "empty.mjs": "export const nothing = 1;",
    "throws.mjs":
      "export const openChannel = ({ PAGER_TOKEN }) => { throw new Error(`no ${PAGER_TOKEN}`); };",
    "breaks.mjs": "throw new TypeError('broken at once');",
    "half.mjs": "export const openChannel = () => ({ state: 'set', config: { name: 'pager' } });",
  };
  for (const [name, source] of Object.entries(files)) writeFileSync(join(from, name), source);
});
afterAll(() => {
  rmSync(from, { recursive: true, force: true });
});

async function open(module: string, token = "secret-token") {
  const environment = { PAGER_TOKEN: token, NATS_URL: "nats://x", TELEGRAM_BOT_TOKEN: "half" };
  const config = channelConfig(environment, [{ name: "pager", module, from }]);
  const opened = await openChannels(config, { language: "en", publicBaseUrl: "https://ask.example" });
  // The others are as they are.
  expect(opened.misconfigured.get("telegram")).toBe("TELEGRAM_WEBHOOK_SECRET not set");
  return { channel: opened.channels.get("pager"), fault: opened.misconfigured.get("pager") };
}

describe("a channel of one's own", () => {
  it.each(["@acme/pager", "./pager.mjs"])(
    "is loaded from %s, with its own variables alone",
    async (module) => {
      const { channel, fault } = await open(module);
      expect(fault).toBeUndefined();
      expect(channel).toMatchObject({
        name: "pager",
        given: {
          variables: { PAGER_TOKEN: "secret-token" },
          options: { language: "en", publicBaseUrl: "https://ask.example" },
        },
      });
    },
  );

  it.each([
    ["@acme/missing", "Cannot find module '@acme/missing'"],
    ["./other.mjs", 'is a channel named "other"'],
    ["./empty.mjs", "openChannel"],
    ["./throws.mjs", "no [secret]"],
    ["./breaks.mjs", "broken at once"],
    ["./half.mjs", "capabilities"],
  ])("in %s is told of with what is wrong, and the rest stands", async (module, fault) => {
    const opened = await open(module);
    expect(opened.channel).toBeUndefined();
    expect(opened.fault).toContain(`module "${module}"`);
    expect(opened.fault).toContain(fault);
    expect(opened.fault).not.toContain("secret-token");
  });

  it("that is half set, or not set at all though it was named, is told of by what is missing", async () => {
    expect((await open("./pager.mjs", "half")).fault).toBe("PAGER_URL not set");
    const config = channelConfig({}, [{ name: "pager", module: "./pager.mjs", from }]);
    const { misconfigured } = await openChannels(config, { language: "en" });
    expect(misconfigured.get("pager")).toBe("no variable of it (PAGER_…) is set");
  });
});

describe("the list of channels of one's own", () => {
  it("names each with its module", () => {
    expect(OwnChannels.parse(" pager=@acme/pager , desk-chat=./desk.ts,")).toEqual([
      expect.objectContaining({ name: "pager", module: "@acme/pager" }),
      expect.objectContaining({ name: "desk-chat", module: "./desk.ts" }),
    ]);
  });

  it.each([
    ["@acme/pager", "is not name=module"],
    ["pager=", "is not name=module"],
    ["Pager=./x.ts", "is not name=module"],
    ["a=./x.ts,a=./y.ts", "has the name of another"],
    ["a-b=./x.ts,a_b=./y.ts", "has the name of another"],
    ["pager=./x.ts,pager-eu=./y.ts", "meet another's (PAGER_…)"],
    ["pager-eu=./x.ts,pager=./y.ts", "meet another's (PAGER_EU_…)"],
    ["slack=./x.ts", "SLACK_"],
    ["interlude=./x.ts", "INTERLUDE_"],
    ["twilio=./x.ts", "TWILIO_"],
    ["inbox=./x.ts", "INBOX_"],
  ])("is refused at the start: %s", (text, fault) => {
    const parsed = OwnChannels.safeParse(text);
    expect(parsed.error?.issues.map(({ message }) => message).join()).toContain(fault);
  });
});
