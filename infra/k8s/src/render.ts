import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigMap, Service } from "kubernetes-models/v1";
import { Deployment } from "kubernetes-models/apps/v1";
import { Job } from "kubernetes-models/batch/v1";
import { parse, parseAllDocuments, stringify } from "yaml";
import { z } from "zod";

const Kustomization = z.object({ resources: z.array(z.string()) });
const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});
export type Manifest = z.infer<typeof Manifest>;

/** Kinds whose published schema they are held against; others are checked to name what they are. */
const CHECKED: Readonly<Record<string, new (data: never) => { validate(): void }>> = {
  ConfigMap,
  Service,
  Deployment,
  Job,
};

/** The manifests of one overlay, each checked. @throws the schema's errors, naming the manifest */
export function render(folder: string): Manifest[] {
  const { resources } = Kustomization.parse(parse(readFileSync(join(folder, "kustomization.yaml"), "utf8")));
  return resources.flatMap((file) =>
    parseAllDocuments(readFileSync(join(folder, file), "utf8")).map((document) =>
      checked(document.toJS(), file),
    ),
  );
}

function checked(value: unknown, file: string): Manifest {
  const manifest = Manifest.parse(value);
  const Kind = CHECKED[manifest.kind];
  if (Kind === undefined) return manifest;
  try {
    new Kind(manifest as never).validate();
  } catch (error) {
    throw new TypeError(`${file}: ${manifest.kind} ${manifest.metadata.name}: ${String(error)}`, {
      cause: error,
    });
  }
  return manifest;
}

export function toYaml(manifests: readonly Manifest[]): string {
  return manifests.map((manifest) => stringify(manifest)).join("---\n");
}
