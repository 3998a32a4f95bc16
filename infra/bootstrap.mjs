/**
 * The first thing that runs on a machine with nothing but Node: it depends on no package, installs
 * what is missing, builds the inbox, and then becomes the command that was asked for. When nothing
 * has changed since the last time it costs a few milliseconds.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const OLDEST_NODE = [20, 19];
const ENTRIES = {
  dev: { file: "infra/compose/src/main.ts", keepsName: true, needsInbox: true },
  test: { file: "infra/verify.mjs", keepsName: false, needsInbox: true },
  bench: { file: "test/bench/main.ts", keepsName: false, needsInbox: true },
  manifests: { file: "infra/k8s/src/main.ts", keepsName: false, needsInbox: false },
};
const NOT_SOURCES = new Set(["node_modules", "dist", ".git", ".interlude", "coverage", "bench"]);

/** Something the reader can mend; shown without a stack. */
class Complaint extends Error {}

async function main() {
  checkNode();
  const [command, ...args] = process.argv.slice(2);
  const entry = Object.hasOwn(ENTRIES, command ?? "") ? ENTRIES[command] : undefined;
  if (entry === undefined)
    throw new Complaint(`usage: node infra/bootstrap.mjs ${Object.keys(ENTRIES).join("|")} [arguments]`);

  process.chdir(ROOT);
  if (!isInstalled() || (entry.needsInbox && !isInboxBuilt())) {
    const release = await holdLock();
    try {
      // Whoever held the lock before may have done it all.
      if (!isInstalled()) await install();
      if (entry.needsInbox && !isInboxBuilt()) await buildInbox();
    } finally {
      release();
    }
  }
  await become(entry, entry.keepsName ? [command, ...args] : args);
}

function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  throw new Complaint(
    `Node ${OLDEST_NODE.join(".")} or newer is needed, and this is ${process.versions.node}. Install a current version from https://nodejs.org and start again.`,
  );
}

/** The entry runs in this process: one process to signal, and nothing that could outlive it. */
async function become({ file }, args) {
  const target = path.join(ROOT, file);
  if (!fs.existsSync(target)) throw new Complaint(`${file} is missing from this checkout`);
  process.argv = [process.argv[0], target, ...args];
  if (target.endsWith(".ts")) {
    process.setSourceMapsEnabled(true);
    const { register } = await import("tsx/esm/api");
    register();
  }
  await import(pathToFileURL(target).href);
}

const installStamp = () => path.join(ROOT, "node_modules", ".interlude-install");

function isInstalled() {
  return (
    fs.existsSync(path.join(ROOT, "node_modules", ".modules.yaml")) &&
    readStamp(installStamp()) === installHash()
  );
}

function installHash() {
  const manifests = [".npmrc", "package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml"];
  for (const group of ["shared", "services", "channels", "clients", "infra"]) {
    for (const name of listFolder(path.join(ROOT, group))) manifests.push(`${group}/${name}/package.json`);
  }
  manifests.push(
    "test/package.json",
    ...listFolder(path.join(ROOT, "patches")).map((name) => `patches/${name}`),
  );
  return hashFiles(manifests.sort(), [process.platform, process.arch, process.versions.modules]);
}

async function install() {
  const { packageManager } = JSON.parse(fs.readFileSync("package.json", "utf8"));
  console.error("interlude: installing packages (the first time this takes about half a minute)");
  const hash = installHash();
  const flags = ["install", "--frozen-lockfile", "--config.confirmModulesPurge=false"];
  const { code, output } = await run("npx", ["-y", packageManager, ...flags], {
    cwd: ROOT,
    env: installEnvironment(),
  });
  if (code !== 0) throw new Complaint(explainInstall(code, output, packageManager));
  fs.writeFileSync(installStamp(), hash);
}

/** npm hands its own settings down; `npm --silent` must not silence the package manager's reasons. */
function installEnvironment() {
  const environment = { ...process.env, npm_config_update_notifier: "false", NO_UPDATE_NOTIFIER: "1" };
  delete environment.npm_config_loglevel;
  return environment;
}

