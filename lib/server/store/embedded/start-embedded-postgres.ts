import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync } from "node:fs";
import { lstat, lutimes, readdir, readlink, symlink, unlink } from "node:fs/promises";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { fileProblem, makeFolder, plainMessage } from "@/lib/server/file-problem.mjs";
import { passwordOf, readPassword } from "./password.mjs";

/** A socket address holds 108 bytes on Linux and 104 on macOS, including the terminating zero. */
const SOCKET_ADDRESS_BYTES = 103;
const LONGEST_SOCKET_NAME = ".s.PGSQL.5432";
/** Longer than the supervisor allows for crash recovery. */
const READY_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 15_000;
const ALIAS_REFRESH_MS = 3_600_000;
/** The role created by `initdb`. Source: supervisor.mjs. */
const OWNER = "plumbline";

type EmbeddedPostgres = {
  /** For `pg`, as the owner of all objects; contains its password. */
  connectionString: string;
  /** Password of another role; null: run by an earlier version, in which roles need none. */
  passwordOf(role: string): string | null;
  /** Releases it; resolves when PostgreSQL has stopped, or at once while other processes use it. */
  stop(): Promise<void>;
};

/** Messages from the supervisor. Source: supervisor.mjs, "Wire". */
type SupervisorState =
  | { state: "starting" | "ready" | "stopping" }
  | { state: "failed"; message: string };

/**
 * Starts the PostgreSQL in `dataDir`, or joins it if another process already runs it. It runs as long as any
 * process holds it: when this process dies, the kernel closes its connection. If PostgreSQL or its supervisor
 * dies, it is restarted under the same connection string.
 * @param options.dataDir absolute or relative to the working directory; created if missing
 * @param options.projectRoot contains `node_modules` and `lib`; default: the working directory
 * @param options.bin directory with other PostgreSQL binaries; null: the packaged ones
 * @param options.settings PostgreSQL settings by name, for the process that starts it (tests); ignored when
 * joining
 * @throws Error whose message addresses the administrator
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: Logger;
  projectRoot?: string;
  bin?: string | null;
  settings?: Readonly<Record<string, string>>;
}): Promise<EmbeddedPostgres> {
  const { log, bin = null, settings = {} } = options;
  if (process.platform === "win32") {
    throw new Error(
      "The embedded PostgreSQL needs Linux or macOS; on Windows set DATABASE_URL to a PostgreSQL.",
    );
  }
  const projectRoot = options.projectRoot ?? process.cwd();
  const directory = path.resolve(options.dataDir, "postgres");
  const runDirectory = path.join(directory, "run");
  try {
    makeFolder(runDirectory);
  } catch (cause) {
    throw new Error(`DATA_DIR can't be used: ${plainMessage(cause)}`, { cause });
  }
  const socketDirectory = await shortNameOf(runDirectory);
  const launch = () => launchSupervisor({ directory, projectRoot, bin, settings });

  let control = await hold(socketDirectory, launch);
  const stopped = new AbortController();

  const bringBack = async () => {
    for (let delayMs = 100; !stopped.signal.aborted; delayMs = Math.min(delayMs * 2, 10_000)) {
      try {
        watch(await hold(socketDirectory, launch));
        return;
      } catch (error) {
        log.error({ err: error }, "the embedded PostgreSQL could not be restarted; retrying");
        await sleep(delayMs, undefined, { ref: false });
      }
    }
  };
  const watch = (socket: net.Socket) => {
    control = socket;
    if (stopped.signal.aborted) {
      socket.destroy();
      return;
    }
    // The database must not keep a finished process alive.
    socket.unref();
    const onClose = () => {
      if (stopped.signal.aborted) return;
      log.warn("the embedded PostgreSQL's supervisor is gone; starting another");
      void bringBack();
    };
    if (socket.closed) onClose();
    else socket.once("close", onClose);
  };
  watch(control);

  // Keeps cleaners of /tmp from removing it as old.
  const refresh = setInterval(() => {
    shortNameOf(runDirectory).catch((error: unknown) => {
      log.error({ err: error }, "the embedded PostgreSQL's short name could not be renewed");
    });
  }, ALIAS_REFRESH_MS).unref();

  // The password exists once it is ready.
  const password = readPassword(directory);
  const user = password === null ? OWNER : `${OWNER}:${password}`;
  return {
    connectionString: `postgresql://${user}@localhost/postgres?host=${encodeURIComponent(socketDirectory)}`,
    passwordOf: (role) => (password === null ? null : passwordOf(password, role)),
    stop: async () => {
      stopped.abort();
      clearInterval(refresh);
      const socket = control;
      if (socket.closed) return;
      socket.ref();
      const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
      socket.end();
      const limit = setTimeout(() => socket.destroy(), STOP_LIMIT_MS);
      await closed;
      clearTimeout(limit);
    },
  };
}

/**
 * A path to the directory that is short enough for a socket address: the directory itself, or a symbolic link
 * in the temporary directory. The sockets are always inside DATA_DIR, so all processes that share it find the
 * same ones.
 */
