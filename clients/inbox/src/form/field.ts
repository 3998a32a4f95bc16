import type { Json, JsonObject } from "../api/json.ts";

export type Choice = { value: Json; label: string };
export type TextInput = "line" | "area" | "email" | "url" | "date" | "date-time" | "time";

export type Shape =
  | { kind: "text"; input: TextInput }
  | { kind: "number"; integer: boolean }
  | { kind: "flag" }
  | { kind: "choice"; choices: readonly Choice[] }
  | { kind: "choices"; choices: readonly Choice[] }
  | { kind: "group"; fields: readonly Field[] }
  | { kind: "list"; entry: Field }
  /** What no control can show well is edited as JSON, rather than left out. */
  | { kind: "raw" };

/** One property as a person meets it, whatever references and combinations its schema is written with. */
export type Field = {
  name: string;
  label: string;
  help?: string;
  required: boolean;
  nullable: boolean;
  schema: JsonObject;
  shape: Shape;
};
