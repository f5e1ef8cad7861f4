import { readFileSync } from "node:fs";
import path from "node:path";

/**
 * The process number of the PostgreSQL that runs in `dataDir`.
 * @throws `ENOENT` when none does
 */
export function postmasterPid(dataDir: string): number {
  return Number(
    readFileSync(path.join(dataDir, "postgres/data/postmaster.pid"), "utf8").split("\n")[0],
  );
}
