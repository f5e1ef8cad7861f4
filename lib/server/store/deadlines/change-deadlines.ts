import { randomUUID } from "node:crypto";
import { and, eq, getTableColumns, inArray, sql } from "drizzle-orm";
import { auditedAll, type Change } from "@/lib/server/store/audit/audited";
import { batches } from "@/lib/server/store/batches";
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

type Identified = DeadlineChange & { id: string };

/**
 * Changes a company's deadlines, serialised per company. Closed days stay as they are.
 * @param decide given those that aren't deleted, oldest first; what it throws is thrown, and nothing is written. At most one change of each
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
    // Of several made at once, lists keep the order.
    const ids = Array.from({ length: added }, () => randomUUID())
      .toSorted()
      .values();
    const identified = changes.map((one) =>
      one.kind === "make" ? { ...one, id: ids.next().value ?? randomUUID() } : one,
    );
    const written = await write(tx, company, identified, given);
    const done = identified.map((one) => {
      const row = written.get(one.id);
      if (row === undefined) throw new Error("nothing was written to deadlines");
      return { one, row };
    });
    await auditedAll(
      tx,
      given.change,
      done.map(({ one, row }) => eventOf(one, row)),
    );
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
    return done.map(({ row }) => row);
  });
}

/** The changed rows by id. `given`: the changes, each with the id of its deadline; none twice. */
async function write(
  tx: Transaction,
  company: string,
  given: readonly Identified[],
  { change, atMs }: { change: PersonalChange; atMs: number },
): Promise<Map<string, DeadlineRow>> {
  const at = new Date(atMs);
  const author = { madeById: change.person.id, madeByName: toStorable(change.person.name) };
  const written: DeadlineRow[] = [];
  const made = given.flatMap((one) => (one.kind === "make" ? one : []));
  for (const batch of batches(made)) {
    const values = batch.map(({ id, values: entered }) => ({
      ...toStorable(entered),
      ...author,
      company,
      id,
      madeAt: at,
    }));
    written.push(...(await tx.insert(deadlines).values(values).returning()));
  }
  const changed = given.flatMap((one) => (one.kind === "change" ? one : []));
  for (const batch of batches(changed)) {
    const values = batch.map(({ id, values: { rule, targetPercent: target_percent, note } }) => ({
      id,
      ...toStorable({ rule, target_percent, note }),
    }));
    written.push(
      ...(await tx
        .update(deadlines)
        .set({
          rule: sql`given.rule`,
          targetPercent: sql`given.target_percent`,
          note: sql`given.note`,
        })
        .from(
          sql`jsonb_to_recordset(${JSON.stringify(values)}::jsonb)
            as given (id uuid, rule jsonb, target_percent float8, note text)`,
        )
        .where(and(eq(deadlines.company, company), sql`${deadlines.id} = given.id`))
        .returning(getTableColumns(deadlines))),
    );
  }
  const removed = given.flatMap(({ kind, id }) => (kind === "remove" ? id : []));
  for (const batch of batches(removed))
    written.push(
      ...(await tx
        .update(deadlines)
        .set({ endedAt: at })
        .where(and(eq(deadlines.company, company), inArray(deadlines.id, batch)))
        .returning()),
    );
  return new Map(written.map((row) => [row.id, row]));
}

function eventOf(
  { kind, subject }: DeadlineChange,
  { company, id, rule, targetPercent, note }: DeadlineRow,
) {
  const detail = kind === "remove" ? {} : { rule, target_percent: targetPercent, note };
  return { company, kind: "promise", action: kind, subject, detail: { ...detail, promise: id } };
}
