import type { Database } from "@/lib/server/store/database";
import { checkAudit, type AuditCheck } from "./check-audit";
import { readHeadFile } from "./head-file";

/** Output of `npm run audit:verify`. */
type AuditReport = { lines: string[]; isIntact: boolean };

/**
 * Checks the audit logs of a whole database, one line per company.
 * @param database null: it doesn't exist yet
 * @param keys secrets by id
 * @param file file with the recorded heads
 * @throws Error with a readable message when the log can't be checked; Error of `pg`
 */
export async function verifyAudit(
  database: Database | null,
  keys: ReadonlyMap<string, Buffer>,
  file: string,
): Promise<AuditReport> {
  // Read before the database: a head recorded in between would be ahead of the rows read.
  const heads = await readHeadFile(file);
  const layout = database === null ? "none" : await readLayout(database);
  if (layout === "earlier") {
    throw new Error(
      "This database was last used by an earlier version of Plumbline. Start Plumbline once, and check again.",
    );
  }
  const recorded = heads === null ? undefined : { file, heads };
  const checks =
    database === null || layout === "none"
      ? []
      : await checkAudit(database, { keys, ...(recorded === undefined ? {} : { recorded }) });
  const isEmpty = checks.every(({ isLogged }) => !isLogged);
  if (isEmpty && heads !== null && heads.size > 0) {
    const rows = [...heads.values()].reduce((sum, { seq }) => sum + seq, 0);
    return failed([
      `This database has no audit log, but ${file} records ${counted(rows, "row")} of ${counted(heads.size, "company", "companies")}. It was emptied, or DATABASE_URL or DATA_DIR leads to another one.`,
    ]);
  }
  if (isEmpty) return { lines: ["Nothing has been logged yet."], isIntact: true };
  if (keys.size === 0) {
    return failed([
      "There is no key to check the log with. Set AUTH_SECRET, or set DATA_DIR to the folder that holds auth-secret.",
    ]);
  }
  const lines = checks.map(lineOf);
  if (heads === null) {
    return failed([
      ...lines,
      `There is no ${file}, so rows missing at the end wouldn't show. Start Plumbline to record them, or set AUDIT_HEAD_FILE to where they are recorded.`,
    ]);
  }
  return { lines, isIntact: checks.every(({ broken }) => broken === null) };
}

/** Whether the log's tables exist and are from this version. */
async function readLayout({ pool }: Database): Promise<"none" | "earlier" | "ours"> {
  const { rows } = await pool.query<{ attname: string }>(
    `select attname from pg_attribute
     where attrelid = to_regclass('public.audit_log') and attnum > 0 and not attisdropped`,
  );
  if (rows.length === 0) return "none";
  return rows.some(({ attname }) => attname === "key_id") ? "ours" : "earlier";
}

function lineOf({ company, rows, broken }: AuditCheck): string {
  return `${company}: ${broken === null ? `${counted(rows, "row")}, intact` : `${broken}.`}`;
}

const failed = (lines: string[]): AuditReport => ({ lines, isIntact: false });

const counted = (amount: number, one: string, many = `${one}s`) =>
  `${amount} ${amount === 1 ? one : many}`;
