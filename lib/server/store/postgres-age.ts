import type { Log } from "@/lib/server/log";
import type { Database } from "./database";
import { DAY_MS } from "@/lib/domain/time/units";

/** When versions of PostgreSQL were released, as its project announced them. A binary doesn't say it of itself. */
const RELEASED: Readonly<Record<string, string>> = {
  "18.0": "2025-09-25",
  "18.1": "2025-11-13",
  "18.2": "2026-02-12",
  "18.3": "2026-02-26",
  "18.4": "2026-05-14",
};

/** A minor release with security fixes comes every three months: this is two of them. */
const OLD_DAYS = 180;

/**
 * Which PostgreSQL runs, and how old it is.
 * @param said its `server_version`, such as `18.4 (Debian 18.4-1)`
 * @returns `released`: a date, and `ageDays` since it, as far as this program knows it; null: it doesn't
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
 * Says at start which PostgreSQL runs, and warns when it is old.
 * @param options.isEmbedded it is the one that we brought, or that POSTGRES_BIN names
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
