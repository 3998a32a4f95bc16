/** Imports point one way: main → service → adapters → application → domain → contract, kernel. */
const vendor = (name, module, home) => ({
  name: `vendor-${name}`,
  severity: "error",
  comment: `${name} has one home, so that replacing it touches one package.`,
  from: { pathNot: home },
  to: { path: module },
});

module.exports = {
  forbidden: [
    {
      name: "no-cycle",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "kernel-stands-alone",
      severity: "error",
      from: { path: "^shared/kernel/src" },
      to: { path: "^(shared/(?!kernel)|services|clients|infra|test)" },
    },
    {
      name: "domain-is-pure",
      severity: "error",
      from: { path: "^shared/domain/src", pathNot: "\\.test\\.ts$" },
      to: { pathNot: "^shared/(domain|contract|kernel)/" },
    },
    {
      name: "contract-below-domain",
      severity: "error",
      from: { path: "^shared/contract/src" },
      to: { path: "^(shared/(?!contract|kernel)|services|clients|infra|test)" },
    },
    {
      name: "shared-knows-no-service",
      severity: "error",
      from: { path: "^shared" },
      to: { path: "^(services|channels|clients)" },
    },
    {
      name: "channels-know-no-service",
      severity: "error",
      comment: "A channel is a leaf: pure rendering and one send, whoever uses it.",
      from: { path: "^channels/([^/]+)/src" },
      to: {
        path: "^(shared|services|channels|clients|infra|test)/",
        pathNot: "^(shared/(channel-kit|contract|kernel|forms|secrets)/|channels/$1/)",
      },
    },
    {
      name: "channel-kit-is-pure",
      severity: "error",
      from: { path: "^shared/channel-kit/src", pathNot: "\\.test\\.ts$" },
      to: { path: "^shared/(?!channel-kit|contract|kernel|forms)" },
    },
    {
      name: "service-imports-no-service",
      severity: "error",
      from: { path: "^services/([^/]+)/" },
      to: { path: "^services/", pathNot: "^services/$1/" },
    },
    {
      name: "services-know-no-channel",
      severity: "error",
      comment:
        "A service is given channels; which ones there are is decided where processes are put together.",
      from: { path: "^services/[^/]+/src/", pathNot: "\\.test\\.ts$" },
      to: { path: "^channels/" },
    },
    {
      name: "application-knows-no-adapter",
      severity: "error",
      from: { path: "^services/[^/]+/src/application", pathNot: "\\.test\\.ts$" },
      to: { path: "^services/[^/]+/src/(adapters|service|main)" },
    },
    {
      name: "adapters-know-no-service",
      severity: "error",
      from: { path: "^services/[^/]+/src/adapters" },
      to: { path: "^services/[^/]+/src/(service|main)\\.ts" },
    },
    {
      name: "no-deep-import",
      severity: "error",
      comment: "Another package is entered by its exports door.",
      from: { path: "^(shared|services|channels|clients|infra)/([^/]+)/" },
      to: {
        path: "^(shared|services|channels|clients|infra)/[^/]+/",
        pathNot: "^(?:$1/$2/|(shared|services|channels|clients|infra)/[^/]+/src/(index|testing)\\.ts)",
      },
    },
    vendor("nats", "node_modules/@nats-io", "^shared/(event-log|testing)/|^test/(bench|support)/"),
    vendor("postgres", "node_modules/postgres/", "^shared/(postgres|testing)/"),
    vendor("redis", "node_modules/(redis|@redis)/", "^clients/checkpoint-redis/"),
    vendor("ajv", "node_modules/ajv", "^shared/json-schema/"),
    vendor("grammy", "node_modules/grammy/", "^channels/telegram/|^test/"),
    vendor("slack", "node_modules/@slack/", "^channels/slack/|^test/"),
    vendor("openid", "node_modules/(jose|openid-client|oidc-provider)/", "^shared/oidc/|^test/"),
    vendor("node-server", "node_modules/@hono/node-server", "^shared/service-kit/"),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(dist|\\.interlude|node_modules/\\.cache)/" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "default"] },
  },
};
