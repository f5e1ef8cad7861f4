/**
 * Runs the embedded PostgreSQL of one directory for as long as any process wants it.
 *
 *   node supervisor.mjs <directory> <projectRoot> [name=value of a PostgreSQL setting ...]
 *
 * Started detached, in a session of its own, by `start-embedded-postgres.ts`. Every process that
 * uses the database holds a connection to the control socket; the kernel closes it however that
 * process ends (kill -9 too), and when the last one is gone PostgreSQL is stopped.
 *
 * Only one supervisor per directory: the listening socket `run/control.<n>` is the lock. Its name
 * appears by link(2), which one candidate wins, already listening, so a refused connection means a
 * dead holder. A dead holder's name is never taken over, only followed by n + 1: removing a name
 * that somebody else has just renewed is therefore impossible.
 *
 * Wire: one JSON object a line, from here to the client:
 *   {"state":"starting"} | {"state":"ready"} | {"state":"stopping"} | {"state":"failed","message":string}
 *
 * Plain JavaScript, because it runs under plain node next to a bundled app.
 */
import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const [directory = "", projectRoot = "", ...extraSettings] = process.argv.slice(2);

/** A PostgreSQL of another major version cannot read the files. */
const MAJOR_VERSION = "18";
const NOBODY = 65534;
const LOG_LIMIT_BYTES = 5 * 1024 * 1024;
/** A fast shutdown writes a checkpoint; what takes longer is cut short, and recovers at the next start. */
const FAST_STOP_MS = 5_000;
/** How long a start may take before it counts as failed; recovery after a crash replays the log. */
const START_MS = 90_000;
/** Without any client this long after the election, whoever started us is gone. */
const FIRST_CLIENT_MS = 10_000;

/** @type {readonly string[]} */
const SETTINGS = [
  "listen_addresses=",
  "port=5432",
  // Relative to the data directory, so that no length of DATA_DIR exceeds a socket address.
  "unix_socket_directories=../run",
  "unix_socket_permissions=0700",
  "timezone=UTC",
  "log_timezone=UTC",
  "log_checkpoints=off",
  // The log is bounded by disk space that recording also needs.
  "max_wal_size=256MB",
  // Its files lie on solid state or in memory: with the default of 4, deep pages are sorted, not walked.
  "random_page_cost=1.1",
  // Small and quiet: no parallel workers (nor the /dev/shm that they need), no I/O workers.
  "max_parallel_workers_per_gather=0",
  "io_method=sync",
  "jit=off",
];

/** A failure whose message is a sentence for the person who starts the app. */
class Refusal extends Error {}

// Relative names from here on: a Unix socket's address holds about 100 bytes.
process.chdir(directory);

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/** @param {string} line */
function log(line) {
  appendLog(`${new Date().toISOString()} supervisor ${process.pid}: ${line}\n`);
}

/** @param {string | Buffer} text */
function appendLog(text) {
  // A full disk must not end the supervisor.
  try {
    fs.appendFileSync("postgres.log", text, { mode: 0o600 });
    if (fs.statSync("postgres.log").size > LOG_LIMIT_BYTES) {
      fs.renameSync("postgres.log", "postgres.log.1");
    }
  } catch {}
}

// ---------------------------------------------------------------- election

/** @returns {number[]} generations present, ascending */
function generations() {
  return fs
    .readdirSync("run")
    .flatMap((name) => {
      const match = /^control\.(\d+)$/.exec(name);
      return match ? [Number(match[1])] : [];
    })
    .toSorted((a, b) => a - b);
}

/**
 * @param {number} generation
 * @returns {Promise<boolean>} false only when the kernel says that nobody listens
 */
function isHeld(generation) {
  return new Promise((resolve) => {
    const probe = net.connect(`run/control.${generation}`);
    probe.on("connect", () => {
      probe.destroy();
      resolve(true);
    });
    probe.on("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      resolve(error.code !== "ECONNREFUSED" && error.code !== "ENOENT");
    });
  });
}

