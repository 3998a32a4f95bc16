export { type AskerDeps, createAsker } from "./service.ts";
