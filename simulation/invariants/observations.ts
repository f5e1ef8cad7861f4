import type { ServedSyncStatus } from "@/lib/contracts/v3";
import type { Control } from "../database";
import type { RecordedDay, RecordedWeek } from "./learned-week/weeks-in-force";
import type { Week } from "./learned-week/rests";
import { watchTerms } from "./terms/late-writes";

/**
 * What was recorded, check by check: triggers write down each row of the record as it is committed, so that the
 * invariants can follow it without reading the tables again.
 */

const WATCHED = {
  endpoints: "endpoint",
  incident_states: "check",
  gaps: "gap",
  expectations: "quiet",
  learned_weeks: "week",
  learned_week_progress: "look",
  deadline_days: "promised day",
  report_days: "closed day",
} as const;
type Kind = (typeof WATCHED)[keyof typeof WATCHED];

const INSTALL = `
  create table if not exists simulated.log (
    n bigserial primary key, tx text not null, kind text not null, company text not null, body jsonb not null
  );
  create or replace function simulated.note() returns trigger language plpgsql as $$ begin
    insert into simulated.log (tx, kind, company, body)
    values (pg_current_xact_id()::text, tg_argv[0], new.company, to_jsonb(new));
    return null;
  end $$;
`;

/** Installs the triggers. */
export async function watchRecord(control: Control): Promise<void> {
  await watchTerms(control);
  await control.rows(INSTALL);
  for (const [table, kind] of Object.entries(WATCHED))
    await control.rows(
      `create constraint trigger simulated_${table} after insert or update on ${table}
       deferrable initially deferred for each row execute function simulated.note('${kind}')`,
    );
}

/** How far the record was watched. */
export async function readPosition(control: Control): Promise<string> {
  const [row] = await control.rows<{ n: string }>(
    "select coalesce(max(n), 0)::text as n from simulated.log",
  );
  return row?.n ?? "0";
}

/** The record is again as it was at a position: a backup of then was restored. */
export async function forgetSince(control: Control, position: string): Promise<void> {
  await control.rows(
    "insert into simulated.log (tx, kind, company, body) values ('restore', 'restored', '', to_jsonb($1::text))",
    [position],
  );
}

type Attributes = ServedSyncStatus["attributes"];

/** An endpoint as it was recorded. Instants are ISO 8601. */
export type RecordedRow = {
  endpoint_id: string;
  partner_name: string;
  raw: { attributes: Attributes };
  verdict: string;
  missed_snapshots: number;
  removed_at: string | null;
  typical_duration_seconds: number | null;
  failures_in_a_row: number;
  failing_since: string | null;
  last_finished_status: string | null;
  last_finished_started_at: string | null;
  last_finished_at: string | null;
  learned_frequency_minutes: number | null;
  learned_week: Week | null;
};

/** A planned quiet time. */
export type RecordedQuiet = {
  id: string;
  partner_name: string | null;
  endpoint_id: string | null;
  from_at: string;
  until_at: string | null;
  /** Null: once. Otherwise these hours of local clocks, on days of every week. */
  weekly: { days: readonly string[]; from: string; until: string; timeZone: string } | null;
  ended_at: string | null;
  made_at: string;
};

/** A day of a company's report that was closed. Instants are ISO 8601. */
export type ClosedDay = {
  day: string;
  from_at: string;
  until_at: string;
  /** Number of incidents that opened on it, by partner; null: not recorded. */
  incidents: Record<string, number> | null;
};

/** One recorded check of a company. Instants are epoch milliseconds on the API's clock. */
export type Check = {
  company: string;
  atMs: number;
  /** The period before it that wasn't observed; null: none. */
  gap: { fromMs: number; untilMs: number } | null;
  /** The rows that it changed. */
  rows: RecordedRow[];
};

/** What was committed, in order. */
export type Committed =
  | { kind: "check"; check: Check }
  | { kind: "quiet"; company: string; quiet: RecordedQuiet }
  | { kind: "week"; company: string; week: RecordedWeek }
  /** The record was looked at to learn weeks, up to an instant in ISO 8601; null: not yet. */
  | { kind: "look"; company: string; lookedUntil: string | null }
  | { kind: "promised day"; company: string; day: RecordedDay }
  | { kind: "closed day"; company: string; day: ClosedDay }
  /** The record holds only what was committed up to here. */
  | { kind: "restored"; kept: Committed[] };

type Line = {
  n: string;
  tx: string;
  kind: Kind | "restored";
  company: string;
  body: Record<string, unknown>;
};

/** Reads what was committed since the last call. */
export function createRecordReader(): (control: Control) => Promise<Committed[]> {
  let last = "0";
  let history: { n: number; committed: Committed[] }[] = [];
  let observedMs = new Map<string, number>();

  function takeRestore(position: number): Committed[] {
    history = history.filter(({ n }) => n <= position);
    const kept = history.flatMap(({ committed }) => committed);
    observedMs = new Map(
      kept.flatMap((one) => (one.kind === "check" ? [[one.check.company, one.check.atMs]] : [])),
    );
    return [{ kind: "restored", kept }];
  }

  return async (control) => {
    const lines = await control.rows<Line>(
      "select n::text, tx, kind, company, body from simulated.log l where n > $1 order by l.n",
      [last],
    );
    last = lines.at(-1)?.n ?? last;
    const transactions = new Map<string, Line[]>();
    for (const line of lines) {
      const name = line.kind === "restored" ? `restore ${line.n}` : line.tx;
      transactions.set(name, [...(transactions.get(name) ?? []), line]);
    }
    return [...transactions.values()].flatMap((own) => {
      const [first] = own;
      if (first?.kind === "restored") return takeRestore(Number(first.body));
      const committed = committedOf(own, observedMs);
      history.push({ n: Number(own.at(-1)?.n), committed });
      return committed;
    });
  };
}

function committedOf(lines: readonly Line[], observedMs: Map<string, number>): Committed[] {
  const bodies = (kind: Kind) => lines.filter((line) => line.kind === kind).map(({ body }) => body);
  const others = lines.flatMap((line) => otherOf(line) ?? []);
  const check = lines.findLast(({ kind }) => kind === "check");
  if (check === undefined) return others;
  const { company } = check;
  const atMs = Date.parse(String(check.body["observed_at"]));
  // Written for another reason.
  if (observedMs.get(company) === atMs) return others;
  observedMs.set(company, atMs);
  const gap = bodies("gap").at(-1);
  return [
    ...others,
    {
      kind: "check",
      check: {
        company,
        atMs,
        gap:
          gap === undefined
            ? null
            : {
                fromMs: Date.parse(String(gap["from_at"])),
                untilMs: Date.parse(String(gap["until_at"])),
              },
        rows: bodies("endpoint") as RecordedRow[],
      },
    },
  ];
}

/** What isn't part of a check; null: it is. */
function otherOf({ kind, company, body }: Line): Committed | null {
  if (kind === "quiet") return { kind, company, quiet: body as RecordedQuiet };
  if (kind === "week") return { kind, company, week: body as RecordedWeek };
  if (kind === "promised day") return { kind, company, day: body as RecordedDay };
  if (kind === "closed day") return { kind, company, day: body as ClosedDay };
  if (kind !== "look") return null;
  return { kind, company, lookedUntil: body["looked_until"] as string | null };
}
