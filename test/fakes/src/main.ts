import { startFakes } from "./start-fakes.ts";

const publicBaseUrl = process.argv[2] ?? process.env["PUBLIC_BASE_URL"];
if (publicBaseUrl === undefined || !URL.canParse(publicBaseUrl)) {
  console.error("usage: pnpm fakes <base URL of Interlude, as http://127.0.0.1:8080>");
  process.exit(2);
}

const { fakes, environment, stop } = await startFakes(publicBaseUrl, [7301, 7302, 7303, 7304]);
console.log("Chat as the person at:");
for (const { name, url } of Object.values(fakes)) console.log(`  ${name.padEnd(9)} ${url}/`);
console.log("\nStart Interlude with:");
for (const [name, value] of Object.entries(environment)) console.log(`  export ${name}=${value}`);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());
