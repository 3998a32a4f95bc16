import { fileURLToPath } from "node:url";

/** Where the inbox's built page lies in this checkout. */
export function pageDirectory(): string {
  return fileURLToPath(new URL("../../../clients/inbox/dist", import.meta.url));
}
