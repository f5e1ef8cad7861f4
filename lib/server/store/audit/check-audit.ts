import { and, asc, count, eq, gt, inArray, sql } from "drizzle-orm";
import { indexOf, isRequestEvent } from "./append-audit";
import type { Database, Transaction } from "@/lib/server/store/database";
import { auditActions, auditHeads, auditLog } from "@/lib/server/store/schema/audit";
import { FIRST_HASH, hashOf, UNSIGNED, type ChainRow } from "./chain";

/** Last recorded row of a company's log. */
export type Head = { seq: number; hash: string };

/** Result of checking one company's log. */
export type AuditCheck = {
  company: string;
  /** Number of valid rows, counted from the first. */
  rows: number;
  /** Whether the database contains any trace of this log. */
  isLogged: boolean;
  /** The first fault, as a sentence without its full stop; null: none. */
  broken: string | null;
};

/** What a log is checked against. */
export type Evidence = {
  /** Secrets of keys by id. */
  keys: ReadonlyMap<string, Buffer>;
  /** Heads recorded outside the database, and the file they are from; read before the check starts. */
  recorded?: { file: string; heads: ReadonlyMap<string, Head> };
};

const READ_AT_ONCE = 1_000;

/**
 * Checks every company's log from its first row: that each row matches its signature, that none is missing up
 * to the recorded head, and that the activity page's index is consistent with it. Reads page by page within one
 * snapshot, so rows appended meanwhile don't count as faults and memory use doesn't depend on the log's length.
 * @returns by company; omits companies without any log
 */
export function checkAudit(
  { orm }: Pick<Database, "orm">,
  evidence: Evidence,
): Promise<AuditCheck[]> {
  return orm.transaction((tx) => checkChains(tx, evidence), {
    isolationLevel: "repeatable read",
    accessMode: "read only",
  });
}

async function checkChains(tx: Transaction, evidence: Evidence): Promise<AuditCheck[]> {
  const heads = await tx.select().from(auditHeads);
  const logged = new Set([
    ...heads.map(({ company }) => company),
    ...(await companiesIn(tx, "audit_log")),
    ...(await companiesIn(tx, "audit_actions")),
  ]);
  const recorded = evidence.recorded?.heads.keys() ?? [];
  const checks: AuditCheck[] = [];
  for (const company of [...new Set([...logged, ...recorded])].toSorted()) {
    const head = heads.find((one) => one.company === company) ?? null;
    const found = await checkChain(tx, company, head, evidence);
    checks.push({ company, isLogged: logged.has(company), ...found });
  }
  return checks;
}

/** Loose index scan from company to company: there are millions of rows, and few companies. */
async function companiesIn(
  tx: Transaction,
  table: "audit_log" | "audit_actions",
): Promise<string[]> {
  const name = sql.identifier(table);
  const { rows } = await tx.execute<{ company: string }>(sql`
    with recursive found as (
      (select company from ${name} order by company limit 1)
      union all
      select (select company from ${name} where company > found.company order by company limit 1)
      from found where found.company is not null
    )
    select company from found where company is not null`);
  return rows.map(({ company }) => company);
}

