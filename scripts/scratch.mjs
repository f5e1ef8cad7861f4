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

/** Where Linux has files in memory. */
const MEMORY = "/dev/shm";
/** Far more than a run's databases and browser profiles take: half a gigabyte when they took most. */
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * A directory for what a run of the tests leaves behind: in memory where there is room and programs may
 * run from there, since hundreds of databases are made and dropped, else among the temporary files.
 * @returns {string} absolute; for the caller to remove
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
  // PostgreSQL does not run as root: whom it becomes has to get through.
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
