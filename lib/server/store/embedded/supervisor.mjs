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
 * and from a process that came to stay, once: hold. A rival that only asks whether this one lives
 * (`election.mjs`) says nothing.
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

// Relative names from here on: a Unix socket's address holds about 100 bytes.
process.chdir(directory);

/** @type {{ state: "starting" | "ready" | "stopping" } | { state: "failed", message: string }} */
let status = { state: "starting" };
/** @type {Set<net.Socket>} */
const clients = new Set();
/** @type {number | null} */
let generation = null;
let finishing = false;
/** Whoever started this process isn't here yet; until then, rivals that look and leave don't end it. */
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

// Half-open: the last client to leave sees its connection closed only when PostgreSQL has stopped.
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

/**
 * Starts PostgreSQL and starts it again whenever it ends by itself, until `finish`.
 */
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
setTimeout(() => {
  expected = false;
  finishWhenUnused();
}, FIRST_CLIENT_MS);

keepRunning().catch((/** @type {unknown} */ error) => {
  // Nobody wants it any more, and what was under way was cut short for that: whoever comes now starts anew.
  if (finishing) return;
  const message =
    error instanceof Refusal
      ? error.message
      : `The embedded PostgreSQL failed in ${directory}: ${messageOf(error)}`;
  log(message);
  announce({ state: "failed", message });
  // Clients leave when they have read it; one that does not is not waited for.
  setTimeout(() => void finish(1), 2_000);
});
