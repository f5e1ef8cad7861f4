import { and, eq, sql } from "drizzle-orm";
import type { ClosedDay } from "@/lib/domain/deadlines/closing";
import { iso, isoOrNull } from "@/lib/domain/time/instant";
import { toStorable } from "@/lib/server/store/storable";
import { batches } from "@/lib/server/store/batches";
import type { Transaction } from "@/lib/server/store/database";
import { deadlineFolds, deadlineRisks } from "@/lib/server/store/schema/deadlines";
import type { AwaitedDay, DeadlineFold } from "./read-deadlines";

/** One parameter: thousands of days may close at the same minute, or get their data at the same check. */
const DAYS_PER_STATEMENT = 5_000;

/** What a snapshot adds to a company's closed days. Epoch milliseconds on the API's clock. */
export type DeadlineChanges = {
  /** Progress before; null: the company never had a deadline, and nothing else is set. */
  fold: DeadlineFold | null;
  /** Progress after. */
  closedUntilMs: number | null;
  closed: readonly (ClosedDay & { endpointKey: string })[];
  /** Missed days whose data has arrived. */
  received: readonly (AwaitedDay & { receivedMs: number })[];
  /** Endpoints whose risk changed. */
  risks: readonly RiskChange[];
};

/** What an endpoint's risk changed to. */
export type RiskChange = {
  endpointId: string;
  /** Null: nothing of it is at risk any more. */
  risk: {
    deadlineId: string;
    date: string;
    partner: string;
    endpointKey: string;
    dueMs: number;
    limitMs: number;
    /** Start of the attempt that counts; null: none is scheduled. */
    attemptMs: number | null;
    usuallySeconds: number | null;
  } | null;
};

export const NO_DEADLINE_CHANGES: DeadlineChanges = {
  fold: null,
  closedUntilMs: null,
  closed: [],
  received: [],
  risks: [],
};

/**
 * Closes days, and notes which are at risk. A day that is closed already stays as it is; of a missed one only the time of
 * its data is added.
 * @param atMs the snapshot's time, epoch milliseconds on the API's clock
 */
export async function writeDeadlineDays(
  tx: Transaction,
  company: string,
  { fold, closedUntilMs, closed, received, risks }: DeadlineChanges,
  atMs: number,
): Promise<void> {
  if (fold === null) return;
  await writeRisks(tx, company, risks, atMs);
  for (const batch of batches(closed, DAYS_PER_STATEMENT))
    await insertDays(tx, company, batch, atMs);
  for (const batch of batches(received, DAYS_PER_STATEMENT)) await addReceived(tx, company, batch);
  if (closedUntilMs === null || closedUntilMs === fold.closedUntilMs) return;
  // A deadline changed since: the next snapshot goes through its days again.
  await tx
    .update(deadlineFolds)
    .set({ closedUntil: new Date(closedUntilMs) })
    .where(and(eq(deadlineFolds.company, company), eq(deadlineFolds.version, fold.version)));
}

