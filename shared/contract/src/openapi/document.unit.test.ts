import { isJsonList, isJsonObject, type Json } from "@interlude/kernel";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { openApiDocument } from "./document.ts";

const document = openApiDocument({ version: "1.2.3", serverUrl: "http://127.0.0.1:8787" });

function references(value: Json): string[] {
  if (isJsonList(value)) return value.flatMap(references);
  if (!isJsonObject(value)) return [];
  const own = value["$ref"];
  return [...(typeof own === "string" ? [own] : []), ...Object.values(value).flatMap(references)];
}

function at(...path: string[]): Json | undefined {
  let value: Json | undefined = document;
  for (const step of path) value = isJsonObject(value) ? value[step] : undefined;
  return value;
}

describe("the OpenAPI document", () => {
  it("is valid OpenAPI 3.1", async () => {
    const result = await new Validator().validate(structuredClone({ ...document }));
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
    expect(document["openapi"]).toBe("3.1.0");
  });

  it("refers only to what it holds", () => {
    const schemas = at("components", "schemas");
    const missing = references(document).filter(
      (each) => !isJsonObject(schemas) || !Object.hasOwn(schemas, each.replace("#/components/schemas/", "")),
    );
    expect(missing).toEqual([]);
  });

  it("says the caps of an ask in code points, as they are checked", () => {
    const ask = at(
      "paths",
      "/api/interactions",
      "post",
      "requestBody",
      "content",
      "application/json",
      "schema",
    );
    expect(ask).toMatchObject({
      additionalProperties: false,
      required: ["question"],
      properties: { question: { minLength: 1, maxLength: 8192 }, options: { maxItems: 200 } },
    });
  });

  it("lists the problems of a door by status, each with the codes it can carry", () => {
    const answer = at("paths", "/api/interactions/{id}/answer", "post", "responses");
    expect(answer).toMatchObject({
      "200": {},
      "409": { description: "`already_answered`" },
      "410": { description: "`expired`, `cancelled`, `failed`" },
      "401": {},
      "404": {},
    });
  });

  it.each([
    ["/api/interactions/{id}", "get"],
    ["/api/interactions/{id}/events", "get"],
    ["/api/channels", "get"],
    ["/api/me", "get"],
    ["/api/session", "delete"],
    ["/api/runs/{driver}/{run_id}/events", "get"],
  ])("says that %s (%s) refuses a parameter that it does not know", (path, method) => {
    expect(at("paths", path, method, "responses", "400")).toMatchObject({
      description: "`validation_failed`",
    });
  });

  it("says of every door that another method is refused", () => {
    const paths = at("paths");
    for (const doors of isJsonObject(paths) ? Object.values(paths) : []) {
      for (const door of isJsonObject(doors) ? Object.values(doors) : []) {
        expect(door).toMatchObject({ responses: { "405": { description: "`method_not_allowed`" } } });
      }
    }
  });

  it("asks for no credential on a public door and for one on every other", () => {
    expect(at("paths", "/api/interactions/callback/{ticket}", "post", "security")).toEqual([]);
    expect(at("paths", "/api/me", "get", "security")).toEqual([{ bearer: [] }, { session: [] }]);
  });

  it("follows the access table that it is given", () => {
    const access = new Map([["POST /api/interactions/:id/answer", "public" as const]]);
    const opened = openApiDocument({ version: "1", access });
    expect(opened["paths"]).toMatchObject({
      "/api/interactions/{id}/answer": { post: { security: [], "x-access": "public" } },
    });
  });

  it("declares each parameter of each path", () => {
    const paths = at("paths");
    for (const [path, doors] of isJsonObject(paths) ? Object.entries(paths) : []) {
      for (const door of isJsonObject(doors) ? Object.values(doors) : []) {
        const parameters = isJsonObject(door) && isJsonList(door["parameters"]) ? door["parameters"] : [];
        const inPath = parameters.filter((each) => isJsonObject(each) && each["in"] === "path");
        expect(inPath).toHaveLength(path.split("{").length - 1);
      }
    }
  });
});
