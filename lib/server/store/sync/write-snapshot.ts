import { and, eq, isNull, notInArray, sql } from "drizzle-orm";
import { writeDeadlineDays } from "@/lib/server/store/deadlines/write-days";
import { inSlices } from "@/lib/server/slices";
import { batches } from "@/lib/server/store/batches";
import type { Transaction, Writer } from "@/lib/server/store/database";
import { notify } from "@/lib/server/store/notifications";
import { companies, companyState, gaps } from "@/lib/server/store/schema/record";
import { giveBackLent, writeIncidents } from "@/lib/server/store/incidents/incident-records";
import { constantRows } from "@/lib/server/store/statements/insert-rows";
import { RECORD_PARTS, recordRows, WRITE_PART } from "./record-rows";
import type { CompanyState, SnapshotChanges } from "./records";
import { encodeWritten } from "./snapshot-notification";
import { stateValues } from "./state-values";
import { fitsOneStatement, isEventful, writeAtOnce } from "./write-at-once";

/**
 * Registers all connected companies under their current names. Marks every other company as disconnected since
 * `nowMs`, unless already marked.
 * @param nowMs our clock, epoch milliseconds
 */
export async function saveCompanies(
  writer: Writer,
  named: readonly { slug: string; name: string }[],
  nowMs: number,
): Promise<void> {
  await writer.orm.transaction(async (tx) => {
    if (named.length > 0) {
      await tx
        .insert(companies)
        .values(named.map((company) => ({ ...company, createdAt: new Date(nowMs) })))
        .onConflictDoUpdate({
          target: companies.slug,
          set: { name: sql`excluded.name`, leftAt: null },
          setWhere: sql`${companies.name} <> excluded.name or ${companies.leftAt} is not null`,
        });
    }
    await tx
      .update(companies)
      .set({ leftAt: new Date(nowMs) })
      .where(
        and(
          isNull(companies.leftAt),
          notInArray(
            companies.slug,
            named.map(({ slug }) => slug),
          ),
        ),
      );
  });
}

/**
 * Records an attempt without a complete snapshot.
 * @returns false when another process has published since `state.version`, and nothing was written
 */
export async function writeAttempt(
  writer: Writer,
  company: string,
  state: CompanyState,
): Promise<boolean> {
  return writer.orm.transaction((tx) => writeState(tx, company, state));
}

/**
 * Records one complete snapshot in one transaction, or in one statement where it fits.
 * @param state state after this snapshot, with the version before it
 * @returns false when another process has published since `state.version`, and nothing was written
 */
export async function writeSnapshot(
  writer: Writer,
  company: string,
  state: CompanyState,
  changes: SnapshotChanges,
): Promise<boolean> {
  if (writer.once !== undefined && fitsOneStatement(changes)) {
    const { isWritten, isLentBack } = await writeAtOnce(writer.once, company, state, changes);
    if (isLentBack)
      await writer.orm.transaction((tx) => giveBackLent(tx, company, state.lastAttemptMs));
    if (isWritten) return true;
  }
  return writer.orm.transaction(async (tx) => {
    if (!(await writeState(tx, company, state))) return false;
    await writeRows(tx, company, changes);
    await writeGap(tx, company, changes.gap);
    await writeIncidents(tx, company, changes.incidents, state.lastAttemptMs, isEventful(changes));
    await writeDeadlineDays(tx, company, changes.deadlines, changes.apiNowMs);
    await giveBackLent(tx, company, state.lastAttemptMs);
    return true;
  });
}

/** Optimistic lock: a changed version means that the caller's input is outdated. */
async function writeState(tx: Transaction, company: string, state: CompanyState): Promise<boolean> {
  const values = stateValues(state);
  const written =
    state.version === 0
      ? await tx
          .insert(companyState)
          .values({ company, ...values })
          .onConflictDoNothing()
          .returning({ version: companyState.version })
      : await tx
          .update(companyState)
          .set(values)
          .where(and(eq(companyState.company, company), eq(companyState.version, state.version)))
          .returning({ version: companyState.version });
  if (written.length !== 1) return false;
  await notify(tx, "snapshots", encodeWritten({ company, version: values.version }));
  return true;
}

async function writeRows(
  tx: Transaction,
  company: string,
  changes: SnapshotChanges,
): Promise<void> {
  const rows = await inSlices(recordRows(changes));
  for (const part of RECORD_PARTS)
    for (const batch of batches<object>(rows[part]))
      await tx.execute(WRITE_PART[part](constantRows(company, batch)));
}

async function writeGap(
  tx: Transaction,
  company: string,
  gap: SnapshotChanges["gap"],
): Promise<void> {
  if (gap === null) return;
  const { fromMs, untilMs, reason } = gap;
  const values = { untilAt: new Date(untilMs), reason };
  await tx
    .insert(gaps)
    .values({ company, fromAt: new Date(fromMs), ...values })
    .onConflictDoUpdate({ target: [gaps.company, gaps.fromAt], set: values });
}