async function checkChain(
  tx: Transaction,
  company: string,
  head: Head | null,
  { keys, recorded }: Evidence,
): Promise<Pick<AuditCheck, "rows" | "broken">> {
  const outside = recorded?.heads.get(company);
  let last: Head = { seq: 0, hash: FIRST_HASH };
  let isSigned = false;
  let actions = 0;
  // Reported last, because rows missing from the log also make the index inconsistent.
  let odd: string | null = null;
  const broken = (sentence: string) => ({ rows: last.seq, broken: sentence });

  // Includes rows numbered before the first one, where there should be none.
  for (let after = Number.MIN_SAFE_INTEGER; ; after = last.seq) {
    const rows = await tx
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.company, company), gt(auditLog.seq, after)))
      .orderBy(asc(auditLog.seq))
      .limit(READ_AT_ONCE);
    for (const row of rows) {
      if (row.seq < last.seq + 1) return broken(`row ${row.seq} was never part of the log`);
      if (row.seq > last.seq + 1) return broken(missing(last.seq + 1, row.seq - 1));
      const expected = hashOf(last.hash, row, keys);
      if (expected === null) {
        return broken(
          `row ${row.seq} is signed with key ${row.keyId}, which isn't known here: set AUTH_SECRET to the one in use then, or add that to EARLIER_AUTH_SECRETS`,
        );
      }
      if (row.hash !== expected) return broken(`row ${row.seq} was changed after it was written`);
      if (row.keyId === UNSIGNED && isSigned) return broken(`row ${row.seq} isn't signed`);
      if (row.seq === outside?.seq && row.hash !== outside.hash) {
        return broken(
          `row ${row.seq} isn't the one recorded in ${recorded?.file}: the log was replaced, or this is another database`,
        );
      }
      last = { seq: row.seq, hash: row.hash };
      isSigned = row.keyId !== UNSIGNED;
    }
    const requests = rows.filter(isRequestEvent);
    actions += requests.length;
    odd ??= await findOddIndex(tx, company, requests);
    if (rows.length < READ_AT_ONCE) break;
  }
  if (outside !== undefined && outside.seq > last.seq) {
    return broken(
      last.seq === 0
        ? `the log is empty, but ${recorded?.file} records ${outside.seq === 1 ? "1 row" : `${outside.seq} rows`}`
        : `${missing(last.seq + 1, outside.seq)} at the end: ${recorded?.file} records them`,
    );
  }
  if (head === null ? last.seq > 0 : head.seq !== last.seq || head.hash !== last.hash) {
    return broken(
      head !== null && head.seq > last.seq
        ? `${missing(last.seq + 1, head.seq)} at the end`
        : "the log doesn't end where the database says it does",
    );
  }
  if (last.seq > 0 && !isSigned) {
    return broken(
      "the rows of an earlier version aren't signed yet: start Plumbline once, and check again",
    );
  }
  if (odd !== null) return broken(odd);
  const indexed = await countIndexed(tx, company);
  if (indexed !== actions) {
    return broken(
      `the activity index lists ${indexed - actions === 1 ? "an action" : `${indexed - actions} actions`} that the log doesn't`,
    );
  }
  return { rows: last.seq, broken: null };
}

/** The first inconsistency between the index and some actions' first rows and outcomes. */
async function findOddIndex(
  tx: Transaction,
  company: string,
  requests: readonly ChainRow[],
): Promise<string | null> {
  if (requests.length === 0) return null;
  const ids = requests.map(({ actionId }) => actionId);
  const indexed = await tx
    .select()
    .from(auditActions)
    .where(and(eq(auditActions.company, company), inArray(auditActions.actionId, ids)));
  const byId = new Map(indexed.map((row) => [row.actionId, row]));
  const outcomes = await readOutcomes(tx, company, ids);
  for (const row of requests) {
    const found = byId.get(row.actionId);
    if (found === undefined) return `action ${row.actionId} is missing from the activity index`;
    const expected = { ...indexOf(row), outcome: outcomes.get(row.actionId) ?? null };
    if (!isSame(found, expected)) {
      return `action ${row.actionId} was changed in the activity index`;
    }
  }
  return null;
}

/** The last outcome of each action that has one. */
async function readOutcomes(
  tx: Transaction,
  company: string,
  actionIds: readonly string[],
): Promise<Map<string, string>> {
  const outcome = sql<string>`${auditLog.detail} ->> 'outcome'`;
  const rows = await tx
    .selectDistinctOn([auditLog.actionId], { actionId: auditLog.actionId, outcome })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.company, company),
        inArray(auditLog.actionId, [...actionIds]),
        sql`${auditLog.event} like '%.outcome' and jsonb_typeof(${auditLog.detail} -> 'outcome') = 'string'`,
      ),
    )
    .orderBy(asc(auditLog.actionId), sql`${auditLog.seq} desc`);
  return new Map(rows.map((row) => [row.actionId, row.outcome]));
}

async function countIndexed(tx: Transaction, company: string): Promise<number> {
  const [row] = await tx
    .select({ count: count() })
    .from(auditActions)
    .where(eq(auditActions.company, company));
  return row?.count ?? 0;
}

/** Compares rows with the same members, whose timestamps are `Date`s. */
function isSame(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>) {
  const text = (row: Readonly<Record<string, unknown>>) =>
    JSON.stringify(Object.entries(row).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  return text(a) === text(b);
}

const missing = (from: number, to: number) =>
  from === to ? `row ${from} is missing` : `rows ${from} to ${to} are missing`;
