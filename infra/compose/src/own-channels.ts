import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Channel, type ChannelOptions, type ChannelSetup, toldReason } from "@interlude/channel-kit";
import { ServiceFailure, within } from "@interlude/kernel";
import { z } from "zod";
import type { Variables } from "./config.ts";

/** A channel in a module of the operator's own. */
export type OwnChannel = Readonly<{
  name: string;
  /** A package's name, or a path; both as they are found from `from`. */
  module: string;
  from: string;
}>;

/** Variables of these are not a channel's of its own. */
const RESERVED = [
  ...["SLACK_", "TELEGRAM_", "TWILIO_", "SMS_", "WHATSAPP_"],
  ...["INTERLUDE_", "INTERACTIONS_", "NATS_", "DATABASE_", "REDIS_", "NODE_", "INBOX_"],
];
/** It is a token of the log's subjects and part of a path. */
const NAME = /^[a-z][a-z0-9_-]{0,31}$/;
const OPEN_WITHIN_MS = 10_000;

export function variablePrefix(name: string): string {
  return `${name.toUpperCase().replaceAll("-", "_")}_`;
}

/** `name=module` pairs, as `INTERLUDE_CHANNELS` has them. */
export const OwnChannels = z.string().transform((text, context): readonly OwnChannel[] => {
  const pairs = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const seen = new Set<string>();
  return pairs.flatMap((pair) => {
    const at = pair.indexOf("=");
    const name = pair.slice(0, Math.max(at, 0)).trim();
    const module = pair.slice(at + 1).trim();
    const fault = faultOf(name, module, seen);
    if (fault !== undefined) {
      context.addIssue({ code: "custom", message: `${JSON.stringify(pair)} ${fault}` });
      return [];
    }
    seen.add(variablePrefix(name));
    return [{ name, module, from: process.cwd() }];
  });
});

function faultOf(name: string, module: string, seen: ReadonlySet<string>): string | undefined {
  if (!NAME.test(name) || module === "") return "is not name=module, as pager=@acme/pager-channel is";
  const prefix = variablePrefix(name);
  if (seen.has(prefix)) return "has the name of another";
  // A module is given all that begins with its prefix, and another's secrets would be among it.
  const other = [...seen].find((each) => each.startsWith(prefix) || prefix.startsWith(each));
  if (other !== undefined) return `has a name whose variables (${prefix}…) meet another's (${other}…)`;
  const reserved = RESERVED.find((each) => prefix.startsWith(each));
  return reserved === undefined ? undefined : `has a name whose variables (${reserved}…) are not its own`;
}

/** Loads and opens it. Whatever is wrong with the module is told, and is nobody else's. */
export async function openOwnChannel(
  own: OwnChannel,
  variables: Variables,
  options: ChannelOptions,
): Promise<ChannelSetup<Channel>> {
  const prefix = variablePrefix(own.name);
  const given = Object.fromEntries(Object.entries(variables).filter(([name]) => name.startsWith(prefix)));
  const late = () =>
    new ServiceFailure("configuration_invalid", {
      retry: "never",
      message: `did not open within ${OPEN_WITHIN_MS / 1_000} s`,
    });
  try {
    const setup = await within(OPEN_WITHIN_MS, loadAndOpen(own, given, options), late);
    if (setup.state !== "set" || setup.config.name === own.name) return setup;
    return invalid(own, `is a channel named ${JSON.stringify(setup.config.name)}`);
  } catch (error) {
    const secrets = Object.values(given).filter((value) => value !== undefined);
    return invalid(own, toldReason(messageOf(error), secrets));
  }
}

function invalid({ module }: OwnChannel, fault: string): ChannelSetup<never> {
  return { state: "invalid", faults: [`module ${JSON.stringify(module)}: ${fault}`] };
}

/** A module that is not found is told of with everybody who looked for it, on further lines. */
function messageOf(error: unknown): string {
  if (error instanceof z.ZodError) return `is no channel: ${z.prettifyError(error)}`;
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}

const isFunction = (value: unknown): boolean => typeof value === "function";
const method = z.custom<never>(isFunction, { error: "is not a function" });
const Media = z.enum(["image", "document", "video", "audio", "link"]);

const OwnModule = z.object({ openChannel: method });
/** What of a channel is needed by name; that it does as it should is what the contract suites are for. */
const Opened = z.object({
  name: z.string(),
  capabilities: z.object({
    formDelivery: z.enum(["native", "page", "none"]),
    interactive: z.boolean(),
    replyContext: z.boolean(),
    media: z.array(Media),
    caps: z.record(z.string(), z.number()),
    idempotentSend: z.boolean(),
  }),
  ...{ check: method, checkNotification: method, address: method, render: method, renderEnd: method },
  ...{ renderNotice: method, renderNotification: method, send: method, verify: method, parse: method },
});
const Setup = z.discriminatedUnion("state", [
  z.object({ state: z.literal("unset") }),
  z.object({ state: z.literal("half_set"), missing: z.array(z.string()) }),
  z.object({ state: z.literal("invalid"), faults: z.array(z.string()) }),
  // The object itself is used: a copy would have lost its methods' ties.
  z.object({ state: z.literal("set"), config: z.custom<Channel>(() => true) }),
]);

async function loadAndOpen(
  own: OwnChannel,
  variables: Variables,
  options: ChannelOptions,
): Promise<ChannelSetup<Channel>> {
  const loaded: unknown = await import(locate(own));
  const { openChannel } = OwnModule.parse(loaded);
  const opened: unknown = await (openChannel as (...given: unknown[]) => unknown)(variables, options);
  const setup = Setup.parse(opened);
  if (setup.state === "set") Opened.parse(setup.config);
  return setup;
}

/** From the operator's folder and not from ours. */
function locate({ module, from }: OwnChannel): string {
  return pathToFileURL(createRequire(join(from, "package.json")).resolve(module)).href;
}
