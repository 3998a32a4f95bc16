import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ServiceFailure } from "@interlude/kernel";
import { adviceFor } from "./advice.ts";
import { withFileLock } from "./file-lock.ts";
import { executable, findOnPath } from "./find-on-path.ts";
import type { Machine } from "./machine.ts";
import { silent, type Report } from "./report.ts";
import { runProgram } from "./run-program.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

const MAC_APPLICATIONS = [
  "Google Chrome.app/Contents/MacOS/Google Chrome",
  "Chromium.app/Contents/MacOS/Chromium",
  "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
];

/** Where a browser's executable stands inside a folder of Playwright's cache. */
const PLAYWRIGHT_LAYOUTS = [
  "chrome-linux64/chrome",
  "chrome-linux/chrome",
  "chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
  "chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
  "chrome-mac/Chromium.app/Contents/MacOS/Chromium",
  "chrome-headless-shell-linux64/chrome-headless-shell",
  "chrome-linux/headless_shell",
  "chrome-headless-shell-mac-arm64/chrome-headless-shell",
  "chrome-headless-shell-mac-x64/chrome-headless-shell",
];

/** The executable of a browser: the given one, an installed one, Playwright's, or (as root) Debian's. */
export async function findChromium(machine: Machine, report: Report = silent): Promise<string> {
  const found = await firstThatRuns(candidates(machine));
  if (found !== undefined) return found;
  await installFromDistribution(machine, report);
  const installed = await firstThatRuns(installedBrowsers(machine));
  if (installed !== undefined) return installed;
  throw new ServiceFailure("server_unobtainable", {
    retry: "never",
    message: adviceFor("chromium", machine.platform),
  });
}

function candidates(machine: Machine): string[] {
  const { chromiumPath } = machine;
  if (chromiumPath === undefined) return [...installedBrowsers(machine), ...playwrightBrowsers(machine)];
  if (executable(chromiumPath) !== undefined) return [chromiumPath];
  // A wrong setting is told, not silently replaced by another browser.
  throw new ServiceFailure("configuration_invalid", {
    retry: "never",
    message: `CHROMIUM_PATH is ${chromiumPath}, which is not an executable file`,
  });
}

function installedBrowsers({ searchPath, platform, userHome }: Machine): string[] {
  const onPath = NAMES.flatMap((name) => findOnPath(searchPath, name));
  if (platform.os !== "darwin") return onPath;
  const folders = ["/Applications", join(userHome, "Applications")];
  return [...onPath, ...folders.flatMap((folder) => MAC_APPLICATIONS.map((name) => join(folder, name)))];
}

function playwrightBrowsers({ playwrightCache, userHome, platform }: Machine): string[] {
  const usual = platform.os === "darwin" ? "Library/Caches/ms-playwright" : ".cache/ms-playwright";
  const cache = playwrightCache ?? join(userHome, usual);
  if (!existsSync(cache)) return [];
  const browsers = readdirSync(cache).filter((name) => /^chromium(_headless_shell)?-\d+$/.test(name));
  // The newest first; a full browser before the shell of the same build.
  browsers.sort((left, right) => buildOf(right) - buildOf(left) || left.length - right.length);
  return browsers.flatMap((browser) => PLAYWRIGHT_LAYOUTS.map((layout) => join(cache, browser, layout)));
}

function buildOf(name: string): number {
  return Number(name.slice(name.lastIndexOf("-") + 1));
}

async function firstThatRuns(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    if (executable(path) === undefined) continue;
    const shown = await runProgram(path, ["--version"], { timeoutMs: 20_000 });
    if (shown.exitCode === 0) return path;
  }
  return undefined;
}

/** Ubuntu's package is only a pointer to a snap, which containers cannot run. */
async function installFromDistribution(machine: Machine, report: Report): Promise<void> {
  const { platform, cacheDir, searchPath } = machine;
  if (platform.distribution !== "debian" || !platform.isRoot) return;
  await withFileLock(
    join(cacheDir, "chromium.lock"),
    { withinMs: 600_000, report, holding: "it is installing chromium" },
    async () => {
      if (findOnPath(searchPath, "chromium").length > 0) return;
      report("chromium: installing Debian's chromium (about 110 MB)");
      await runProgram("apt-get", ["update", "-q"], { timeoutMs: 180_000 });
      const flags = [
        "install",
        "-y",
        "-q",
        "--no-install-recommends",
        "-o",
        "DPkg::Lock::Timeout=120",
        "chromium",
      ];
      const done = await runProgram("apt-get", flags, { timeoutMs: 600_000 });
      if (done.exitCode !== 0)
        report(`chromium: apt-get could not install it: ${done.stderr.trim().slice(-300)}`);
    },
  );
}
