import { describeMachine, findChromium } from "@interlude/infra-dev";
import { type Browser, chromium } from "playwright-core";

export async function launchBrowser(): Promise<Browser> {
  const executablePath = await findChromium(describeMachine(process.env));
  // Containers run the tests as root, where the browser's own sandbox cannot.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath, args });
}
