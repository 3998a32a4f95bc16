import { resolve } from "node:path";
import type { OidcSettings } from "@interlude/oidc";
import { readSettings, type Settings } from "@interlude/service-kit";
import { z } from "zod";
import { channelConfig, type ChannelConfig } from "./channels.ts";
import { OwnChannels } from "./own-channels.ts";
import { OIDC_VARIABLES, oidcFaults, oidcSettings } from "./oidc-variables.ts";

const CommaList = z.string().transform((text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);

const PublicBaseUrl = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLoopback = url !== undefined && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  const isOrigin =
    url !== undefined && url.pathname === "/" && url.search === "" && url.hash === "" && url.username === "";
  const isAllowed = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback);
  if (url !== undefined && isOrigin && isAllowed) return url.origin;
  context.addIssue({
    code: "custom",
    message: "must be an https origin (http for localhost, 127.0.0.1 and [::1] only)",
  });
  return z.NEVER;
});

const Origins = CommaList.transform((texts, context) =>
  texts.map((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
    // A trailing slash says nothing more; anything else would, and be ignored. Patterns are not matched.
    const isExact = isWeb && !text.includes("*");
    if (isExact && [url.origin, `${url.origin}/`].includes(text)) return url.origin;
    context.addIssue({
      code: "custom",
      message: `${JSON.stringify(text)} is not an origin, as https://runs.example.com is`,
    });
    return text;
  }),
);

const given = z.string().min(1).optional();

const Given = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(8_787),
  HOST: z.string().min(1).default("127.0.0.1"),
  INTERLUDE_HOME: z.string().min(1).default(".interlude"),
  INTERLUDE_DEMO: z.enum(["0", "1"]).default("1"),
  INTERLUDE_DEV_KEY: given,
  INTERLUDE_API_KEYS_FILE: given,
  INTERLUDE_DENY_FILE: given,
  INTERLUDE_SECRETS_FILE: given,
  INTERLUDE_DOORS_FILE: given,
  INTERLUDE_ROUTES_FILE: given,
  INTERLUDE_SETTINGS_FILE: given,
  INTERLUDE_TICKET_KEYS: given,
  INTERLUDE_DATA_KEYS: given,
  INTERLUDE_SESSION_KEYS: given,
  INTERLUDE_TRUSTED_PROXIES: CommaList.default([]),
  INTERLUDE_CORS_ORIGINS: CommaList.default([]),
  INTERLUDE_CONTINUATION_URLS: Origins.default([]),
  INTERLUDE_CHANNELS: OwnChannels.default([]),
  INTERLUDE_METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  INTERLUDE_LOG_MAX_BYTES: z.coerce.number().int().min(1_048_576).optional(),
  INTERLUDE_LOG_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
  INTERLUDE_LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  INTERACTIONS_PUBLIC_BASE_URL: PublicBaseUrl.optional(),
  ...OIDC_VARIABLES,
  NATS_URL: given,
  DATABASE_URL: given,
});

const Environment = Given.superRefine((variables, context) => {
  for (const fault of oidcFaults(variables)) context.addIssue({ code: "custom", ...fault });
});

export type Config = Readonly<{
  port: number;
  host: string;
  home: string;
  demo: boolean;
  devKey: string | undefined;
  files: Readonly<Record<"apiKeys" | "deny" | "secrets" | "doors" | "routes", string | undefined>>;
  keyrings: Readonly<Record<"ticket" | "data" | "session", string | undefined>>;
  trustedProxies: readonly string[];
  corsOrigins: readonly string[];
  /** Origins that continuations may be posted to. */
  continuationUrls: readonly string[];
  metricsPort: number | undefined;
  logMaxBytes: number | undefined;
  logReplicas: number;
  logLevel: string;
  publicBaseUrl: string | undefined;
  oidc: OidcSettings | undefined;
  natsUrl: string | undefined;
  databaseUrl: string | undefined;
  settings: Settings;
  /** What channels there are besides ours, and what all are configured by, as it was given. */
  channels: ChannelConfig;
}>;

export type Variables = Readonly<Record<string, string | undefined>>;

/** Called once, in main.ts; everything else gets what it needs as arguments. Every fault is told at once. */
export function readConfig(
  environment: Variables,
  settingsFile: (path: string) => Record<string, unknown>,
): Config {
  // A variable set to nothing is as one that is not set.
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = Environment.safeParse(present);
  if (!parsed.success) throw new Error(`invalid configuration:\n${z.prettifyError(parsed.error)}`);
  const { data } = parsed;
  return {
    port: data.PORT,
    host: data.HOST,
    home: resolve(data.INTERLUDE_HOME),
    demo: data.INTERLUDE_DEMO === "1",
    devKey: data.INTERLUDE_DEV_KEY,
    files: {
      apiKeys: data.INTERLUDE_API_KEYS_FILE,
      deny: data.INTERLUDE_DENY_FILE,
      secrets: data.INTERLUDE_SECRETS_FILE,
      doors: data.INTERLUDE_DOORS_FILE,
      routes: data.INTERLUDE_ROUTES_FILE,
    },
    keyrings: {
      ticket: data.INTERLUDE_TICKET_KEYS,
      data: data.INTERLUDE_DATA_KEYS,
      session: data.INTERLUDE_SESSION_KEYS,
    },
    trustedProxies: data.INTERLUDE_TRUSTED_PROXIES,
    corsOrigins: data.INTERLUDE_CORS_ORIGINS,
    continuationUrls: data.INTERLUDE_CONTINUATION_URLS,
    metricsPort: data.INTERLUDE_METRICS_PORT,
    logMaxBytes: data.INTERLUDE_LOG_MAX_BYTES,
    logReplicas: data.INTERLUDE_LOG_REPLICAS,
    logLevel: data.INTERLUDE_LOG_LEVEL,
    publicBaseUrl: data.INTERACTIONS_PUBLIC_BASE_URL,
    oidc: oidcSettings(data),
    natsUrl: data.NATS_URL,
    databaseUrl: data.DATABASE_URL,
    settings: settingsOf(data.INTERLUDE_SETTINGS_FILE, settingsFile, present),
    channels: channelConfig(present, data.INTERLUDE_CHANNELS),
  };
}

function settingsOf(
  path: string | undefined,
  read: (path: string) => Record<string, unknown>,
  variables: Variables,
) {
  try {
    return readSettings(path === undefined ? {} : read(path), variables);
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new Error(
      `invalid settings${path === undefined ? "" : ` in ${path} or the environment`}:\n${reason}`,
      { cause: error },
    );
  }
}
