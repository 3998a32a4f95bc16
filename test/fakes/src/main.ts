import { parseArgs } from "node:util";
import { startFakes } from "./start-fakes.ts";

const USAGE =
  "usage: npm run fakes -- <base URL of Interlude, as http://127.0.0.1:8080> [--ports <four, 0 for free ones>] [--json]";

function readArguments() {
  const options = {
    ports: { type: "string", default: "7301,7302,7303,7304" },
    json: { type: "boolean", default: false },
  } as const;
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const publicBaseUrl = positionals[0] ?? process.env["PUBLIC_BASE_URL"] ?? "";
    const ports = values.ports.split(",").map(Number);
    const arePorts = ports.length === 4 && ports.every((port) => Number.isInteger(port) && port >= 0);
    if (URL.canParse(publicBaseUrl) && arePorts) return { publicBaseUrl, ports, isForProgram: values.json };
  } catch {
    // A flag that is none of these: told below.
  }
  console.error(USAGE);
  process.exit(2);
}

const { publicBaseUrl, ports, isForProgram } = readArguments();
const { fakes, environment, stop } = await startFakes(publicBaseUrl, ports);
const pages = Object.fromEntries(Object.values(fakes).map(({ name, url }) => [name, `${url}/`] as const));

if (isForProgram) {
  // One line for the program that started it; it ends with that program, whichever way that goes.
  console.log(JSON.stringify({ pages, environment }));
  process.on("SIGINT", () => undefined);
  process.stdin.resume().once("close", () => void stop());
} else {
  console.log("Chat as the person at:");
  for (const [name, url] of Object.entries(pages)) console.log(`  ${name.padEnd(9)} ${url}`);
  console.log("\nStart Interlude with:");
  for (const [name, value] of Object.entries(environment)) console.log(`  export ${name}=${value}`);
  process.once("SIGINT", () => void stop());
}
process.once("SIGTERM", () => {
  process.stdin.destroy();
  void stop();
});
