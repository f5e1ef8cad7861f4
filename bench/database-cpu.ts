import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";

/** Clock ticks per second of `/proc`, which Linux fixes at 100 for programs. */
const TICKS_PER_SECOND = 100;

/**
 * CPU time of an embedded PostgreSQL, user and system, milliseconds: its main process, its children, and those that have
 * ended.
 * @param dataDir of the app
 */
export function databaseCpuMs(dataDir: string): number {
  const [first = ""] = readFileSync(
    path.join(dataDir, "postgres/data/postmaster.pid"),
    "utf8",
  ).split("\n");
  const main = Number(first);
  let ticks = 0;
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const found = timesOf(name);
    if (found === null) continue;
    if (Number(name) === main) ticks += found.own + found.ended;
    else if (found.parent === main) ticks += found.own;
  }
  return (ticks * 1000) / TICKS_PER_SECOND;
}

/** @returns null: the process has ended */
function timesOf(pid: string): { parent: number; own: number; ended: number } | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return null;
  }
  // The name, in parentheses, may contain blanks.
  const fields = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const at = (index: number) => fields[index] ?? 0;
  return { parent: at(1), own: at(11) + at(12), ended: at(13) + at(14) };
}
