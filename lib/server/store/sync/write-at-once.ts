import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Once, TermValues } from "@/lib/server/store/database";
import { completed } from "@/lib/domain/steps";
import { HELD_TERM } from "@/lib/server/store/fence";
import {
  incidentRow,
  insertIncidentRows,
  isDueBack,
} from "@/lib/server/store/incidents/incident-records";
import { isStandInDue } from "@/lib/server/store/incidents/incident-acts";
import { notification } from "@/lib/server/store/notifications";
import { deadlineFolds } from "@/lib/server/store/schema/deadlines";
import { incidentCare, incidents, incidentStates } from "@/lib/server/store/schema/incidents";
import { companyState } from "@/lib/server/store/schema/record";
import { prepared, type Prepared } from "@/lib/server/store/statements/prepared";
import { RECORD_PARTS, recordRows, WRITE_PART, type RecordPart } from "./record-rows";
import type { CompanyState, SnapshotChanges } from "./records";
import { encodeWritten } from "./snapshot-notification";
import { stateValues } from "./state-values";

/** More rows are written in batches, so that they don't block the event loop. */
const MAX_ROWS = 500;

/** Whether a snapshot adds an event of an incident, a closed day, a promise that gets at risk or is no longer, or a gap. */
export function isEventful({ gap, incidents: found, deadlines }: SnapshotChanges): boolean {
  const { closed, received, risks } = deadlines;
  return (
    gap !== null ||
    [found.ended, found.events, closed, received, risks].some(({ length }) => length > 0)
  );
}

/** Whether a snapshot adds rows of endpoints at most, and few. */
export function fitsOneStatement(changes: SnapshotChanges): boolean {
  return !isEventful(changes) && changedRows(changes).every(({ length }) => length <= MAX_ROWS);
}

/** Whether a snapshot adds nothing to the record but that it was taken, and so that days up to then are closed. */
export function isUnchanged(changes: SnapshotChanges): boolean {
  return fitsOneStatement(changes) && changedRows(changes).every(({ length }) => length === 0);
}

const changedRows = (changes: SnapshotChanges) => [
  changes.incidents.changed,
  ...RECORD_PARTS.map((part) => changes[part]),
];

/**
 * Records a snapshot for which `fitsOneStatement` holds, as almost all do, in one statement.
 * @param state state after this snapshot, with the version before it
 * @returns `isWritten`: false when another process has published since `state.version`, or the company's incidents have
 *   no state yet; then nothing was written. `isLentBack`: a hand-over has ended, and isn't returned
 *   yet
 */
export async function writeAtOnce(
  once: Once,
  company: string,
  state: CompanyState,
  changes: SnapshotChanges,
): Promise<{ isWritten: boolean; isLentBack: boolean }> {
  const {
    incidents: { state: stands, changed },
    deadlines: { fold, closedUntilMs },
  } = changes;
  if (stands.observedAtMs === null) return { isWritten: false, isLentBack: false };
  const after = stateValues(state);
  const values: StateValues = {
    ...after,
    rateLimit: after.rateLimit === null ? null : JSON.stringify(after.rateLimit),
    budget: JSON.stringify(after.budget),
    company,
    versionBefore: state.version,
    observedAt: new Date(stands.observedAtMs),
    lastId: stands.lastId,
    suspects: JSON.stringify(stands.suspects),
    closedUntil: closedUntilMs === null ? null : new Date(closedUntilMs),
    foldVersion: fold?.version ?? null,
    told: encodeWritten({ company, version: after.version }),
  };
  const [row] = isUnchanged(changes)
    ? await once<Written, StateValues>(WRITE_STATE, values)
    : await once<Written, StateValues & RowValues>(WRITE_ROWS, {
        ...values,
        ...asJson(completed(recordRows(changes))),
        incidents: JSON.stringify(changed.map(incidentRow)),
      });
  return { isWritten: row?.told === 1, isLentBack: row?.is_lent_back === true };
}

