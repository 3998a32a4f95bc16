import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { render, toYaml } from "./render.ts";

const base = fileURLToPath(new URL("../base", import.meta.url));

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