function explainInstall(code, output, packageManager) {
  if (/ERR_PNPM_(OUTDATED_LOCKFILE|LOCKFILE_CONFIG_MISMATCH|NO_LOCKFILE)/.test(output)) {
    return `interlude: pnpm-lock.yaml does not fit the package.json files; run: npx -y ${packageManager} install`;
  }
  if (/ENOSPC|no space left on device/i.test(output)) {
    return `interlude: the disk is full; free about 600 MB below ${ROOT} and ${os.homedir()}, and start again`;
  }
  if (/EACCES|EROFS|EPERM/.test(output)) {
    return `interlude: packages cannot be written; this user must own ${ROOT} and its npm cache (${os.homedir()}/.npm)`;
  }
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET|ENETUNREACH|META_FETCH_FAIL|CERT/.test(
      output,
    )
  ) {
    return "interlude: the npm registry cannot be reached. Connect this machine to it, or point npm to one that answers (npm config set registry <url>), and start again.";
  }
  if (code === 127) return "interlude: npx was not found; it comes with Node and must be on the PATH";
  return `interlude: installing packages failed (exit code ${code}); what went wrong stands above`;
}

const INBOX = "clients/inbox";
const inboxStamp = () => path.join(ROOT, INBOX, "node_modules", ".interlude-build");

function isInboxBuilt() {
  return (
    fs.existsSync(path.join(ROOT, INBOX, "dist", "index.html")) && readStamp(inboxStamp()) === inboxHash()
  );
}

function inboxHash() {
  const { dependencies = {} } = JSON.parse(fs.readFileSync(path.join(ROOT, INBOX, "package.json"), "utf8"));
  const shared = Object.keys(dependencies)
    .filter((name) => name.startsWith("@interlude/"))
    .map((name) => `shared/${name.slice("@interlude/".length)}`);
  return hashFiles(["pnpm-lock.yaml", ...[INBOX, ...shared].flatMap(sourcesBelow)].sort(), []);
}

async function buildInbox() {
  console.error("interlude: building the inbox");
  const hash = inboxHash();
  const vite = path.join(ROOT, INBOX, "node_modules", "vite", "bin", "vite.js");
  const { code } = await run(process.execPath, [vite, "build", "--logLevel", "warn"], {
    cwd: path.join(ROOT, INBOX),
  });
  if (code !== 0) throw new Complaint("interlude: the inbox could not be built; what is wrong stands above");
  fs.writeFileSync(inboxStamp(), hash);
}

function readStamp(file) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function listFolder(folder) {
  return fs.existsSync(folder) ? fs.readdirSync(folder).sort() : [];
}

function sourcesBelow(folder) {
  return listFolder(path.join(ROOT, folder)).flatMap((name) => {
    if (NOT_SOURCES.has(name)) return [];
    const relative = `${folder}/${name}`;
    return fs.statSync(path.join(ROOT, relative)).isDirectory() ? sourcesBelow(relative) : [relative];
  });
}

function hashFiles(files, more) {
  const hash = createHash("sha256").update(JSON.stringify(more));
  for (const file of files) {
    const full = path.join(ROOT, file);
    if (fs.existsSync(full)) hash.update(`\0${file}\0`).update(fs.readFileSync(full));
  }
  return hash.digest("hex");
}

/** Runs a program in a process group of its own, shows what it says, and ends it with this process. */
function run(program, args, options) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...options, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output = (output + chunk).slice(-20_000);
        process.stderr.write(chunk);
      });
    }
    const end = (signal) => {
      try {
        process.kill(-child.pid, signal);
      } catch {
        // It ended in this moment.
      }
      process.exit(130);
    };
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
    for (const signal of signals) process.on(signal, end);
    const done = (code) => {
      for (const signal of signals) process.off(signal, end);
      resolve({ code, output });
    };
    child.on("error", () => done(127));
    child.on("close", (code) => done(code ?? 1));
  });
}

/** One installation at a time in a checkout; the lock of a process that has ended does not count. */
async function holdLock() {
  const file = path.join(
    os.tmpdir(),
    `interlude-${createHash("sha256").update(ROOT).digest("hex").slice(0, 16)}.lock`,
  );
  let told = false;
  for (;;) {
    try {
      fs.writeFileSync(file, String(process.pid), { flag: "wx" });
      return () => fs.rmSync(file, { force: true });
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    const holder = Number(readStamp(file));
    if (!isRunning(holder)) fs.rmSync(file, { force: true });
    else if (!told) console.error(`interlude: another process is installing (pid ${holder}); waiting for it`);
    told = true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function isRunning(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

main().catch((error) => {
  console.error(error instanceof Complaint ? error.message : error);
  process.exit(1);
});
