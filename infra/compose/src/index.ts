export {
  compose,
  type ComposeOptions,
  type Composition,
  SERVICE_NAMES,
  type ServiceName,
} from "./compose.ts";
export { type Config, readConfig } from "./config.ts";
export { type Dev, startDev } from "./dev.ts";
export { provision, rebuildReadModels } from "./provision.ts";
export { startServices } from "./serve.ts";
