export { run } from "./run.ts";
export { EXIT } from "./exit-code.ts";
export type { Surroundings } from "./terminal.ts";