/**
 * @param {net.Server} server
 * @returns {Promise<number | null>} the generation won, or null: another supervisor lives
 */
async function elect(server) {
  const candidate = `run/candidate.${randomUUID().slice(0, 8)}`;
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(candidate, () => resolve(undefined));
  });
  try {
    const latest = generations().at(-1) ?? 0;
    if (latest > 0 && (await isHeld(latest))) return null;
    const mine = latest + 1;
    try {
      fs.linkSync(candidate, `run/control.${mine}`);
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      // EEXIST: another was faster. ENOENT: it has even swept our candidate away.
      if (code === "EEXIST" || code === "ENOENT") return null;
      throw error;
    }
    // We may have read the list before others came and went; the highest name counts.
    if ((generations().at(-1) ?? 0) > mine) {
      fs.rmSync(`run/control.${mine}`, { force: true });
      return null;
    }
    for (const name of fs.readdirSync("run")) {
      const isOlder = generations().some((n) => n < mine && name === `control.${n}`);
      if (isOlder || name.startsWith("candidate.")) fs.rmSync(`run/${name}`, { force: true });
    }
    return mine;
  } finally {
    fs.rmSync(candidate, { force: true });
  }
}

// ---------------------------------------------------------------- binaries and identity

/** @returns {{ bin: string, lib: string, links: { source: string, target: string }[], root: string }} */
function findBinaries() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry;
  try {
    entry = createRequire(path.join(projectRoot, "package.json")).resolve(name);
  } catch {
    throw new Refusal(
      `The embedded PostgreSQL for ${process.platform}-${process.arch} (package ${name}) is not installed. ` +
        "Install with optional dependencies, or set DATABASE_URL to a PostgreSQL of your own.",
    );
  }
  const root = path.resolve(path.dirname(entry), "..");
  const linksFile = path.join(root, "native", "pg-symlinks.json");
  return {
    root,
    bin: path.join(root, "native", "bin"),
    lib: path.join(root, "native", "lib"),
    links: fs.existsSync(linksFile) ? JSON.parse(fs.readFileSync(linksFile, "utf8")) : [],
  };
}

/**
 * An npm package cannot hold symbolic links, so the libraries' short names are made after
 * installing. Where npm was told to run no scripts, or node_modules is read-only, they are made here.
 * @param {ReturnType<typeof findBinaries>} binaries
 * @returns {string | null} a library path, or null when nothing is missing
 */
function completeLibraries({ root, lib, links }) {
  const missing = links.filter(({ target }) => !fs.existsSync(path.join(root, target)));
  if (missing.length === 0) return null;
  fs.rmSync("lib", { recursive: true, force: true });
  fs.mkdirSync("lib", { mode: 0o755 });
  for (const { source, target } of missing) {
    fs.symlinkSync(path.join(root, source), path.join("lib", path.basename(target)));
  }
  // Libraries found through a link look for their own beside the link: name the real place too.
  return `${path.resolve("lib")}:${lib}`;
}

/**
 * As whom PostgreSQL runs; it refuses root.
 * @typedef {object} Identity
 * @property {string} name
 * @property {string[]} prefix command and arguments in front of the program's own
 * @property {number | null} uid null: ours
 * @property {number | null} gid
 * @property {number | null} ownerUid who must own the files; null: leave them alone
 */

/** @returns {Identity[]} best first */
function identities() {
  if (process.getuid?.() !== 0) {
    return [{ name: "this user", prefix: [], uid: null, gid: null, ownerUid: null }];
  }
  return [
    {
      // Root outside, nobody inside: reaches 0700 directories and root's files, and needs no chown.
      name: "a user namespace",
      prefix: ["unshare", "--user", `--map-user=${NOBODY}`, `--map-group=${NOBODY}`],
      uid: null,
      gid: null,
      ownerUid: 0,
    },
    { name: "uid nobody", prefix: [], uid: NOBODY, gid: NOBODY, ownerUid: NOBODY },
  ];
}

