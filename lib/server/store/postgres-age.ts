import type { Log } from "@/lib/server/log";
import type { Database } from "./database";
import { DAY_MS } from "@/lib/domain/time/units";

/** Release dates as announced by the PostgreSQL project; the server doesn't report them. */
const RELEASED: Readonly<Record<string, string>> = {
  "18.0": "2025-09-25",
  "18.1": "2025-11-13",
  "18.2": "2026-02-12",
  "18.3": "2026-02-26",
  "18.4": "2026-05-14",
};

/** Security fixes come in quarterly minor releases: this is two of them. */
const OLD_DAYS = 180;

/**
 * The version of PostgreSQL and its age.
 * @param said its `server_version`, such as `18.4 (Debian 18.4-1)`
 * @returns `released`: release date, and `ageDays` since; both null for an unknown version
 */
export function ageOfPostgres(
  said: string,
  nowMs: number,
): { version: string; released: string | null; ageDays: number | null; isOld: boolean } {
  const [version = said] = said.split(" ");
  const released = RELEASED[version] ?? null;
  const ageDays = released === null ? null : Math.floor((nowMs - Date.parse(released)) / DAY_MS);
  return { version, released, ageDays, isOld: ageDays !== null && ageDays > OLD_DAYS };
}

/**
 * Logs the PostgreSQL version at startup, with a warning if it is old.
 * @param options.isEmbedded whether it is the embedded one (packaged, or from POSTGRES_BIN)
 */
export async function tellPostgres(
  { pool }: Pick<Database, "pool">,
  { log, nowMs, isEmbedded }: { log: Log; nowMs: number; isEmbedded: boolean },
): Promise<void> {
  const { rows } = await pool.query<{ server_version: string }>("show server_version");
  const { isOld, ...facts } = ageOfPostgres(rows[0]?.server_version ?? "", nowMs);
  const { version, released, ageDays } = facts;
  const age =
    released === null
      ? "when it was released isn't known here"
      : `released ${released}, ${ageDays} days ago`;
  const sentence = `PostgreSQL ${version}, ${age}`;
  if (!isOld) {
    log.info({ event: "postgres", ...facts }, sentence);
    return;
  }
  const wayOut = isEmbedded
    ? "Update Plumbline, or set POSTGRES_BIN to the programs of a newer minor version"
    : "Update it to the newest minor version";
  log.warn(
    { event: "postgres_old", ...facts },
    `${sentence}: security fixes may be missing. ${wayOut}.`,
  );
}
