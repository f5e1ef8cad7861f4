import {
  and,
  asc,
  desc,
  eq,
  gt,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  sql,
  type Placeholder,
  type SQL,
} from "drizzle-orm";
import type { Period } from "@/lib/domain/history";
import type { PlannedQuiet } from "@/lib/domain/quiet/planned-quiet";
import { notify } from "@/lib/server/store/notifications";
import { audited } from "@/lib/server/store/audit/audited";
import { totalOf, type Part } from "@/lib/server/store/counted-page";
import type { Database, Transaction } from "@/lib/server/store/database";
import type { Act } from "@/lib/server/store/incidents/incident-acts";
import { insertUpTo } from "@/lib/server/store/insert-up-to";
import { companies } from "@/lib/server/store/schema/record";
import { expectations } from "@/lib/server/store/schema/quiet";
import { toStorable } from "@/lib/server/store/storable";

/** Planned quiet times. User changes are written to the company's audit log in the same transaction. */

export type ExpectationRow = typeof expectations.$inferSelect;

/** Converts a row to the domain type. */
export function plannedQuietOf(row: ExpectationRow): PlannedQuiet {
  return {
    partner: row.partnerName,
    endpointId: row.endpointId,
    fromMs: row.fromAt.getTime(),
    untilMs: row.untilAt?.getTime() ?? null,
    weekly: row.weekly,
    endedMs: row.endedAt?.getTime() ?? null,
  };
}

/** Planned quiet times of a company that may apply within a period, on the API clock. */
export async function readPlannedQuietWithin(
  database: Pick<Database, "orm">,
  company: string,
  within: Period,
): Promise<PlannedQuiet[]> {
  return (await readExpectationsWithin(database, company, within)).map(plannedQuietOf);
}

/** The same as rows. */
export function readExpectationsWithin(
  { orm }: Pick<Database, "orm">,
  company: string,
  { fromMs, untilMs }: Period,
): Promise<ExpectationRow[]> {
  return orm
    .select()
    .from(expectations)
    .where(appliesWithin(company, { from: new Date(fromMs), until: new Date(untilMs) }));
}

/** SQL: whether a planned quiet time of a company may apply within a period. */
export function appliesWithin(
  company: string | Placeholder,
  { from, until }: { from: Date | Placeholder; until: Date | Placeholder },
): SQL | undefined {
  return and(eq(expectations.company, company), lt(expectations.fromAt, until), lasts(from));
}

/** Planned quiet times of some companies that weren't over at a time on their APIs' clocks, by start. */
export function readOpenExpectations(
  orm: Pick<Database["orm"], "select">,
  slugs: readonly string[],
  afterMs: number,
): Promise<ExpectationRow[]> {
  return orm
    .select()
    .from(expectations)
    .where(
      and(
        sql`${expectations.company} = any (${sql.param([...slugs])}::text[])`,
        lasts(new Date(afterMs)),
      ),
    )
    .orderBy(asc(expectations.fromAt), asc(expectations.id));
}

/** Not over at the given time. */
function lasts(after: Date | Placeholder): SQL | undefined {
  return and(
    or(isNull(expectations.untilAt), gt(expectations.untilAt, after)),
    or(isNull(expectations.endedAt), gt(expectations.endedAt, after)),
  );
}

/** Over at the given time: expired or ended manually. */
function isOver(at: Date): SQL | undefined {
  return or(
    and(isNotNull(expectations.untilAt), lte(expectations.untilAt, at)),
    and(isNotNull(expectations.endedAt), lte(expectations.endedAt, at)),
  );
}

/**
 * Past planned quiet times of a company, latest first.
 * @param nowMs on the API clock
 */
export async function listPastExpectations(
  { orm }: Pick<Database, "orm">,
  { company, nowMs }: { company: string; nowMs: number },
  { offset, limit }: Part,
): Promise<{ rows: ExpectationRow[]; total: number }> {
  const where = and(eq(expectations.company, company), isOver(new Date(nowMs)));
  const rows = await orm
    .select()
    .from(expectations)
    .where(where)
    .orderBy(desc(expectations.fromAt), desc(expectations.id))
    .limit(limit)
    .offset(offset);
  return {
    rows,
    total: await totalOf({ offset, limit }, rows, () => orm.$count(expectations, where)),
  };
}

/**
 * Inserts a new planned quiet time.
 * @param most limit of a company's quiet times that aren't over at `values.madeAt`
 * @returns null: the limit is reached
 */
export function insertExpectation(
  { orm }: Pick<Database, "orm">,
  values: typeof expectations.$inferInsert & { madeAt: Date },
  { act, most, subject }: { act: Act; most: number; subject: string },
): Promise<ExpectationRow | null> {
  return orm.transaction(async (tx) => {
    const { reason, partnerName, endpointKey, madeByName } = values;
    const row = await insertUpTo(
      tx,
      expectations,
      { ...values, ...toStorable({ reason, partnerName, endpointKey, madeByName }) },
      {
        most,
        among: and(eq(expectations.company, values.company), lasts(values.madeAt)),
        lock: sql`select from ${companies} where ${eq(companies.slug, values.company)} for update`,
      },
    );
    if (row === null) return null;
    await log(tx, "plan", row, act, subject);
    return row;
  });
}

/**
 * Ends a planned quiet time; one that is over stays unchanged, and nothing is logged.
 * @param atMs end, on the API clock
 * @returns false: it doesn't exist
 */
export function endExpectation(
  { orm }: Pick<Database, "orm">,
  { company, id, atMs }: { company: string; id: string; atMs: number },
  act: Act,
  subjectOf: (row: ExpectationRow) => string,
): Promise<boolean> {
  return orm.transaction(async (tx) => {
    const found = and(eq(expectations.company, company), eq(expectations.id, id));
    const [row] = await tx.select().from(expectations).where(found).for("update");
    if (row === undefined) return false;
    const isOverNow = [row.untilAt, row.endedAt].some(
      (end) => end !== null && end.getTime() <= atMs,
    );
    if (isOverNow) return true;
    await tx
      .update(expectations)
      .set({ endedAt: new Date(atMs), endedByName: toStorable(act.person.name) })
      .where(found);
    await log(tx, "end", row, act, subjectOf(row));
    return true;
  });
}

/** Writes subject and reason to the audit log, and notifies the other instances. */
async function log(
  tx: Transaction,
  verb: "plan" | "end",
  { id, company, reason }: ExpectationRow,
  act: Act,
  subject: string,
): Promise<void> {
  await notify(tx, "incidents", company);
  const detail = { because: reason, expectation: id };
  return audited(tx, act, { company, kind: "quiet", action: verb, subject, detail });
}