/** Nothing of the app's environment: it holds secrets, and PGDATA and its like would mislead. */
function environment(/** @type {string | null} */ libraryPath) {
  const name = process.platform === "darwin" ? "DYLD_LIBRARY_PATH" : "LD_LIBRARY_PATH";
  return {
    NODE_ENV: /** @type {const} */ ("production"),
    PATH: process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
    LC_ALL: "C",
    TZ: "UTC",
    ...(libraryPath === null ? {} : { [name]: libraryPath }),
  };
}

/**
 * @param {Identity} identity
 * @param {string} program
 * @param {string[]} args
 * @returns {[string, string[]]}
 */
function commandLine(identity, program, args) {
  const [command = program, ...rest] = [...identity.prefix, program, ...args];
  return [command, rest];
}

/** @param {Identity} identity */
function credentials({ uid, gid }) {
  return { ...(uid === null ? {} : { uid }), ...(gid === null ? {} : { gid }) };
}

/**
 * @param {string} target a directory, whose links are not followed
 * @param {number} uid
 */
function ownTree(target, uid) {
  if (fs.lstatSync(target).uid !== uid) fs.lchownSync(target, uid, uid);
  if (!fs.lstatSync(target).isDirectory()) return;
  for (const name of fs.readdirSync(target)) ownTree(path.join(target, name), uid);
}

/**
 * @param {Identity} identity
 * @param {string | null} libraryPath
 * @param {string} script for sh, with `args` as $1, $2, ...
 * @param {string[]} args
 * @returns {string | null} why it failed, or null
 */
function refusalOf(identity, libraryPath, script, args) {
  const [command, rest] = commandLine(identity, "/bin/sh", ["-c", script, "sh", ...args]);
  const probe = spawnSync(command, rest, {
    encoding: "utf8",
    env: environment(libraryPath),
    ...credentials(identity),
  });
  if (probe.status === 0) return null;
  if (probe.error !== undefined) return probe.error.message;
  return probe.stderr.trim().split("\n").at(-1) || `${args.join(" ")} isn't accessible`;
}

/**
 * The first identity that can execute PostgreSQL and write into the directory.
 * @param {ReturnType<typeof findBinaries>} binaries
 * @param {string | null} libraryPath
 */
function chooseIdentity(binaries, libraryPath) {
  const refused = [];
  for (const identity of identities()) {
    let reason = refusalOf(identity, libraryPath, 'exec "$1" --version', [
      path.join(binaries.bin, "postgres"),
    ]);
    if (reason === null) {
      if (identity.ownerUid !== null) ownTree(".", identity.ownerUid);
      reason = refusalOf(identity, libraryPath, 'test -w "$1" && test -x "$1"', [directory]);
    }
    if (reason === null) return identity;
    refused.push(`${identity.name}: ${reason}`);
  }
  if (process.getuid?.() !== 0) {
    throw new Refusal(
      `The embedded PostgreSQL can't run in ${directory} (${refused.join("; ")}). ` +
        "Let this user write there, or set DATABASE_URL to a PostgreSQL of your own.",
    );
  }
  throw new Refusal(
    `PostgreSQL refuses to run as root, and nothing else works here (${refused.join("; ")}). ` +
      "Start as an ordinary user that owns DATA_DIR, or put both the project and DATA_DIR where every user has access, " +
      "or allow user namespaces, or set DATABASE_URL to a PostgreSQL of your own.",
  );
}

// ---------------------------------------------------------------- PostgreSQL

