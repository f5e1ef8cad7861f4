import type {
  CompaniesView,
  CompanySummary,
  ListedSource,
  Source,
  SyncStatusView,
} from "@/lib/contracts/dashboard";
import { troubleBeganMs } from "@/lib/domain/incidents/trouble-began";
import { judge, momentOf } from "@/lib/domain/judge";
import { freshnessLedger } from "@/lib/domain/ledger";
import { totalOf } from "@/lib/domain/order";
import type { Verdict } from "@/lib/domain/sync";
import { iso } from "@/lib/domain/time/instant";
import { compareText } from "@/lib/domain/text/compare-text";
import { compareVerdicts, tally, type Judgement } from "@/lib/domain/verdict";
import { canSee, canSeeBudget, type Person } from "@/lib/server/auth/person";
import type { CompanySnapshot } from "@/lib/server/collector/snapshots";
import { companyNamed } from "@/lib/server/operations/connections/external-id";
import { text } from "@/lib/server/http/query";
import { careOfCompanies } from "@/lib/server/operations/incidents/care-of-companies";
import type { IncidentsRuntime } from "@/lib/server/operations/incidents/incident-view";
import type { OngoingRuntime } from "@/lib/server/operations/incidents/ongoing";
import { within } from "@/lib/server/waiting";
import { syncStatusView } from "./get-sync-status";
import { sharedState } from "@/lib/server/shared-state";

type Runtime = Parameters<typeof syncStatusView>[0] &
  Pick<IncidentsRuntime, "auth" | "connections"> &
  OngoingRuntime;

/** The part of a company's summary that comes from the snapshot alone. */
type Seen = Pick<CompanySummary, "counts" | "partners" | "overdue" | "partner_data"> & {
  worst: (Omit<NonNullable<CompanySummary["worst"]>, "since"> & WorstId) | null;
};
/** `beganMs`: as its row alone says, epoch milliseconds on the API's clock; null: it isn't in trouble. */
type WorstId = { endpointId: string; beganMs: number | null };

/**
 * Judging every endpoint of every company takes a while, so viewers share a result for a second.
 */
const SHARED_MS = 1000;
/** Maximum wait for the record, milliseconds. */
const MAX_WAIT_MS = 1000;
/** Maximum number of partners listed per company; see `CompanySummary`. */
const MAX_PARTNERS = 100;

/**
 * `GET /api/companies?partner=NAME`, limited to what the person may see.
 * With a partner, endpoint and incident figures cover the partner of that name only.
 * @throws Failure `invalid_request`
 */
export async function getCompanies(
  runtime: Runtime,
  { person, query }: { person: Person; query: URLSearchParams },
): Promise<CompaniesView> {
  return companiesView(runtime, person, text(query, "partner"));
}

/**
 * The same for server-rendered pages. The snapshot's part comes from memory whatever the state
 * of the record; what people do comes from the record, and is null while that is unavailable.
 * @param partner limits the result to the partner of this name; null or empty: all partners
 */
export async function companiesView(
  runtime: Runtime,
  person: Person,
  partner: string | null,
): Promise<CompaniesView> {
  const only = partner === "" ? null : partner;
  const nowMs = runtime.clock.nowMs();
  const visible = runtime.connections.filter(({ company }) => canSee(person, company));
  const seesBudget = canSeeBudget(person);
  const looked = visible.map(({ company, name }) => {
    const view = syncStatusView(runtime, company, seesBudget);
    const snapshot = runtime.snapshots.get(company);
    return { company, name, view, seen: seenOf(snapshot, view, { nowMs, partner: only }) };
  });
  const slugs = looked.map(({ company }) => company);
  const cared = await within(
    runtime.clock,
    MAX_WAIT_MS,
    careOfCompanies(runtime, slugs, { personId: person.id, partner: only }),
    () => {
      throw new Error("the record didn't answer in time");
    },
  ).catch((error: unknown) => {
    runtime.log.warn({ err: error }, "owners and acknowledgements could not be read");
    return null;
  });
  return {
    partner: only,
    companies: looked.map(({ company, name, view, seen: { worst, ...seen } }) => {
      const own = cared?.get(company) ?? null;
      const sinceMs =
        worst === null
          ? null
          : own === null
            ? worst.beganMs
            : own.beganMs(worst.endpointId, worst.beganMs);
      return {
        ...companyNamed(runtime.connections, { slug: company, name }),
        as_of: view.as_of,
        source: listed(view.source),
        ...seen,
        worst:
          worst === null
            ? null
            : {
                partner_name: worst.partner_name,
                endpoint_key: worst.endpoint_key,
                verdict: worst.verdict,
                since: sinceMs === null ? null : iso(sinceMs),
              },
        care: own?.care ?? null,
      };
    }),
  };
}

