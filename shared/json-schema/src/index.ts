export { compileSchema, type CompiledSchema, type SchemaResult } from "./compile-schema.ts";
export type { FieldFault } from "./field-fault.ts";
export { isDate, isDateTime, isEmail } from "./formats.ts";
export { checkRegExp, compilePattern, type LinearPattern, type PatternResult } from "./linear-pattern.ts";
export { SCHEMA_LIMITS } from "./limits.ts";
