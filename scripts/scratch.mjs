import { spawnSync } from "node:child_process";
import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";

/** Linux's in-memory file system. */
const MEMORY = "/dev/shm";
/** Far more than the databases and browser profiles of a run need: half a gigabyte at most so far. */
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * Creates a directory for the files of a test run: in memory if there is enough space and programs may run there,
 * because hundreds of databases are created and dropped; otherwise in the temporary folder.
 * @returns {string} absolute; the caller removes it
 */
export function makeScratch() {
  if (isWritable(MEMORY)) {
    const directory = makeIn(MEMORY);
    if (isFit(directory)) return directory;
    rmSync(directory, { recursive: true });
  }
  return makeIn(os.tmpdir());
}

/** @param {string} directory */
function isWritable(directory) {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} parent */
function makeIn(parent) {
  const directory = mkdtempSync(path.join(parent, "plumbline-"));
  // PostgreSQL doesn't run as root, so its user needs access.
  chmodSync(directory, 0o755);
  return directory;
}

/** @param {string} directory */
function isFit(directory) {
  const { bavail, bsize } = statfsSync(directory);
  if (bavail * bsize < ROOM_BYTES) return false;
  const program = path.join(directory, "program");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o700 });
  return spawnSync(program).status === 0;
}
