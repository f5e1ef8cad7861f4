import { readFileSync } from "node:fs";
import path from "node:path";

/**
 * Process id of the PostgreSQL running in `dataDir`.
 * @throws `ENOENT` when none is running
 */
export function postmasterPid(dataDir: string): number {
  return Number(
    readFileSync(path.join(dataDir, "postgres/data/postmaster.pid"), "utf8").split("\n")[0],
  );
}
