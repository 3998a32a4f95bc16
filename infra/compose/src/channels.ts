import type { Channel, ChannelSetup } from "@interlude/channel-kit";
import type { Variables } from "./config.ts";

export type Channels = Readonly<{
  /** Those that are configured as a whole, by name. */
  channels: ReadonlyMap<string, Channel>;
  /** Those that are not, with what is wrong: each is named at start and refuses its own questions. */
  misconfigured: ReadonlyMap<string, string>;
}>;

/** `publicBaseUrl`: where providers deliver; without one, nothing is asked over a channel. */
type Options = { language: string; publicBaseUrl?: string | undefined };
type Opened = ChannelSetup<Channel>;
type Module = { name: string; prefixes: readonly string[]; open: Open };
type Open = (variables: Variables, options: Options) => Promise<Opened>;

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

/** What of the environment the channels are configured by. */
export function channelVariables(environment: Variables): Variables {
  const prefixes = MODULES.flatMap((module) => module.prefixes);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => startsWithAny(name, prefixes)));
}

function startsWithAny(name: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => name.startsWith(prefix));
}

export async function openChannels(variables: Variables, options: Options): Promise<Channels> {
  const channels = new Map<string, Channel>();
  const misconfigured = new Map<string, string>();
  for (const { name, prefixes, open } of MODULES) {
    const isNamed = Object.entries(variables).some(
      ([variable, value]) => value !== undefined && value !== "" && startsWithAny(variable, prefixes),
    );
    if (!isNamed) continue;
    const setup = await open(variables, options);
    if (setup.state === "set") channels.set(name, setup.config);
    if (setup.state === "half_set") misconfigured.set(name, `${setup.missing.join(", ")} not set`);
    if (setup.state === "invalid") misconfigured.set(name, setup.faults.join("; "));
  }
  return { channels, misconfigured };
}
