import type { ComponentType, ReactElement } from "react";
import { messages } from "../messages.ts";
import fields from "../styles/field.module.css";
import type { Draft } from "./draft.ts";
import type { Field } from "./field.ts";

export type InputProps<D extends Draft = Draft> = {
  field: Field;
  draft: D;
  pointer: string;
  faults: ReadonlyMap<string, string>;
  onChange: (draft: Draft) => void;
};

/** Inputs that hold others are given what draws those, and so need not know each other. */
export type NestingProps<D extends Draft> = InputProps<D> & { Input: ComponentType<InputProps> };

/** Beside the label and not in it: the control's name is the property's title. */
export function Optional({ field }: { field: Field }): ReactElement | null {
  return field.required ? null : <span className={fields["hint"]}>{messages.form.optional}</span>;
}
