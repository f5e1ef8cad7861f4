import { and, eq, sql } from "drizzle-orm";
import { audited, type Change } from "@/lib/server/store/audit/audited";
import type { Database, Transaction } from "@/lib/server/store/database";
import { companies } from "@/lib/server/store/schema/record";
import { deadlineFolds, deadlines } from "@/lib/server/store/schema/deadlines";
import { toStorable } from "@/lib/server/store/storable";
import { readDeadlines, type DeadlineRow } from "./read-deadlines";

/** Changes of a company's deadlines, each with an entry in its audit log. */

type PersonalChange = Change & { person: NonNullable<Change["person"]> };

/** The members of a deadline that people enter. */
export type EnteredDeadline = Pick<
  DeadlineRow,
  "partnerName" | "endpointId" | "endpointKey" | "rule" | "targetPercent" | "note"
>;

/** A change of one deadline. `subject`: its name in the audit log. */
export type DeadlineChange = { subject: string } & (
  | { kind: "make"; values: EnteredDeadline }
  | { kind: "change"; id: string; values: Pick<DeadlineRow, "rule" | "targetPercent" | "note"> }
  | { kind: "remove"; id: string }
);

/**
 * Changes a company's deadlines, serialised per company. Closed days stay as they are.
 * @param decide given those that aren't deleted, oldest first; what it throws is thrown, and nothing is written
 * @param given.atMs now, epoch milliseconds on the API's clock
 * @param given.most limit of a company's deadlines
 * @returns the changed rows, in order; null: there would be too many
 */
export function changeDeadlines(
  { orm }: Pick<Database, "orm">,
  company: string,
  decide: (before: readonly DeadlineRow[]) => readonly DeadlineChange[],
  given: { change: PersonalChange; atMs: number; most: number },
): Promise<DeadlineRow[] | null> {
  return orm.transaction(async (tx) => {
    await tx.execute(sql`select from ${companies} where ${eq(companies.slug, company)} for update`);
    const before = await readDeadlines({ orm: tx }, company);
    const changes = decide(before);
    const added = changes.filter(({ kind }) => kind === "make").length;
    if (added > 0 && before.length + added > given.most) return null;
    if (changes.length === 0) return [];
    const rows: DeadlineRow[] = [];
    for (const one of changes) rows.push(await apply(tx, company, one, given));
    // Days that could have been closed by now aren't judged in hindsight.
    const closedUntil = new Date(given.atMs);
    await tx
      .insert(deadlineFolds)
      .values({ company, closedUntil, version: 1 })
      .onConflictDoUpdate({
        target: deadlineFolds.company,
        set: {
          version: sql`${deadlineFolds.version} + 1`,
          closedUntil: sql`least(${deadlineFolds.closedUntil}, excluded.closed_until)`,
        },
      });
    return rows;
  });
}

async function apply(
  tx: Transaction,
  company: string,
  one: DeadlineChange,
  { change, atMs }: { change: PersonalChange; atMs: number },
): Promise<DeadlineRow> {
  const { person } = change;
  const at = new Date(atMs);
  const [row] =
    one.kind === "make"
      ? await tx
          .insert(deadlines)
          .values({
            ...toStorable(one.values),
            company,
            madeById: person.id,
            madeByName: toStorable(person.name),
            madeAt: at,
          })
          .returning()
      : await tx
          .update(deadlines)
          .set(one.kind === "remove" ? { endedAt: at } : toStorable(one.values))
          .where(and(eq(deadlines.company, company), eq(deadlines.id, one.id)))
          .returning();
  if (row === undefined) throw new Error("nothing was written to deadlines");
  await log(tx, one.kind, row, { change, subject: one.subject });
  return row;
}

function log(
  tx: Transaction,
  action: DeadlineChange["kind"],
  { company, id, rule, targetPercent, note }: DeadlineRow,
  { change, subject }: { change: PersonalChange; subject: string },
): Promise<void> {
  const detail = action === "remove" ? {} : { rule, target_percent: targetPercent, note };
  return audited(tx, change, {
    company,
    kind: "promise",
    action,
    subject,
    detail: { ...detail, promise: id },
  });
}