async function shortNameOf(runDirectory: string): Promise<string> {
  if (fits(runDirectory)) return runDirectory;
  const digest = createHash("sha256").update(runDirectory).digest("hex").slice(0, 16);
  const name = `plumbline-${process.getuid?.() ?? 0}-${digest}`;
  const alias = [path.join(tmpdir(), name), path.join("/tmp", name)].find(fits);
  if (alias === undefined) throw new Error(`DATA_DIR is too long: ${runDirectory}.`);

  try {
    await symlink(runDirectory, alias);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    const found = await lstat(alias);
    // Other users can create files there; only our own link is followed.
    if (found.uid !== process.getuid?.() || !found.isSymbolicLink()) {
      throw new Error(
        `${alias} belongs to another user; remove it, or choose a shorter DATA_DIR.`,
        { cause: error },
      );
    }
    if ((await readlink(alias)) === runDirectory) {
      const now = new Date();
      await lutimes(alias, now, now);
    } else {
      await unlink(alias);
      return shortNameOf(runDirectory);
    }
  }
  return alias;
}

function fits(directory: string): boolean {
  return Buffer.byteLength(path.join(directory, LONGEST_SOCKET_NAME)) <= SOCKET_ADDRESS_BYTES;
}

/** Connects to the running supervisor, launching one if there is none, and waits for "ready". */
async function hold(
  socketDirectory: string,
  launch: () => ReturnType<typeof launchSupervisor>,
): Promise<net.Socket> {
  const deadline = AbortSignal.timeout(READY_LIMIT_MS);
  let launched: ReturnType<typeof launchSupervisor> | null = null;
  for (;;) {
    if (deadline.aborted) {
      throw new Error("The embedded PostgreSQL wasn't ready within two minutes.");
    }
    const socket = await connectToSupervisor(socketDirectory);
    if (socket !== null) {
      if (await isReady(socket, deadline)) return socket;
      // It was shutting down; this process launches the next one.
      launched = null;
    } else if (launched === null) {
      launched = launch();
    } else if (launched.outcome !== null) {
      // A supervisor that lost the election to another exits silently.
      if (launched.outcome !== "") throw new Error(launched.outcome);
      launched = null;
    }
    await sleep(25);
  }
}

const NO_LISTENER: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "EAGAIN",
]);

/** @returns null when no supervisor is listening */
async function connectToSupervisor(socketDirectory: string): Promise<net.Socket | null> {
  const generations = (await readdir(socketDirectory)).flatMap((name) => {
    const match = /^control\.(\d+)$/.exec(name);
    return match ? [Number(match[1])] : [];
  });
  if (generations.length === 0) return null;
  const address = path.join(socketDirectory, `control.${Math.max(...generations)}`);
  return new Promise((resolve, reject) => {
    const socket = net.connect(address);
    socket.once("connect", () => {
      socket.removeAllListeners("error");
      // A reset adds nothing to the close that follows it.
      socket.on("error", () => {});
      socket.write("hold\n");
      resolve(socket);
    });
    socket.once("error", (error) => {
      const code = codeOf(error);
      // ECONNRESET: it ended while this connection was queued.
      if (NO_LISTENER.has(code)) resolve(null);
      else if (code === "EACCES") {
        reject(
          new Error(`DATA_DIR is in use by another user: no access to ${address}.`, {
            cause: error,
          }),
        );
      } else reject(error);
    });
  });
}

/**
 * @returns false when the supervisor is shutting down
 * @throws Error with the supervisor's message when PostgreSQL can't start
 */
function isReady(socket: net.Socket, deadline: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onDeadline = () => socket.destroy();
    deadline.addEventListener("abort", onDeadline);
    socket.once("close", () => {
      deadline.removeEventListener("abort", onDeadline);
      resolve(false);
    });
    const lines = createInterface({ input: socket });
    // readline re-emits the socket's errors, which would crash the process without a listener.
    lines.on("error", () => {});
    lines.on("line", (line) => {
      const said = JSON.parse(line) as SupervisorState;
      if (said.state === "ready") {
        deadline.removeEventListener("abort", onDeadline);
        resolve(true);
      } else if (said.state === "failed") {
        reject(new Error(said.message));
        socket.destroy();
      }
    });
  });
}

/**
 * @returns `outcome`: null while it runs, "" after a clean exit, else why it exited before reporting on its
 * socket
 */
function launchSupervisor(options: {
  directory: string;
  projectRoot: string;
  bin: string | null;
  settings: Readonly<Record<string, string>>;
}): { outcome: string | null } {
  const script = path.join(options.projectRoot, "lib/server/store/embedded/supervisor.mjs");
  const errorsFile = path.join(options.directory, "supervisor.err");
  const errors = openSync(errorsFile, "w", 0o600);
  const launched: { outcome: string | null } = { outcome: null };
  const child = spawn(
    process.execPath,
    [
      script,
      options.directory,
      options.projectRoot,
      ...Object.entries(options.settings).map(([name, value]) => `${name}=${value}`),
    ],
    {
      // A separate session, which Ctrl-C and signals to the app's process group don't reach.
      detached: true,
      stdio: ["ignore", errors, errors],
      // Nothing else: the environment contains secrets, and NODE_OPTIONS is meant for the app.
      env: {
        PATH: process.env["PATH"],
        NODE_ENV: "production",
        ...(options.bin !== null && { POSTGRES_BIN: options.bin }),
      },
    },
  );
  closeSync(errors);
  child.unref();
  child.once("error", (error) => {
    launched.outcome = `The embedded PostgreSQL didn't start: ${fileProblem(error) ?? error.message}.`;
  });
  child.once("exit", (code) => {
    launched.outcome =
      code === 0
        ? ""
        : `The embedded PostgreSQL didn't start: ${readFileSync(errorsFile, "utf8").trim().slice(-1_000)}`;
  });
  return launched;
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
