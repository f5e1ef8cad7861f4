import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { commandLine, credentials, environment } from "./identity.mjs";
import { ensurePassword, fingerprintOf, passwordOf } from "./password.mjs";
import { removeFile } from "./remove-file.mjs";
import { appendLog, log, messageOf, Refusal } from "./supervisor-log.mjs";

/** Source: start-embedded-postgres.ts, roles.ts. */
const OWNER = "plumbline";
const APP_ROLE = "plumbline_app";
/** Another major version of PostgreSQL can't read the files. */
const MAJOR_VERSION = "18";
const SOCKET = ".s.PGSQL.5432";
/**
 * A fast shutdown writes a checkpoint; if it takes longer, it is interrupted, and recovers at the next start.
 */
const FAST_STOP_MS = 5_000;

/** @type {import("node:child_process").ChildProcess | null} PostgreSQL, or initdb before it */
let running = null;

/** Stops the process last started by `run`, if any. */
export async function stopRunning() {
  if (running?.pid !== undefined) await stopPostmaster(running.pid);
}

/** @returns {{ pid: number, ready: boolean } | null} contents of data/postmaster.pid */
export function postmaster() {
  let lines;
  try {
    lines = fs.readFileSync("data/postmaster.pid", "utf8").split("\n");
  } catch {
    return null;
  }
  // Negative: a single-user PostgreSQL that sets a password.
  const pid = Math.abs(Number(lines[0]));
  return pid > 0 ? { pid, ready: lines[7]?.trim() === "ready" } : null;
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
  // An orphan whose new parent doesn't reap it (an app as process 1 of a container) stays a zombie.
  try {
    return !/^\d+ \(.*\) Z/s.test(fs.readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return process.platform !== "linux";
  }
}

/**
 * @param {number} pid whether it is the PostgreSQL of this directory, rather than an unrelated process with a
 * reused number
 */
function isOurs(pid) {
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync("data");
  } catch {
    if (process.platform === "linux") return false;
  }
  const { stdout } = spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.includes("postgres") && stdout.includes(path.resolve("data"));
}

/**
 * @param {() => boolean} condition
 * @param {number} limitMs
 */
export async function waitFor(condition, limitMs) {
  for (let waitedMs = 0; waitedMs < limitMs; waitedMs += 20) {
    if (condition()) return true;
    await sleep(20);
  }
  return condition();
}

/** @param {number} pid */
export async function stopPostmaster(pid) {
  for (const [signal, limitMs] of /** @type {const} */ ([
    ["SIGINT", FAST_STOP_MS],
    ["SIGQUIT", FAST_STOP_MS],
    ["SIGKILL", FAST_STOP_MS],
  ])) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    if (await waitFor(() => !isAlive(pid), limitMs)) return;
    log(`PostgreSQL ${pid} still runs after ${signal}`);
  }
}

/** No other supervisor holds this directory, so any PostgreSQL in it was left by one that was killed. */
export async function clearLeftovers() {
  const left = postmaster();
  if (left !== null && isAlive(left.pid) && isOurs(left.pid)) {
    log(`stopping PostgreSQL ${left.pid}, left behind`);
    await stopPostmaster(left.pid);
  }
  // Process ids in leftover files may belong to unrelated processes by now (a restarted container, a copy of a
  // directory in use), which PostgreSQL would mistake for rivals. The socket and its lock are unused.
  for (const name of [SOCKET, `${SOCKET}.lock`]) removeFile(`run/${name}`);
  if (postmaster() === null) return;
  // PostgreSQL doesn't mistake its parent for a rival. The rest of the file guards the shared memory: keep it.
  const [, ...rest] = fs.readFileSync("data/postmaster.pid", "utf8").split("\n");
  fs.writeFileSync("data/postmaster.pid", [process.pid, ...rest].join("\n"));
}

/**
 * @param {import("./identity.mjs").Identity} identity
 * @param {string} program
 * @param {string[]} args
 * @param {string | null} libraryPath
 * @param {string} input written to its stdin
 */
export function run(identity, program, args, libraryPath, input = "") {
  const [command, rest] = commandLine(identity, program, args);
  const child = spawn(command, rest, {
    stdio: ["pipe", "pipe", "pipe"],
    env: environment(libraryPath),
    ...credentials(identity),
  });
  running = child;
  let tail = "";
  const keep = (/** @type {Buffer} */ chunk) => {
    appendLog(chunk);
    tail = (tail + chunk.toString()).slice(-2_000);
  };
  // A program that exits before reading everything explains why in its output.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  /** @type {Promise<{ code: number | null, tail: string }>} */
  const ended = new Promise((resolve) => {
    child.on("error", (error) => resolve({ code: null, tail: messageOf(error) }));
    child.on("close", (code) => resolve({ code, tail: tail.trim() }));
  });
  return { child, ended };
}