type Written = { held: number; told: number; is_lent_back: boolean };

type StateValues = Omit<ReturnType<typeof stateValues>, "rateLimit" | "budget"> & {
  company: string;
  versionBefore: number;
  rateLimit: string | null;
  budget: string;
  observedAt: Date;
  lastId: number;
  suspects: string;
  closedUntil: Date | null;
  foldVersion: number | null;
  told: string;
};

/** JSON arrays. */
type RowValues = Record<RecordPart | "incidents", string>;

function asJson<Part extends string>(parts: Record<Part, unknown>): Record<Part, string> {
  return Object.fromEntries(
    Object.entries(parts).map(([part, rows]) => [part, JSON.stringify(rows)]),
  ) as Record<Part, string>;
}

/** The placeholder of one of a statement's values. */
const given = (name: keyof (StateValues & RowValues)) => sql.placeholder(name);
const IS_WRITTEN = sql`exists (select from written)`;

/**
 * Doesn't wait for PostgreSQL's disk. A crash of its machine may lose that the last snapshots were taken; the next one says
 * it again.
 */
const COMMITS_LATER = sql`set_config('synchronous_commit', 'off', true)`;

/**
 * @param rows the statements that write rows, by name
 * @param also what else is returned
 */
function writing(rows: readonly (readonly [name: string, statement: SQL])[], also?: SQL): SQL {
  return sql`
    with term as (${HELD_TERM}),
    written as (
      update ${companyState}
      set version = ${given("version")}, as_of = ${given("asOf")},
        last_attempt_at = ${given("lastAttemptAt")}, reason = ${given("reason")},
        rhythm_seconds = ${given("rhythmSeconds")}, next_refresh_at = ${given("nextRefreshAt")},
        api_clock_offset_ms = ${given("apiClockOffsetMs")},
        database_clock_offset_ms = ${given("databaseClockOffsetMs")}, total_pages = ${given("totalPages")},
        rate_limit = ${given("rateLimit")}, budget = ${given("budget")}
      where ${and(eq(companyState.company, given("company")), eq(companyState.version, given("versionBefore")))}
        and exists (select from term)
        and exists (select from ${incidentStates} where ${eq(incidentStates.company, given("company"))})
      returning 1
    ),
    stands as (
      update ${incidentStates}
      set observed_at = ${given("observedAt")}, last_id = ${given("lastId")},
        suspects = ${given("suspects")}
      where ${eq(incidentStates.company, given("company"))} and ${IS_WRITTEN}
    ),
    folded as (
      update ${deadlineFolds} set closed_until = ${given("closedUntil")}
      where ${eq(deadlineFolds.company, given("company"))} and version = ${given("foldVersion")}
        and ${IS_WRITTEN}
    ),
    ${sql.join(rows.map(([name, statement]) => sql`${sql.identifier(`of_${name}`)} as (${statement}), `))}
    told as materialized (select ${notification("snapshots", given("told"))} from written)
    select (select count(*)::int from term) as held, (select count(*)::int from told) as told,
      exists (
        select from ${incidents} where ${isDueBack(given("company"), given("lastAttemptAt"))}
      ) or exists (
        select from ${incidentCare} where ${isStandInDue(given("company"), given("lastAttemptAt"))}
      ) as is_lent_back${also === undefined ? sql`` : sql`, ${also}`}`;
}

const WRITE_STATE: Prepared<StateValues & TermValues> = prepared(
  "write_state",
  writing([], COMMITS_LATER),
);

const WRITE_ROWS: Prepared<StateValues & RowValues & TermValues> = prepared(
  "write_rows",
  writing([
    ...RECORD_PARTS.map((part) => [part, WRITE_PART[part](rowsOf(part))] as const),
    ["incidents", insertIncidentRows(rowsOf("incidents"))],
  ]),
);

function rowsOf(part: keyof RowValues) {
  return { company: given("company"), rows: given(part), where: IS_WRITTEN };
}
