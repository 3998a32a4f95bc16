import { openApiDocument } from "@interlude/contract";
import { expect, it } from "vitest";
import { z } from "zod";
import { accessTable, DOOR_NAMES } from "./access-table.ts";

const Paths = z.record(z.string(), z.record(z.string(), z.looseObject({ "x-access": z.unknown() })));

/** `POST /api/runs/{}/{}/park`: what a parameter is called matters to nobody outside. */
function shapeOf(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replaceAll(/:\w+|\{\w+\}/g, "{}")}`;
}

function described(): Map<string, unknown> {
  const paths = Paths.parse(openApiDocument({ version: "0" })["paths"]);
  return new Map(
    Object.entries(paths).flatMap(([path, doors]) =>
      Object.entries(doors).map(([method, door]) => [shapeOf(method, path), door["x-access"]] as const),
    ),
  );
}

const api = DOOR_NAMES.filter((name) => name.includes(" /api/"));

it.each(api)("%s is described, and who may use it as the access table has it", (name) => {
  const table = accessTable();
  const [method = "", path = ""] = name.split(" ");
  expect(described().get(shapeOf(method, path))).toEqual(table.ok && table.table.get(name));
});
