import { and, asc, eq, sql } from "drizzle-orm";
import { allowanceText } from "@/lib/domain/calls/allowance-text";
import { audited, type Change } from "@/lib/server/store/audit/audited";
import type { Database, Transaction } from "@/lib/server/store/database";
import { insertUpTo } from "@/lib/server/store/insert-up-to";
import { allowances } from "@/lib/server/store/schema/allowances";
import { companies } from "@/lib/server/store/schema/record";
import { toStorable } from "@/lib/server/store/storable";

/** Allowances of a company's partners. Changes are written to its audit log in the same transaction. */

export type AllowanceRow = typeof allowances.$inferSelect;
/** A partner of a company, by name as in the record. */
type Partner = { company: string; partnerName: string };
type PersonalChange = Change & { person: NonNullable<Change["person"]> };

/** All allowances of a company, by partner. */
export async function readAllowances(
  { orm }: Pick<Database, "orm">,
  company: string,
): Promise<AllowanceRow[]> {
  return orm
    .select()
    .from(allowances)
    .where(eq(allowances.company, company))
    .orderBy(asc(allowances.partnerName));
}

/**
 * Enters or replaces an allowance; an equal one stays as it is, with its author, and nothing is logged.
 * @param most limit of a company's allowances
 * @returns null: the limit is reached
 */
export function setAllowance(
  { orm }: Pick<Database, "orm">,
  { company, partnerName }: Partner,
  given: Pick<AllowanceRow, "calls" | "per" | "note">,
  { change, most }: { change: PersonalChange; most: number },
): Promise<AllowanceRow | null> {
  return orm.transaction(async (tx) => {
    await tx.execute(lockOf(company));
    const of = whereIs({ company, partnerName });
    const values = toStorable({
      ...given,
      byId: change.person.id,
      byName: change.person.name,
    });
    const [before] = await tx.select().from(allowances).where(of);
    if (before !== undefined && isEqual(before, values)) return before;
    const at = new Date(change.nowMs);
    const [changed] =
      before === undefined
        ? [
            await insertUpTo(
              tx,
              allowances,
              { ...values, company, partnerName, at },
              { most, among: eq(allowances.company, company), lock: lockOf(company) },
            ),
          ]
        : await tx
            .update(allowances)
            .set({ ...values, at })
            .where(of)
            .returning();
    if (changed === null || changed === undefined) return null;
    await log(tx, "set", changed, before ?? null, change);
    return changed;
  });
}

/**
 * Removes an allowance; without one nothing changes and nothing is logged.
 * @returns whether there was one
 */
export function removeAllowance(
  { orm }: Pick<Database, "orm">,
  partner: Partner,
  change: PersonalChange,
): Promise<boolean> {
  return orm.transaction(async (tx) => {
    const [before] = await tx.delete(allowances).where(whereIs(partner)).returning();
    if (before === undefined) return false;
    await log(tx, "remove", before, before, change);
    return true;
  });
}

/** Serialises changes of one company's allowances. */
const lockOf = (company: string) =>
  sql`select from ${companies} where ${eq(companies.slug, company)} for update`;

const whereIs = ({ company, partnerName }: Partner) =>
  and(
    eq(allowances.company, company),
    sql`md5(${allowances.partnerName}) = md5(${partnerName})`,
    eq(allowances.partnerName, partnerName),
  );

function isEqual(
  before: AllowanceRow,
  { calls, per, note }: Pick<AllowanceRow, "calls" | "per" | "note">,
): boolean {
  return before.calls === calls && before.per === per && before.note === note;
}

function log(
  tx: Transaction,
  action: "set" | "remove",
  { company, partnerName, calls, per, note }: AllowanceRow,
  before: AllowanceRow | null,
  change: PersonalChange,
): Promise<void> {
  const previous =
    before === null ? null : { calls: before.calls, per: before.per, note: before.note };
  const detail =
    action === "remove"
      ? { previous }
      : { because: allowanceText({ calls, per }), calls, per, note, previous };
  return audited(tx, change, { company, kind: "allowance", action, subject: partnerName, detail });
}