/** Call before changing anything in the directory. */
export function refuseOtherMajor() {
  if (!fs.existsSync("data/PG_VERSION")) return;
  const version = fs.readFileSync("data/PG_VERSION", "utf8").trim();
  if (version === MAJOR_VERSION) return;
  throw new Refusal(
    `${path.resolve("data")} was written by PostgreSQL ${version}, and this is PostgreSQL ${MAJOR_VERSION}. ` +
      "Make a backup with the version of Plumbline that ran before (npm run backup -- FILE), or take the newest one in " +
      "the folder backups of DATA_DIR. Then move the folder postgres away and restore the backup with this version " +
      "(npm run restore -- FILE). Nothing was changed.",
  );
}

/**
 * Call before changing anything in the directory.
 * @param {ReturnType<typeof import("./identity.mjs").findBinaries>} binaries
 */
export function refuseOtherBinaries({ root, bin }) {
  // The packaged binaries are of the right major version.
  if (root !== bin) return;
  for (const name of ["postgres", "initdb"]) {
    const { stdout } = spawnSync(path.join(bin, name), ["--version"], { encoding: "utf8" });
    const version = /\) (\d+)/.exec(stdout ?? "")?.[1];
    if (version === MAJOR_VERSION) continue;
    throw new Refusal(
      version === undefined
        ? `POSTGRES_BIN: there is no ${name} in ${bin} that can be run. Name the folder of a PostgreSQL ${MAJOR_VERSION}'s programs, such as /usr/lib/postgresql/${MAJOR_VERSION}/bin. Nothing was changed.`
        : `POSTGRES_BIN: ${bin} is of PostgreSQL ${version}, and the data in DATA_DIR needs PostgreSQL ${MAJOR_VERSION}. Nothing was changed.`,
    );
  }
}

/**
 * @param {import("./identity.mjs").Identity} identity
 * @param {string} bin
 * @param {string | null} libraryPath
 * @param {string} directory
 */
export async function initialise(identity, bin, libraryPath, directory) {
  if (fs.existsSync("data/PG_VERSION")) return;
  fs.rmSync("data.new", { recursive: true, force: true });
  const { ended } = run(
    identity,
    path.join(bin, "initdb"),
    [
      "--pgdata=data.new",
      `--username=${OWNER}`,
      // `guardSocket` allows connections once the owner has a password.
      "--auth-local=reject",
      "--auth-host=reject",
      "--encoding=UTF8",
      // The builtin provider, so that an upgrade of the system's C library can't break the order of an index.
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--data-checksums",
      "--no-instructions",
    ],
    libraryPath,
  );
  const { code, tail } = await ended;
  if (code !== 0) {
    throw new Refusal(`The embedded PostgreSQL couldn't be initialised in ${directory}: ${tail}`);
  }
  // Renamed atomically: an interrupted initdb starts over.
  fs.renameSync("data.new", "data");
}

/**
 * Requires passwords from all roles. The password is set before the rule that requires it, which is written
 * last: if killed in between, the next start repeats all of it. Also handles a lost password, and files from
 * before there was one.
 * @param {import("./identity.mjs").Identity} identity
 * @param {string} bin
 * @param {string | null} libraryPath
 * @param {readonly string[]} settings
 * @param {string} directory
 */
export async function guardSocket(identity, bin, libraryPath, settings, directory) {
  const password = ensurePassword(".");
  const rules = `# Written by Plumbline, and again at each start where it is another. Password ${fingerprintOf(password)}.
local all all scram-sha-256
`;
  if (fs.readFileSync("data/pg_hba.conf", "utf8") === rules) return;
  log("setting the password that roles connect with");
  const setPasswords = () =>
    run(
      identity,
      path.join(bin, "postgres"),
      [
        "--single",
        "-D",
        path.resolve("data"),
        ...[
          ...settings,
          "exit_on_error=on",
          // PostgreSQL would log a failing statement together with the password in it.
          "log_min_error_statement=panic",
        ].flatMap((setting) => ["-c", setting]),
        "postgres",
      ],
      libraryPath,
      // One command per line.
      `alter role ${OWNER} password '${password}'
do $$ begin if exists (select from pg_roles where rolname = '${APP_ROLE}') then alter role ${APP_ROLE} password '${passwordOf(password, APP_ROLE)}'; end if; end $$
`,
    ).ended;
  let { code, tail } = await setPasswords();
  // It may have been killed: others wait for the result of this start.
  if (code !== 0) ({ code, tail } = await setPasswords());
  if (code !== 0) {
    throw new Refusal(`The embedded PostgreSQL didn't take a password in ${directory}: ${tail}`);
  }
  const temporary = "data/pg_hba.conf.new";
  fs.writeFileSync(temporary, rules, { mode: 0o600, flush: true });
  if (identity.uid !== null && identity.gid !== null) {
    fs.chownSync(temporary, identity.uid, identity.gid);
  }
  fs.renameSync(temporary, "data/pg_hba.conf");
}
