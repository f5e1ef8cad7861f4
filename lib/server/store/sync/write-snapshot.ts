import { and, eq, getTableColumns, isNull, notInArray, sql, type SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { writeDeadlineDays } from "@/lib/server/store/deadlines/write-days";
import { endpointFacts } from "@/lib/server/store/schema/deadlines";
import { batches } from "@/lib/server/store/batches";
import type { Transaction, Writer } from "@/lib/server/store/database";
import { tell } from "@/lib/server/store/notifications";
import {
  callSamples,
  companies,
  companyState,
  endpoints,
  gaps,
  landings,
  runs,
  verdictChanges,
} from "@/lib/server/store/schema/record";
import { giveBackLent, writeIncidents } from "@/lib/server/store/incidents/incident-records";
import { encodeWritten } from "./snapshot-notification";
import { instantOrNull, stateValues } from "./state-values";
import { isUnchanged, writeUnchanged } from "./write-unchanged";
import {
  attributesOf,
  type CompanyState,
  type EndpointRecord,
  type SnapshotChanges,
} from "./records";
import { storableMs } from "@/lib/server/store/storable";

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
 * Records one complete snapshot in one transaction, or in one statement where it adds nothing.
 * @param state state after this snapshot, with the version before it
 * @returns false when another process has published since `state.version`, and nothing was written
 */
export async function writeSnapshot(
  writer: Writer,
  company: string,
  state: CompanyState,
  changes: SnapshotChanges,
): Promise<boolean> {
  if (writer.once !== undefined && isUnchanged(changes)) {
    const { isWritten, isLentBack } = await writeUnchanged(writer.once, company, state, changes);
    if (isLentBack)
      await writer.orm.transaction((tx) => giveBackLent(tx, company, state.lastAttemptMs));
    if (isWritten) return true;
  }
  return writer.orm.transaction(async (tx) => {
    if (!(await writeState(tx, company, state))) return false;
    await writeEndpoints(tx, company, changes.endpoints);
    await writePromises(tx, company, changes.promises);
    await writeHistory(tx, company, state, changes);
    await writeIncidents(tx, company, changes.incidents, state.lastAttemptMs);
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
  await tell(tx, "snapshots", encodeWritten({ company, version: values.version }));
  return true;
}

async function writeEndpoints(
  tx: Transaction,
  company: string,
  changed: SnapshotChanges["endpoints"],
): Promise<void> {
  for (const batch of batches(changed)) {
    await tx
      .insert(endpoints)
      .values(batch.map(({ id, record }) => endpointValues(company, id, record)))
      .onConflictDoUpdate({
        target: [endpoints.company, endpoints.endpointId],
        set: excluded(endpoints, ["company", "endpointId", "firstSeenAt"]),
      });
  }
}

/** In one statement: all endpoints of a company may change at the same minute. */
async function writePromises(
  tx: Transaction,
  company: string,
  promises: SnapshotChanges["promises"],
): Promise<void> {
  if (promises.length === 0) return;
  const ids = sql.param(promises.map(({ endpointId }) => endpointId));
  const given = sql.param(
    promises.map(({ promise }) => (promise === null ? null : JSON.stringify(promise))),
  );
  await tx.execute(sql`
    update ${endpoints} set promise = given.promise::jsonb
    from unnest(${ids}::text[], ${given}::text[]) as given (id, promise)
    where ${endpoints.company} = ${company} and ${endpoints.endpointId} = given.id`);
}

async function writeHistory(
  tx: Transaction,
  company: string,
  state: CompanyState,
  changes: SnapshotChanges,
): Promise<void> {
  const at = new Date(changes.apiNowMs);
  for (const batch of batches(changes.runs)) {
    await tx
      .insert(runs)
      .values(
        batch.map((run) => ({
          company,
          endpointId: run.endpointId,
          startedAt: new Date(run.startedMs),
          finishedAt: instantOrNull(run.finishedMs),
          status: run.status,
          durationSeconds: run.durationSeconds,
          firstSeenAt: at,
          origin: "observed",
        })),
      )
      .onConflictDoUpdate({
        target: [runs.company, runs.endpointId, runs.startedAt],
        set: excluded(runs, ["company", "endpointId", "startedAt", "firstSeenAt"]),
      });
  }
  for (const batch of batches(changes.landings)) {
    await tx
      .insert(landings)
      .values(
        batch.map(({ endpointId, landedMs }) => ({
          company,
          endpointId,
          landedAt: new Date(landedMs),
          origin: "observed",
          seenAt: at,
          seenAfter: instantOrNull(changes.observedBeforeMs),
        })),
      )
      .onConflictDoNothing();
  }
  for (const batch of batches(changes.facts)) {
    await tx
      .insert(endpointFacts)
      .values(
        batch.map(({ endpointId, facts }) => ({
          company,
          endpointId,
          seenAt: at,
          partnerName: facts.partner,
          status: facts.status,
          reported: facts.reported,
          cadenceMinutes: facts.cadenceMs === null ? null : facts.cadenceMs / MINUTE_MS,
        })),
      )
      .onConflictDoUpdate({
        target: [endpointFacts.company, endpointFacts.endpointId, endpointFacts.seenAt],
        set: excluded(endpointFacts, ["company", "endpointId", "seenAt"]),
      });
  }
  for (const batch of batches(changes.verdictChanges)) {
    await tx
      .insert(verdictChanges)
      .values(batch.map((change) => ({ company, changedAt: at, ...change })))
      .onConflictDoUpdate({
        target: [verdictChanges.company, verdictChanges.endpointId, verdictChanges.changedAt],
        set: excluded(verdictChanges, ["company", "endpointId", "changedAt"]),
      });
  }
  for (const batch of batches(changes.callSamples)) {
    await tx
      .insert(callSamples)
      .values(
        batch.map(({ endpointId, value }) => ({
          company,
          endpointId,
          sampledAt: at,
          value,
          origin: "observed",
        })),
      )
      .onConflictDoUpdate({
        target: [callSamples.company, callSamples.endpointId, callSamples.sampledAt],
        set: excluded(callSamples, ["company", "endpointId", "sampledAt"]),
      });
  }
  if (changes.gap !== null) {
    await tx
      .insert(gaps)
      .values({
        company,
        fromAt: new Date(changes.gap.fromMs),
        untilAt: new Date(changes.gap.untilMs),
        reason: changes.gap.reason,
      })
      .onConflictDoUpdate({
        target: [gaps.company, gaps.fromAt],
        set: excluded(gaps, ["company", "fromAt"]),
      });
  }
}

function endpointValues(
  company: string,
  id: string,
  record: EndpointRecord,
): typeof endpoints.$inferInsert {
  const given = attributesOf(record.row);
  return {
    company,
    endpointId: id,
    endpointKey: given.endpoint_key,
    partnerName: given.partner_name,
    frequencyMinutes: given.frequency_minutes,
    raw: record.row,
    attributesSeenMs: record.attributesSeenMs,
    verdict: record.verdict,
    promise: record.promise,
    firstSeenAt: new Date(record.firstSeenMs),
    lastReportedAt: instantOrNull(record.lastReportedMs),
    missedSnapshots: record.missedSnapshots,
    removedAt: instantOrNull(record.removedMs),
    typicalDurationSeconds: record.known.typical_duration_seconds,
    failuresInARow: record.known.failures_in_a_row,
    failingSince: instantOrNull(record.failingSinceMs),
    lastFinishedStatus: record.known.last_finished_status,
    lastFinishedStartedAt: instantOrNull(record.lastFinishedStartedMs),
    lastFinishedAt: instantOrNull(storableMs(record.known.last_finished_at)),
    learnedFrequencyMinutes: record.known.learned_frequency_minutes,
  };
}

/** SET clause of an upsert that takes the new values of all columns except the given ones. */
function excluded(table: PgTable, except: readonly string[]): Record<string, SQL> {
  return Object.fromEntries(
    Object.entries(getTableColumns(table))
      .filter(([key]) => !except.includes(key))
      .map(([key, column]) => [key, sql`excluded.${sql.identifier(column.name)}`]),
  );
}