function listed(source: Source): ListedSource {
  const { rate_limit: _, ...own } = source;
  return own;
}

type Scope = { nowMs: number; partner: string | null };

function seenOf(snapshot: CompanySnapshot | null, view: SyncStatusView, scope: Scope): Seen {
  if (snapshot === null) return seenAt(view, scope);
  const { nowMs, partner } = scope;
  const version = `${view.source.confidence} ${Math.floor(nowMs / SHARED_MS)}`;
  const shared = sharedState(snapshot, "seen", () => ({
    version,
    // By partner; null: in all of it.
    seen: new Map<string | null, Seen>(),
  }));
  if (shared.version !== version) Object.assign(shared, { version, seen: new Map() });
  const { seen } = shared;
  const known = seen.get(partner);
  if (known !== undefined) return known;
  const now = seenAt(view, scope);
  // Unknown names aren't cached, because clients can invent any number of them.
  if (partner === null || totalOf(now.counts) > 0) seen.set(partner, now);
  return now;
}

type JudgedRow = { row: SyncStatusView["rows"][number]; judgement: Judgement };

function seenAt(view: SyncStatusView, { nowMs, partner }: Scope): Seen {
  const moment = momentOf(view, nowMs);
  const rows =
    partner === null ? view.rows : view.rows.filter((row) => row.partner_name === partner);
  const judged = rows.map((row) => ({ row, judgement: judge(row, moment) }));
  const [first, ...others] = judged.filter(({ judgement }) => NOTABLE.has(judgement.word));
  const worst =
    first && others.reduce((least, one) => (compareTrouble(one, least) < 0 ? one : least), first);
  const overdue = judged.filter(({ judgement }) => isOverdue(judgement));
  const furthestMs = Math.max(...overdue.map(({ judgement }) => latenessOf(judgement)));
  const { partnerData } = freshnessLedger(
    rows,
    { nowMs, apiNowMs: moment.atMs, lastSuccessMs: null, lastResponseMs: null },
    view.source.rhythm_seconds,
  );
  const before = (ms: number) => iso(moment.atMs - ms);
  return {
    counts: tally(judged.map(({ judgement }) => judgement.word)),
    partners: view.as_of === null ? null : partnersOf(view),
    worst:
      worst === undefined
        ? null
        : {
            endpointId: worst.row.id,
            partner_name: worst.row.partner_name,
            endpoint_key: worst.row.endpoint_key,
            verdict: worst.judgement.word,
            beganMs: troubleBeganMs(worst.judgement, null, moment.atMs),
          },
    overdue: {
      endpoints: overdue.length,
      due_at: furthestMs > 0 ? before(furthestMs) : null,
    },
    partner_data:
      partnerData === null
        ? null
        : { oldest_at: before(partnerData.oldestMs), newest_at: before(partnerData.youngestMs) },
  };
}

/** Null: too many for a list of companies. */
function partnersOf({ rows }: SyncStatusView): string[] | null {
  const names = new Set(rows.map(({ partner_name }) => partner_name));
  return names.size > MAX_PARTNERS ? null : [...names].toSorted(compareText);
}

const NOTABLE: ReadonlySet<Verdict> = new Set(["failing", "stale", "late", "unknown"]);

function compareTrouble(a: JudgedRow, b: JudgedRow): number {
  return (
    compareVerdicts(a.judgement.word, b.judgement.word) ||
    latenessOf(b.judgement) - latenessOf(a.judgement) ||
    compareText(a.row.partner_name, b.row.partner_name) ||
    compareText(a.row.endpoint_key, b.row.endpoint_key) ||
    compareText(a.row.id, b.row.id)
  );
}

/** Late and stale endpoints are overdue by definition; failing ones may be too. */
function isOverdue({ word, terms }: Judgement): boolean {
  if (word === "late" || word === "stale") return true;
  return word === "failing" && terms.latenessMs !== null && terms.latenessMs > (terms.graceMs ?? 0);
}

/** Milliseconds; 0 when there is no due time. */
function latenessOf({ terms }: Judgement): number {
  return Math.max(0, terms.latenessMs ?? 0);
}
