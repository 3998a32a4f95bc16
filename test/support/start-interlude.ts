import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig, startDev } from "@interlude/compose";
import type { Role } from "@interlude/domain";
import { generateKeyring } from "@interlude/secrets";
import { sha256Hex } from "@interlude/service-kit";
import { createDatabase, type OwnServer, startOwnNats, temporaryHome } from "@interlude/testing";
import { inject } from "vitest";

/** Who a test may be; each has an API key of its own, beside the all-roles `apiKey`. */
const PEOPLE = {
  asker: { subject: "ann", roles: ["asker"], groups: ["sales"] },
  otherAsker: { subject: "alan", roles: ["asker"], groups: [] },
  answerer: { subject: "bob", roles: ["answerer"], groups: [] },
  groupAnswerer: { subject: "carol", roles: ["answerer"], groups: ["finance"] },
  operator: { subject: "olga", roles: ["operator"], groups: [] },
} as const satisfies Record<string, { subject: string; roles: readonly Role[]; groups: readonly string[] }>;

export type Person = keyof typeof PEOPLE;

export type InterludeOptions = {
  /** Settings by their names in snake case. */
  settings?: Readonly<Record<string, string | number>>;
  /** Further environment variables, over those of the launcher. */
  env?: Readonly<Record<string, string>>;
  /** What `secret_ref` may name. */
  secrets?: Readonly<Record<string, string>>;
  /** A log's server of the caller's own, which `stop` stops too. */
  nats?: OwnServer;
  /** Starts one more process on the servers and keys of another. */
  beside?: Interlude;
};

/** The composed process on a nats-server and a database of the test's own. */
export type Interlude = {
  url: string;
  /** The all-roles key; its subject is `dev`. */
  apiKey: string;
  keys: Readonly<Record<Person, string>>;
  nats: OwnServer;
  databaseUrl: string;
  /** Who has which key, as `INTERLUDE_API_KEYS_FILE` says it. */
  apiKeysFile: string;
  /** Environment that a second process needs to be the same deployment. */
  shared: Readonly<Record<string, string>>;
  /** Replaces what `secret_ref` may name; counted within about a second. */
  writeSecrets(secrets: Readonly<Record<string, string>>): void;
  /** Stops the process and leaves its servers to others, until `stop`. */
  detach(): Promise<void>;
  stop(): Promise<void>;
};

export async function startInterlude(options: InterludeOptions = {}): Promise<Interlude> {
  const { beside } = options;
  const home = temporaryHome("journey");
  const nats = beside?.nats ?? options.nats ?? (await startOwnNats());
  const database =
    beside === undefined
      ? await createDatabase(inject("postgresUrl"))
      : { url: beside.databaseUrl, drop: () => Promise.resolve() };
  const shared = beside?.shared ?? newKeyrings();
  const keys = beside?.keys ?? newKeys();
  const secretsFile = join(home, "secrets.json");
  const writeSecrets = (secrets: Readonly<Record<string, string>>) => {
    writeFileSync(secretsFile, JSON.stringify(secrets));
  };
  writeSecrets(options.secrets ?? {});
  const apiKeysFile = keyFile(home, keys);
  const environment = {
    PORT: "0",
    INTERLUDE_HOME: home,
    INTERLUDE_DEMO: "0",
    INTERLUDE_LOG_LEVEL: "silent",
    INTERLUDE_API_KEYS_FILE: apiKeysFile,
    INTERLUDE_SECRETS_FILE: secretsFile,
    NATS_URL: nats.url,
    DATABASE_URL: database.url,
    ...shared,
    ...settingVariables(options.settings ?? {}),
    ...options.env,
  };
  const dev = await startDev(
    readConfig(environment, () => ({})),
    process.env,
    () => undefined,
  );
  let stopped: Promise<void> | undefined;
  return {
    url: dev.url,
    apiKey: dev.apiKey,
    keys,
    nats,
    databaseUrl: database.url,
    apiKeysFile,
    shared,
    writeSecrets,
    detach: () => (stopped ??= dev.stop()),
    async stop() {
      await (stopped ??= dev.stop());
      if (beside === undefined) await nats.stop();
      await database.drop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function newKeyrings(): Record<string, string> {
  return {
    INTERLUDE_TICKET_KEYS: generateKeyring(),
    INTERLUDE_DATA_KEYS: generateKeyring(),
    INTERLUDE_SESSION_KEYS: generateKeyring(),
    INTERLUDE_DEV_KEY: `il_dev_${randomBytes(24).toString("base64url")}`,
  };
}

function newKeys(): Record<Person, string> {
  const key = () => `il_${randomBytes(24).toString("base64url")}`;
  return {
    asker: key(),
    otherAsker: key(),
    answerer: key(),
    groupAnswerer: key(),
    operator: key(),
  };
}

function keyFile(home: string, keys: Readonly<Record<Person, string>>): string {
  const path = join(home, "api-keys.json");
  const entries = Object.entries(PEOPLE).map(([person, rest]) => ({
    id: person,
    sha256: sha256Hex(Object.entries(keys).find(([name]) => name === person)?.[1] ?? ""),
    ...rest,
  }));
  writeFileSync(path, JSON.stringify(entries), { mode: 0o600 });
  return path;
}

function settingVariables(settings: Readonly<Record<string, string | number>>): Record<string, string> {
  const named = Object.entries(settings).map(([name, value]): [string, string] => [
    `INTERLUDE_${name.toUpperCase()}`,
    String(value),
  ]);
  return Object.fromEntries(named);
}