/** @returns {{ pid: number, ready: boolean } | null} what data/postmaster.pid says */
function postmaster() {
  let lines;
  try {
    lines = fs.readFileSync("data/postmaster.pid", "utf8").split("\n");
  } catch {
    return null;
  }
  const pid = Number(lines[0]);
  return pid > 0 ? { pid, ready: lines[7]?.trim() === "ready" } : null;
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
  // An orphan whose new parent reaps nothing (an app as process 1 of a container) stays a zombie.
  try {
    return !/^\d+ \(.*\) Z/s.test(fs.readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return process.platform !== "linux";
  }
}

/** @param {number} pid whether it is the PostgreSQL of this very directory, not a stranger with a reused number */
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
async function waitFor(condition, limitMs) {
  for (let waitedMs = 0; waitedMs < limitMs; waitedMs += 20) {
    if (condition()) return true;
    await sleep(20);
  }
  return condition();
}

/** @param {number} pid */
async function stopPostmaster(pid) {
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

/** Nobody else holds this directory: a PostgreSQL in it was left by a supervisor that was killed. */
async function clearLeftovers() {
  const left = postmaster();
  if (left === null) return;
  if (isAlive(left.pid) && isOurs(left.pid)) {
    log(`stopping PostgreSQL ${left.pid}, left behind`);
    await stopPostmaster(left.pid);
  }
  if (postmaster() === null) return;
  // The number may by now be a stranger's (a restarted container), and PostgreSQL would take that one
  // for a rival; its own parent it does not. The rest of the file guards the shared memory: keep it.
  const [, ...rest] = fs.readFileSync("data/postmaster.pid", "utf8").split("\n");
  fs.writeFileSync("data/postmaster.pid", [process.pid, ...rest].join("\n"));
}

/**
 * @param {Identity} identity
 * @param {string} program
 * @param {string[]} args
 * @param {string | null} libraryPath
 */
function run(identity, program, args, libraryPath) {
  const [command, rest] = commandLine(identity, program, args);
  const child = spawn(command, rest, {
    stdio: ["ignore", "pipe", "pipe"],
    env: environment(libraryPath),
    ...credentials(identity),
  });
  running = child;
  let tail = "";
  const keep = (/** @type {Buffer} */ chunk) => {
    appendLog(chunk);
    tail = (tail + chunk.toString()).slice(-2_000);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  /** @type {Promise<{ code: number | null, tail: string }>} */
  const ended = new Promise((resolve) => {
    child.on("error", (error) => resolve({ code: null, tail: error.message }));
    child.on("close", (code) => resolve({ code, tail: tail.trim() }));
  });
  return { child, ended };
}

/**
 * @param {Identity} identity
 * @param {string} bin
 * @param {string | null} libraryPath
 */
async function initialise(identity, bin, libraryPath) {
  if (fs.existsSync("data/PG_VERSION")) {
    const version = fs.readFileSync("data/PG_VERSION", "utf8").trim();
    if (version === MAJOR_VERSION) return;
    throw new Refusal(
      `${path.resolve("data")} was written by PostgreSQL ${version}, and this is PostgreSQL ${MAJOR_VERSION}. ` +
        "Move it away, or go back to the version that wrote it and take a dump first.",
    );
  }
  fs.rmSync("data.new", { recursive: true, force: true });
  const { ended } = run(
    identity,
    path.join(bin, "initdb"),
    [
      "--pgdata=data.new",
      "--username=plumbline",
      // Whoever can enter the 0700 directory of the socket can also read the files: a password
      // beside them would guard nothing. There is no other door (listen_addresses is empty).
      "--auth-local=trust",
      "--auth-host=reject",
      "--encoding=UTF8",
      // Built in, so that an upgrade of the machine's C library cannot break an index's order.
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
  // Appears whole or not at all: an interrupted initdb starts over.
  fs.renameSync("data.new", "data");
}

// ---------------------------------------------------------------- life

/** @type {{ state: "starting" | "ready" | "stopping" } | { state: "failed", message: string }} */
let status = { state: "starting" };
/** @type {Set<net.Socket>} */
const clients = new Set();
/** @type {number | null} */
let generation = null;
/** @type {import("node:child_process").ChildProcess | null} PostgreSQL, or initdb before it */
let running = null;
let finishing = false;

/** @param {typeof status} next */
function announce(next) {
  status = next;
  for (const client of clients) client.write(`${JSON.stringify(status)}\n`);
}

/** @param {number} code */
async function finish(code) {
  if (finishing) return;
  finishing = true;
  if (status.state !== "failed") announce({ state: "stopping" });
  if (running?.pid !== undefined) await stopPostmaster(running.pid);
  log("ends");
  if (generation !== null) fs.rmSync(`run/control.${generation}`, { force: true });
  process.exit(code);
}

function finishWhenUnused() {
  if (clients.size === 0) void finish(0);
}

// Half-open: the last client to leave sees its connection closed only when PostgreSQL has stopped.
const server = net.createServer({ allowHalfOpen: true }, (client) => {
  const leave = () => {
    clients.delete(client);
    finishWhenUnused();
    if (!finishing) client.end();
  };
  clients.add(client);
  client.write(`${JSON.stringify(status)}\n`);
  client.resume();
  client.on("error", () => {});
  client.on("end", leave);
  client.on("close", leave);
});

/**
 * Starts PostgreSQL and starts it again whenever it ends by itself, until `finish`.
 */
async function keepRunning() {
  const binaries = findBinaries();
  const libraryPath = completeLibraries(binaries);
  await clearLeftovers();
  const identity = chooseIdentity(binaries, libraryPath);
  await initialise(identity, binaries.bin, libraryPath);

  let everReady = false;
  for (let failures = 0; ;) {
    const args = [
      "-D",
      path.resolve("data"),
      ...[...SETTINGS, ...extraSettings].flatMap((setting) => ["-c", setting]),
    ];
    const { child, ended } = run(identity, path.join(binaries.bin, "postgres"), args, libraryPath);
    let over = false;
    const outcome = ended.then((result) => {
      over = true;
      return result;
    });
    await waitFor(() => {
      const current = postmaster();
      return over || (current !== null && current.pid === child.pid && current.ready);
    }, START_MS);
    if (!over && postmaster()?.ready === true) {
      everReady = true;
      failures = 0;
      log(`PostgreSQL ${child.pid} is ready, running as ${identity.name}`);
      if (status.state === "starting") announce({ state: "ready" });
    } else if (!over && child.pid !== undefined) {
      await stopPostmaster(child.pid);
    }
    const { code, tail } = await outcome;
    // `finish` was what ended it, and ends this process too.
    if (finishing) return;
    failures += 1;
    log(`PostgreSQL ${child.pid ?? ""} ended by itself with code ${code ?? "none"}`);
    // After a kill -9 its children may hold the shared memory for a moment.
    if (!everReady && failures >= 5) {
      throw new Refusal(`The embedded PostgreSQL didn't start in ${directory}: ${tail}`);
    }
    if (status.state === "ready") announce({ state: "starting" });
    await sleep(Math.min(200 * 2 ** (failures - 1), 10_000));
    await clearLeftovers();
  }
}

// Sent to every process of a service at once while the app still drains: the last client decides.
for (const signal of /** @type {const} */ (["SIGTERM", "SIGINT", "SIGHUP"])) {
  process.on(signal, finishWhenUnused);
}

fs.mkdirSync("run", { recursive: true, mode: 0o700 });
try {
  generation = await elect(server);
} catch (error) {
  // Read by whoever launched us; there is no socket to say it on.
  console.error(
    `${directory} can't hold sockets or hard links (${messageOf(error)}). ` +
      "Put DATA_DIR on a local disk, or set DATABASE_URL to a PostgreSQL of your own.",
  );
  process.exit(1);
}
if (generation === null) process.exit(0);
log(`holds generation ${generation}`);
setTimeout(finishWhenUnused, FIRST_CLIENT_MS);

keepRunning().catch((/** @type {unknown} */ error) => {
  const message =
    error instanceof Refusal
      ? error.message
      : `The embedded PostgreSQL failed in ${directory}: ${messageOf(error)}`;
  log(message);
  announce({ state: "failed", message });
  // Clients leave when they have read it; one that does not is not waited for.
  setTimeout(() => void finish(1), 2_000);
});
