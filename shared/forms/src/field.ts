import type { Json } from "@interlude/kernel";

/** How a property is asked for. `group`, `list` and `json` stand only in forms that are not flat. */
export type Control =
  | "text"
  | "textarea"
  | "email"
  | "url"
  | "date"
  | "time"
  | "datetime"
  | "number"
  | "integer"
  | "checkbox"
  | "select"
  | "multiselect"
  | "group"
  | "list"
  | "json";

export type FieldOption = { readonly value: Json; readonly label: string };

/** Bounds that a surface may show; the schema alone decides. Lengths are code points. */
export type FieldBounds = {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
};

export type Field = FieldBounds & {
  /** The property's name as it is; `""` with pointer `""` is the whole answer. */
  readonly name: string;
  /** Where its value stands in the answer. */
  readonly pointer: string;
  readonly control: Control;
  readonly label: string;
  readonly description?: string;
  readonly required: boolean;
  /** Whether null is an answer. */
  readonly nullable: boolean;
  readonly options?: readonly FieldOption[];
  /** Shown at first; never added to an answer. */
  readonly prefill?: Json;
  /** Of a `group`. */
  readonly fields?: readonly Field[];
  /** Of a `list`: what each entry is. */
  readonly item?: Field;
};

export type ModelPage = { readonly title?: string; readonly fields: readonly Field[] };

/** The one model of a form that every surface renders. Without pages asked for there is one, untitled. */
export type FormModel = { readonly pages: readonly ModelPage[] };
