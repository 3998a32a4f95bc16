import { createLogger } from "@interlude/service-kit";
import { ServiceFailure } from "@interlude/kernel";
import { compose, type Composition, type ServiceName } from "./compose.ts";
import type { Config } from "./config.ts";
import { readKeyrings } from "./keyrings.ts";
import { openOperatorFiles } from "./operator-files.ts";
import { pageDirectory } from "./page-directory.ts";
import { productVersion } from "./version.ts";

/** Given servers, no dev key, no demo: every service in one process, or the named ones alone. */
export async function startServices(
  config: Config,
  services: readonly ServiceName[],
  channel?: string,
): Promise<Composition> {
  const logger = createLogger({
    service: services.length === 1 ? (services[0] ?? "") : "serve",
    level: config.logLevel,
  });
  // An all-roles key of a machine's own is for `dev`; one that was left in the environment opens nothing here.
  if (config.devKey !== undefined) logger.warn("INTERLUDE_DEV_KEY counts in dev only, and is ignored here");
  const files = openOperatorFiles(config, undefined, logger);
  const composition = await compose({
    config,
    services,
    channel,
    natsUrl: needed(config.natsUrl, "NATS_URL"),
    databaseUrl: needed(config.databaseUrl, "DATABASE_URL"),
    keyrings: readKeyrings(config),
    files,
    logger,
    version: productVersion(),
    pageDirectory: pageDirectory(),
    publicBaseUrl: () => config.publicBaseUrl,
    port: config.port,
  });
  logger.info("ready", { port: composition.port, services });
  return {
    ...composition,
    async stop() {
      await composition.stop();
      files.stop();
    },
  };
}

export function needed(value: string | undefined, name: string): string {
  if (value !== undefined) return value;
  throw new ServiceFailure("configuration_invalid", { retry: "never", message: `${name} is needed` });
}
