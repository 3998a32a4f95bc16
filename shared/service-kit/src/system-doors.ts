import type { JsonObject } from "@interlude/kernel";
import type { Metrics } from "./metrics.ts";
import { json } from "./respond.ts";
import type { Route } from "./route.ts";
import type { Service } from "./service.ts";

export type SystemDeps = {
  services: readonly Service[];
  metrics: Metrics;
  openApi: JsonObject;
};

/** Liveness, readiness, metrics and the description of every door; the same in each process. */
export function systemDoors({ services, metrics, openApi }: SystemDeps): Route[] {
  return [
    { door: "GET /healthz", body: "none", query: "unchecked", handle: () => json(200, { status: "ok" }) },
    { door: "GET /readyz", body: "none", query: "unchecked", handle: () => readiness(services) },
    { door: "GET /api/openapi.json", body: "none", query: "unchecked", handle: () => json(200, openApi) },
    {
      door: "GET /metrics",
      body: "none",
      handle: async () => {
        const headers = { "content-type": metrics.registry.contentType };
        return new Response(await metrics.registry.metrics(), { headers });
      },
    },
  ];
}

/** 503 only when a part cannot do its work at all; a degraded one still serves. */
function readiness(services: readonly Service[]): Response {
  const parts = Object.fromEntries(services.map((service) => [service.name, service.health()]));
  const states = Object.values(parts).map(({ status }) => status);
  if (states.includes("down")) return json(503, { status: "down", parts });
  return json(200, { status: states.includes("degraded") ? "degraded" : "ok", parts });
}
