import type { Channel, ChannelOptions, ChannelSetup } from "@interlude/channel-kit";
import type { Variables } from "./config.ts";
import { openOwnChannel, type OwnChannel, variablePrefix } from "./own-channels.ts";

export type Channels = Readonly<{
  /** Those that are configured as a whole, by name. */
  channels: ReadonlyMap<string, Channel>;
  /** Those that are not, with what is wrong: each is named at start and refuses its own questions. */
  misconfigured: ReadonlyMap<string, string>;
}>;

type Opened = ChannelSetup<Channel>;
type Module = { name: string; prefixes: readonly string[]; open: Open };
type Open = (variables: Variables, options: ChannelOptions) => Promise<Opened>;

function opened<Config>(setup: ChannelSetup<Config>, create: (config: Config) => Channel): Opened {
  return setup.state === "set" ? { state: "set", config: create(setup.config) } : setup;
}

/** A channel's code is loaded where a variable of it is set, and nowhere else. */
const MODULES: readonly Module[] = [
  {
    name: "slack",
    prefixes: ["SLACK_"],
    open: async (variables, options) => {
      const slack = await import("@interlude/channel-slack");
      return opened(slack.readSlackConfig(variables), (config) => slack.createSlackChannel(config, options));
    },
  },
  {
    name: "telegram",
    prefixes: ["TELEGRAM_"],
    open: async (variables, options) => {
      const telegram = await import("@interlude/channel-telegram");
      return opened(telegram.readTelegramConfig(variables), (config) =>
        telegram.createTelegramChannel(config, options),
      );
    },
  },
  {
    name: "sms",
    prefixes: ["TWILIO_", "SMS_"],
    open: async (variables, options) => {
      const sms = await import("@interlude/channel-sms");
      return opened(sms.readSmsConfig(variables), (config) => sms.createSmsChannel(config, options));
    },
  },
  {
    name: "whatsapp",
    prefixes: ["WHATSAPP_"],
    open: async (variables, options) => {
      const whatsapp = await import("@interlude/channel-whatsapp");
      return opened(whatsapp.readWhatsAppConfig(variables), (config) =>
        whatsapp.createWhatsAppChannel(config, options),
      );
    },
  },
];

/** What channels are made of: the ones in modules of one's own, and what all are configured by. */
export type ChannelConfig = Readonly<{ own: readonly OwnChannel[]; variables: Variables }>;

export function channelConfig(environment: Variables, own: readonly OwnChannel[]): ChannelConfig {
  return { own, variables: channelVariables(environment, own) };
}

function channelVariables(environment: Variables, own: readonly OwnChannel[]): Variables {
  const prefixes = [
    ...MODULES.flatMap((module) => module.prefixes),
    ...own.map(({ name }) => variablePrefix(name)),
  ];
  return Object.fromEntries(Object.entries(environment).filter(([name]) => startsWithAny(name, prefixes)));
}

function startsWithAny(name: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => name.startsWith(prefix));
}

export async function openChannels(
  { own, variables }: ChannelConfig,
  options: ChannelOptions,
): Promise<Channels> {
  const channels = new Map<string, Channel>();
  const misconfigured = new Map<string, string>();
  const add = (name: string, setup: Opened): void => {
    if (setup.state === "set") channels.set(name, setup.config);
    if (setup.state === "half_set") misconfigured.set(name, `${setup.missing.join(", ")} not set`);
    if (setup.state === "invalid") misconfigured.set(name, setup.faults.join("; "));
  };
  for (const { name, prefixes, open } of MODULES) {
    const isNamed = Object.entries(variables).some(
      ([variable, value]) => value !== undefined && value !== "" && startsWithAny(variable, prefixes),
    );
    if (!isNamed) continue;
    add(name, await open(variables, options));
  }
  for (const each of own) {
    const setup = await openOwnChannel(each, variables, options);
    // It was asked for by name: that nothing of it is set is a fault.
    if (setup.state === "unset") {
      misconfigured.set(each.name, `no variable of it (${variablePrefix(each.name)}…) is set`);
    } else add(each.name, setup);
  }
  return { channels, misconfigured };
}
