/**
 * Runs the embedded PostgreSQL of one directory for as long as any process uses it.
 *
 *   node supervisor.mjs <directory> <projectRoot> [name=value of a PostgreSQL setting ...]
 *
 * Started detached, in a separate session, by `start-embedded-postgres.ts`. Every process that uses the
 * database holds a connection to the control socket, which the kernel closes however that process ends (also by
 * kill -9). When the last one is gone, PostgreSQL is stopped.
 *
 * Only one supervisor per directory: the listening socket `run/control.<n>` is the lock. Its name is created by
 * link(2), which succeeds for one candidate, whose socket is already listening, so a refused connection means a
 * dead holder. A dead holder's name is never taken over, only followed by n + 1, so a name that another process
 * has just renewed is never removed.
 *
 * Wire: one JSON object per line, from here to the client:
 *   {"state":"starting"} | {"state":"ready"} | {"state":"stopping"} | {"state":"failed","message":string}
 * and from a process that holds the database, once:
 *   hold
 * A rival that only checks whether this one is alive (`election.mjs`) sends nothing.
 *
 * Plain JavaScript, because it runs under plain node next to a bundled app.
 */
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { elect } from "./election.mjs";
import { chooseIdentity, completeLibraries, findBinaries } from "./identity.mjs";
import {
  clearLeftovers,
  guardSocket,
  initialise,
  postmaster,
  refuseOtherBinaries,
  refuseOtherMajor,
  run,
  stopPostmaster,
  stopRunning,
  waitFor,
} from "./postgres-process.mjs";
import { removeFile } from "./remove-file.mjs";
import { log, messageOf, Refusal } from "./supervisor-log.mjs";

const [directory = "", projectRoot = "", ...extraSettings] = process.argv.slice(2);

/** Longest duration of a start; crash recovery replays the write-ahead log. */
const START_MS = 90_000;
/** Without any client this long after the election, the launching process is gone. */
const FIRST_CLIENT_MS = 10_000;

/** @type {readonly string[]} */
const SETTINGS = [
  "listen_addresses=",
  "port=5432",
  // Relative to the data directory, so that the length of DATA_DIR can't exceed a socket address.
  "unix_socket_directories=../run",
  "unix_socket_permissions=0700",
  "timezone=UTC",
  "log_timezone=UTC",
  "log_checkpoints=off",
  // Bounds the write-ahead log, because recording needs disk space too.
  "max_wal_size=256MB",
  // For solid-state storage: with the default of 4, deep pages are sorted instead of read through an index.
  "random_page_cost=1.1",
  // Small footprint: no parallel workers (which need /dev/shm), no I/O workers.
  "max_parallel_workers_per_gather=0",
  "io_method=sync",
  "jit=off",
];

// Relative paths from here on: a Unix socket address holds about 100 bytes.
process.chdir(directory);

/** @type {{ state: "starting" | "ready" | "stopping" } | { state: "failed", message: string }} */
let status = { state: "starting" };
/** @type {Set<net.Socket>} */
const clients = new Set();
/** @type {number | null} */
let generation = null;
let finishing = false;
/** The launching process hasn't connected yet; until then, disconnecting rivals don't end this process. */
let expected = true;

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
  await stopRunning();
  log("ends");
  if (generation !== null) removeFile(`run/control.${generation}`);
  process.exit(code);
}

function finishWhenUnused() {
  if (clients.size === 0) void finish(0);
}

// Half-open: the last client to leave sees its connection closed only once PostgreSQL has stopped.
const server = net.createServer({ allowHalfOpen: true }, (client) => {
  const leave = () => {
    clients.delete(client);
    if (!expected) finishWhenUnused();
    if (!finishing) client.end();
  };
  clients.add(client);
  client.write(`${JSON.stringify(status)}\n`);
  client.on("data", () => {
    expected = false;
  });
  client.on("error", () => {});
  client.on("end", leave);
  client.on("close", leave);
});

/** Starts PostgreSQL, and restarts it whenever it exits, until `finish`. */
async function keepRunning() {
  refuseOtherMajor();
  const binaries = findBinaries(projectRoot, process.env["POSTGRES_BIN"]);
  refuseOtherBinaries(binaries);
  const libraryPath = completeLibraries(binaries);
  await clearLeftovers();
  const identity = chooseIdentity(binaries, libraryPath, directory);
  await initialise(identity, binaries.bin, libraryPath, directory);
  const settings = [...SETTINGS, ...extraSettings];
  await guardSocket(identity, binaries.bin, libraryPath, settings, directory);

  let everReady = false;
  for (let failures = 0; ;) {
    const args = ["-D", path.resolve("data"), ...settings.flatMap((setting) => ["-c", setting])];
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
    // Ended by `finish`, which ends this process too.
    if (finishing) return;
    failures += 1;
    log(`PostgreSQL ${child.pid ?? ""} ended by itself with code ${code ?? "none"}`);
    // After a kill -9, its children may briefly hold the shared memory.
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
  // Read by the launching process; there is no socket to report it on.
  console.error(
    `${directory} can't hold sockets or hard links (${messageOf(error)}). ` +
      "Put DATA_DIR on a local disk, or set DATABASE_URL to a PostgreSQL of your own.",
  );
  process.exit(1);
}
if (generation === null) process.exit(0);
log(`holds generation ${generation}`);
setTimeout(() => {
  expected = false;
  finishWhenUnused();
}, FIRST_CLIENT_MS);

keepRunning().catch((/** @type {unknown} */ error) => {
  // It is no longer used, and was interrupted for that reason: a new client starts over.
  if (finishing) return;
  const message =
    error instanceof Refusal
      ? error.message
      : `The embedded PostgreSQL failed in ${directory}: ${messageOf(error)}`;
  log(message);
  announce({ state: "failed", message });
  // Clients disconnect once they have read it; after this delay, the others are not waited for.
  setTimeout(() => void finish(1), 2_000);
});