/** Ends what isn't at risk any more, and begins what is; the others follow the attempt, the promise and the names. */
async function writeRisks(
  tx: Transaction,
  company: string,
  changes: DeadlineChanges["risks"],
  atMs: number,
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ endpointId, risk }) => ({
    endpoint_id: endpointId,
    deadline_id: risk?.deadlineId ?? null,
    date: risk?.date ?? null,
    partner_name: risk?.partner,
    endpoint_key: risk?.endpointKey,
    due_at: isoOrNull(risk?.dueMs ?? null),
    limit_at: isoOrNull(risk?.limitMs ?? null),
    attempt_at: isoOrNull(risk?.attemptMs ?? null),
    usually_seconds: risk?.usuallySeconds ?? null,
  }));
  const given = JSON.stringify(toStorable(rows));
  await tx.execute(sql`
    update ${deadlineRisks} set until_at = ${iso(atMs)}
    from jsonb_to_recordset(${given}::jsonb) as given (endpoint_id text, deadline_id uuid, date text)
    where ${deadlineRisks.company} = ${company} and ${deadlineRisks.endpointId} = given.endpoint_id
      and ${deadlineRisks.untilAt} is null
      and (${deadlineRisks.deadlineId}, ${deadlineRisks.date}) is distinct from (given.deadline_id, given.date)`);
  await tx.execute(sql`
    insert into deadline_risks (company, from_at, endpoint_id, deadline_id, date, partner_name, endpoint_key,
      due_at, limit_at, attempt_at, usually_seconds)
    select ${company}, ${iso(atMs)}::timestamptz, given.*
    from jsonb_to_recordset(${given}::jsonb) as given (endpoint_id text, deadline_id uuid, date text,
      partner_name text, endpoint_key text, due_at timestamptz, limit_at timestamptz, attempt_at timestamptz,
      usually_seconds float8)
    where given.deadline_id is not null
    on conflict (company, endpoint_id) where until_at is null
      do update set partner_name = excluded.partner_name, endpoint_key = excluded.endpoint_key,
        due_at = excluded.due_at, limit_at = excluded.limit_at,
        attempt_at = excluded.attempt_at, usually_seconds = excluded.usually_seconds`);
}

async function insertDays(
  tx: Transaction,
  company: string,
  closed: DeadlineChanges["closed"],
  atMs: number,
): Promise<void> {
  const rows = closed.map((one) => rowOf(one, atMs));
  const columns = Object.keys(COLUMNS);
  await tx.execute(sql`
    insert into deadline_days (company, ${sql.raw(columns.join(", "))})
    select ${company}, ${sql.raw(columns.join(", "))}
    from jsonb_to_recordset(${JSON.stringify(toStorable(rows))}::jsonb) as given (${sql.raw(
      Object.entries(COLUMNS)
        .map(([name, type]) => `${name} ${type}`)
        .join(", "),
    )})
    on conflict do nothing`);
}

async function addReceived(
  tx: Transaction,
  company: string,
  received: DeadlineChanges["received"],
): Promise<void> {
  const rows = received.map(({ endpointId, deadlineId, date, receivedMs, isAtMost }) => ({
    endpoint_id: endpointId,
    deadline_id: deadlineId,
    date,
    received_at: iso(receivedMs),
    is_at_most: isAtMost,
  }));
  await tx.execute(sql`
    update deadline_days day set received_at = given.received_at, is_at_most = given.is_at_most
    from jsonb_to_recordset(${JSON.stringify(toStorable(rows))}::jsonb)
      as given (endpoint_id text, deadline_id uuid, date text, received_at timestamptz, is_at_most boolean)
    where day.company = ${company} and day.endpoint_id = given.endpoint_id
      and day.deadline_id = given.deadline_id and day.date = given.date`);
}

const COLUMNS = {
  endpoint_id: "text",
  deadline_id: "uuid",
  date: "text",
  partner_name: "text",
  endpoint_key: "text",
  due_at: "timestamptz",
  limit_at: "timestamptz",
  outcome: "text",
  received_at: "timestamptz",
  is_at_most: "boolean",
  excuse: "text",
  rule: "jsonb",
  closed_at: "timestamptz",
} as const;

function rowOf(
  { deadline, day, ...closed }: DeadlineChanges["closed"][number],
  atMs: number,
): Record<keyof typeof COLUMNS, unknown> {
  const { by, days, monthDays, timeZone, dataFrom, allowanceMinutes, from, until } = deadline;
  return {
    endpoint_id: closed.endpointId,
    deadline_id: deadline.id,
    date: day.date,
    partner_name: closed.partner,
    endpoint_key: closed.endpointKey,
    due_at: iso(day.dueMs),
    limit_at: iso(day.limitMs),
    outcome: closed.outcome,
    received_at: isoOrNull(closed.receivedMs),
    is_at_most: closed.isAtMost,
    excuse: closed.excuse,
    rule: { by, days, monthDays, timeZone, dataFrom, allowanceMinutes, from, until },
    closed_at: iso(atMs),
  };
}
