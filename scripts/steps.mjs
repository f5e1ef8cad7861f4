import { spawn, spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import path from "node:path";

export const root = path.resolve(import.meta.dirname, "..");

/** Rejects an outdated Node before anything fails less clearly. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  process.stderr.write(`Plumbline needs Node 20.19 or later; this is ${process.versions.node}.\n`);
  process.exit(1);
}

/** Refuses what a command without arguments would ignore. */
export function refuseArguments() {
  const [first] = process.argv.slice(2);
  if (first === undefined) return;
  process.stderr.write(`Unknown argument: ${first}. This command takes none.\n`);
  process.exit(1);
}

/**
 * Why a command failed before it ran.
 * @param {string} command
 */
function notRun(command) {
  return `${command} can't be run; check that it's installed and on the PATH.\n`;
}

/**
 * Runs one command in the project's root with inherited output.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Record<string, string>} [env] added to this process's environment
 * @returns {boolean} whether it succeeded
 */
export function run(command, args, env = {}) {
  const done = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...env },
  });
  if (done.error !== undefined) process.stderr.write(notRun(command));
  return done.status === 0;
}

/**
 * Runs one command in the project's root in parallel with others.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Record<string, string>} env added to this process's environment
 * @returns {Promise<{ passed: boolean, output: string }>} `output`: its complete output
 */
export function runBeside(command, args, env) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => (output += text));
  }
  return new Promise((resolve) => {
    child.once("error", () => (output += notRun(command)));
    child.once("close", (code) => resolve({ passed: code === 0, output }));
  });
}

/** Installs the packages of package-lock.json, unless they are current. */
export function install() {
  const done = path.join(root, "node_modules/.package-lock.json");
  const wanted = path.join(root, "package-lock.json");
  if (existsSync(done) && statSync(done).mtimeMs >= statSync(wanted).mtimeMs) return true;
  // NODE_ENV=production would leave out packages that the build needs. `npm ci` checks every byte against the lock
  // file; `npm install` would resolve missing entries from the registry.
  return run("npm", ["ci", "--no-audit", "--no-fund"], { NODE_ENV: "development" });
}
