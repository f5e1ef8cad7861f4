import fs from "node:fs";
import path from "node:path";

// Messages for file and network errors, for administrators: without error codes such as ENOENT.

/** Bounded, because an error may be its own cause. */
const MAX_CAUSES = 10;

const FORBIDDEN = "Plumbline isn't allowed to use it; check its owner and permissions";
const FULL = "the disk is full; free some space";

/** @type {Readonly<Record<string, string>>} The problem and its solution, as text to follow a colon. */
const PROBLEMS = {
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EROFS: "the disk is read-only; choose another place or make it writable",
  ENOENT: "it doesn't exist, or can't be created there; check the path",
  ENOTDIR: "part of the path is a file, not a folder; choose another path",
  EISDIR: "it's a folder, not a file; choose another path",
  EEXIST: "something else is in its place; move that away or choose another path",
  ENOSPC: FULL,
  EDQUOT: FULL,
  EFBIG: "the file would be larger than the disk allows",
  ENAMETOOLONG: "the path is too long; choose a shorter one",
  ELOOP: "its symbolic links lead in a circle",
  EMFILE: "too many files are open; raise the limit on open files",
  ENFILE: "too many files are open; raise the limit on open files",
  EBUSY: "it's in use by another program",
  EIO: "the disk failed to read or write it; check the disk",
  EXDEV: "it's on another disk",
  ENOTEMPTY: "the folder isn't empty",
  ENOTSUP: "the file system doesn't support it; choose another place",
  EOPNOTSUPP: "the file system doesn't support it; choose another place",
  EINVAL: "the file system doesn't support it; choose another place",
  EADDRINUSE: "another program already uses this port; set PORT to another one",
  EADDRNOTAVAIL: "this machine doesn't have that address; check HOST",
};

/** @type {Readonly<Record<string, string>>} Same, for connections. */
const CONNECTION_PROBLEMS = {
  ECONNREFUSED: "nothing answers there; check that it's running, and the address",
  ENOENT: "nothing answers there; check that it's running, and the path",
  EACCES: "Plumbline isn't allowed to connect; check the permissions",
  EPERM: "Plumbline isn't allowed to connect; check the permissions",
  ENOTFOUND: "there's no machine of that name; check the name",
  EAI_AGAIN: "the name can't be looked up right now; check the network and its DNS",
  ETIMEDOUT: "it doesn't answer in time; check the address and the network",
  EHOSTUNREACH: "it can't be reached from here; check the address and the network",
  ENETUNREACH: "it can't be reached from here; check the address and the network",
  EADDRNOTAVAIL: "it can't be reached from here; check the address and the network",
  EAGAIN: "it's too busy to answer; try again",
  ECONNRESET: "it ended the connection; try again",
  ECONNABORTED: "it ended the connection; try again",
  EPIPE: "it ended the connection; try again",
};
const OF_CONNECTIONS = new Set(["connect", "getaddrinfo", "read", "write"]);

/**
 * A sentence about a connection error, which names the remote host or socket.
 * @param {Error} error
 * @returns {string | null} null: not a connection error
 */
function connectionProblem(error) {
  // For a host with several addresses, the aggregate error has no message, code or address.
  if (error instanceof AggregateError && error.errors[0] instanceof Error) {
    return connectionProblem(error.errors[0]);
  }
  const { code, syscall, address, port, hostname, path: socket } = /** @type {any} */ (error);
  const isOfFile = socket !== undefined && syscall !== "connect";
  if (isOfFile || !OF_CONNECTIONS.has(syscall)) return null;
  const problem = CONNECTION_PROBLEMS[String(code)];
  if (problem === undefined && (syscall === "read" || syscall === "write")) return null;
  const host = hostname ?? address ?? socket;
  const where = host === undefined ? "The other end" : `${host}${port > 0 ? `:${port}` : ""}`;
  return `${where}: ${problem ?? "it can't be reached; check the address and the network"}.`;
}

/**
 * Text about a file error.
 * @param {unknown} error
 * @returns {string | null} to follow a colon, without a period; null: not a system error
 */
export function fileProblem(error) {
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return null;
  return PROBLEMS[String(error.code)] ?? "the system refused it";
}

/**
 * A sentence about an error, which for system errors names the path, or the remote end of the connection.
 * @param {unknown} error
 */
export function plainMessage(error) {
  if (!(error instanceof Error)) return String(error);
  const connection = connectionProblem(error);
  if (connection !== null) return connection;
  const problem = fileProblem(error);
  if (problem === null) return error.message;
  if ("path" in error) return `${String(error.path)}: ${problem}.`;
  return "code" in error && String(error.code) in PROBLEMS
    ? `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`
    : error.message;
}

/**
 * Same, for the root cause of an error; the outer errors describe the operation, such as a query.
 * @param {unknown} error
 */
export function plainCause(error) {
  let root = error;
  for (let depth = 0; depth < MAX_CAUSES; depth++) {
    if (!(root instanceof Error) || !(root.cause instanceof Error)) break;
    root = root.cause;
  }
  return plainMessage(root);
}

/**
 * Prefixes the message of an error with the name of the variable that caused it.
 * @template T
 * @param {string} variable
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 * @throws Error whose message starts with `variable` and a colon, with the error of `work` as its cause;
 *   `ConfigProblems` unchanged
 */
export async function naming(variable, work) {
  try {
    return await work();
  } catch (cause) {
    // Its messages already name the variables.
    if (cause instanceof Error && cause.name === "ConfigProblems") throw cause;
    throw new Error(`${variable}: ${plainMessage(cause)}`, { cause });
  }
}

/**
 * Creates a folder with mode 0700, and missing parents. Node's `recursive` option never returns if an existing parent
 * accepts no folders, such as `/proc`.
 * @param {string} folder absolute
 * @throws {NodeJS.ErrnoException}
 */
export function makeFolder(folder) {
  const missing = [];
  for (let at = folder; !fs.existsSync(at); at = path.dirname(at)) missing.unshift(at);
  for (const one of missing) {
    try {
      fs.mkdirSync(one, { mode: 0o700 });
    } catch (error) {
      // Another process starting at the same time may have created it.
      if (!(error instanceof Error) || !("code" in error) || error.code !== "EEXIST") throw error;
    }
  }
  // If it exists but isn't a folder, this throws EEXIST.
  if (!fs.statSync(folder).isDirectory()) fs.mkdirSync(folder);
}
