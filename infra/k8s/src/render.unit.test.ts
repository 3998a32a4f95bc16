import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { render, toYaml } from "./render.ts";

const base = fileURLToPath(new URL("../base", import.meta.url));
const worker = fileURLToPath(new URL("../channel-worker", import.meta.url));

const Named = z.looseObject({ name: z.string() });
const Pod = z.looseObject({
  containers: z.tuple([
    z.looseObject({
      args: z.array(z.string()),
      envFrom: z.array(z.looseObject({ secretRef: Named.optional() })),
      env: z.array(Named.extend({ value: z.string().optional() })),
      volumeMounts: z.array(Named.extend({ mountPath: z.string() })).default([]),
    }),
  ]),
  volumes: z.array(Named.extend({ configMap: Named })).default([]),
});
const Workload = z.looseObject({ spec: z.looseObject({ template: z.looseObject({ spec: Pod }) }) });

/** What runs, by its name. */
function podsOf(folder: string): Map<string, z.infer<typeof Pod>> {
  const workloads = render(folder).filter(({ kind }) => kind === "Deployment" || kind === "Job");
  return new Map(workloads.map((each) => [each.metadata.name, Workload.parse(each).spec.template.spec]));
}

function secretsOf({ containers: [container] }: z.infer<typeof Pod>): string[] {
  return container.envFrom.flatMap(({ secretRef }) => secretRef?.name ?? []);
}

describe("the manifests", () => {
  it("have a Deployment with probes and configuration for every service", () => {
    const deployments = render(base).filter(({ kind }) => kind === "Deployment");
    expect(deployments.map(({ metadata }) => metadata.name).sort()).toEqual([
      "answer-gateway",
      "asker",
      "channel-dispatcher",
      "expiry-scheduler",
      "inbox-projector",
      "media",
      "resume-coordinator",
      "retention",
    ]);
    for (const deployment of deployments) {
      const text = toYaml([deployment]);
      for (const part of ["startupProbe", "readinessProbe", "livenessProbe", "configMapRef"])
        expect(text).toContain(part);
      expect(text).toMatch(new RegExp(`name: interlude-nats\\s+key: ${deployment.metadata.name}\\n`));
    }
  });

  it("give the variables of channels to who asks, delivers and provisions, and to nobody else", () => {
    const channels = ["slack", "telegram", "sms", "whatsapp", "channels"].map((name) => `interlude-${name}`);
    for (const [name, pod] of podsOf(base)) {
      const isGiven = ["asker", "channel-dispatcher", "provision"].includes(name);
      expect([name, secretsOf(pod)]).toEqual([name, ["interlude", ...(isGiven ? channels : [])]]);
    }
  });

  it("of one channel's workers give them that channel's variables alone, and its webhook to them", () => {
    const [pod] = podsOf(worker).values();
    if (pod === undefined) throw new Error("no worker");
    expect(pod.containers[0].args).toEqual(["service", "channel-dispatcher", "--channel", "telegram"]);
    expect(secretsOf(pod)).toEqual(["interlude", "interlude-telegram"]);
    expect(toYaml(render(worker))).toContain("value: /api/channels/telegram");
  });

  it.each([
    ["all channels", base],
    ["one channel", worker],
  ])("mount the routes where who delivers over %s reads them", (_what, folder) => {
    const routes = render(base).find(({ metadata }) => metadata.name === "interlude-routes");
    const readers = [...podsOf(folder)].filter(([name]) => name.startsWith("channel-dispatcher"));
    expect(readers).toHaveLength(1);
    for (const [, { containers, volumes }] of readers) {
      const [{ env, volumeMounts }] = containers;
      const path = env.find(({ name }) => name === "INTERLUDE_ROUTES_FILE")?.value ?? "";
      const mount = volumeMounts.find(({ mountPath }) => path.startsWith(`${mountPath}/`));
      expect(volumes.find(({ name }) => name === mount?.name)?.configMap.name).toBe("interlude-routes");
      expect(routes?.["data"]).toEqual({ [path.slice((mount?.mountPath.length ?? 0) + 1)]: "[]" });
    }
  });

  it("that do not fit their schema are refused by name", () => {
    const folder = mkdtempSync(join(tmpdir(), "overlay-"));
    writeFileSync(join(folder, "kustomization.yaml"), "resources: [bad.yaml]\n");
    writeFileSync(
      join(folder, "bad.yaml"),
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: bad }\nspec: { replicas: two }\n",
    );
    expect(() => render(folder)).toThrow(/bad\.yaml: Deployment bad/);
  });
});
