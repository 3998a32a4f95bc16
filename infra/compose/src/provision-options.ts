import { openChannels } from "./channels.ts";
import type { Config } from "./config.ts";
import type { ProvisionOptions } from "./provision.ts";

/** What is to be there for what is configured: the durables of each channel among it. */
export async function provisionOptions(
  config: Config,
  urls: { natsUrl: string; databaseUrl: string },
): Promise<ProvisionOptions> {
  const { settings } = config;
  const { channels } = await openChannels(config.channels, { language: settings.page_language });
  return {
    ...urls,
    maxBytes: config.logMaxBytes,
    replicas: config.logReplicas,
    home: config.home,
    inboundRetentionDays: settings.inbound_retention_days,
    channels: [...channels.keys()],
  };
}
