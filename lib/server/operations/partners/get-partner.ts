import { Failure } from "@/lib/contracts/failure";
import { hostOf } from "@/lib/server/upstream/host-of";
import type { FleetIncident } from "@/lib/contracts/fleet-incidents";
import type { PartnerCompany, PartnerView } from "@/lib/contracts/partners/partners";
import type { CompanyName } from "@/lib/domain/companies/company-name";
import { foldPartner, inOrder } from "@/lib/domain/partners/fold-partner";
import type { PartnerAtCompany } from "@/lib/domain/partners/partner-at-company";
import { partnerKey } from "@/lib/domain/partners/partner-name";
import { theirsOrOurs, type CompanyEvidence } from "@/lib/domain/partners/theirs-or-ours";
import { iso, isoOrNull } from "@/lib/domain/time/instant";
import type { TodayCompany } from "@/lib/domain/today/company";
import { evidenceText } from "@/lib/domain/words/partners/theirs-or-ours";
import type { Person } from "@/lib/server/auth/person";
import { timedAnswers } from "@/lib/server/cache/timed-answers";
import type { PlainResponse } from "@/lib/server/http/handler-response";
import { respondWithReadyJson, readyJson } from "@/lib/server/http/ready-json";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import { answerLanes } from "@/lib/server/one-at-a-time";
import { requestedInstant } from "@/lib/server/operations/history/open-then";
import { NO_HISTORY } from "@/lib/server/operations/history/record-names";
import { ongoingOf } from "@/lib/server/operations/incidents/ongoing";
import {
  companiesNow,
  visibleTo,
  type Runtime as TodayRuntime,
  type Visible,
} from "@/lib/server/operations/today/get-today";
import { keptCompanies } from "@/lib/server/operations/today/get-today-at";
import { sharedState } from "@/lib/server/shared-state";
import type { Ongoing } from "@/lib/server/store/incidents/read-ongoing";
import type { Connection } from "@/lib/server/upstream/upstream";
import { endedRuns, type CountedRuns } from "./ended-runs";
import { onTimeMonths, onTimePercent, reportDaysAt } from "./on-time-month";
import { companiesWith, type CompanyWithPartner } from "./partner-companies";
import { partnerFleetNow, partnerFleetThen } from "./partner-fleet";

export type PartnersRuntime = Omit<
  TodayRuntime & Parameters<typeof onTimeMonths>[0] & Parameters<typeof endedRuns>[0],
  "connections"
> & { readonly connections: readonly Connection[] };

const MAX_BYTES = 24_000_000;
const cached = timedAnswers("partners", MAX_BYTES);
const inLane = answerLanes<PlainResponse>("partners");

type Given = {
  person: Person;
  partnerName: string;
  query: URLSearchParams;
  ifNoneMatch: string | null;
};

/**
 * Answers `GET /api/partners/[partner]?at`: `PartnerView`, or 304. Built once per change of one of its companies, for
 * everyone who sees the same companies. With `at`, for the companies of today's permissions, as it was then.
 * @throws Failure `not_found` if no company that the person may see has the partner; `no_history` if nothing is recorded of
 * any then; `invalid_request`
 */
export function getPartner(runtime: PartnersRuntime, given: Given): MaybePromise<PlainResponse> {
  const { person, partnerName, query, ifNoneMatch } = given;
  const visible = visibleTo(runtime, person);
  const key = `${visible.key}\n${partnerKey(partnerName)}`;
  if (query.has("at")) {
    const atMs = requestedInstant(query);
    return inLane(runtime.database, person.id, `${atMs} ${key}`, async () => {
      const companies = await companiesThen(runtime, visible, atMs);
      if (companies.length > 0 && companies.every(({ asOfMs }) => asOfMs === null))
        throw new Failure("no_history", NO_HISTORY);
      const asked = { person, partnerName, atMs, now: null };
      const view = await partnerView(runtime, companies, asked);
      return readyJson(JSON.stringify(view), "private, no-store").whole;
    });
  }
  return andThen(ongoingOf(runtime, visible.slugs), async (ongoing) => {
    const companies = companiesNow(runtime, visible, ongoing).map(({ company }) => company);
    const atMs = runtime.clock.nowMs();
    const known = await knownOf(runtime, companies, {
      person,
      partnerName,
      atMs,
      now: { key, ongoing },
    });
    const ready = cached(runtime.snapshots, key, [...companies, ...known.version], atMs, () => ({
      data: viewOf(runtime, companies, known) satisfies PartnerView,
      untilMs: Infinity,
    }));
    return respondWithReadyJson(ready, ifNoneMatch);
  });
}

/** As they were then. @throws Failure `invalid_request`, also when it takes more rows than a request may read */
export function companiesThen(
  runtime: PartnersRuntime,
  { companies }: Visible,
  atMs: number,
): Promise<readonly TodayCompany[]> {
  return companies.length === 0 ? Promise.resolve([]) : keptCompanies(runtime, companies, atMs);
}

/** `now`: what is going on, and a key of what the person sees; null: as of an earlier moment. */
type Asked = {
  person: Person;
  partnerName: string;
  atMs: number;
  now: { key: string; ongoing: ReadonlyMap<string, Ongoing> } | null;
};

/** What the view consists of, besides the companies. */
type Known = {
  isPast: boolean;
  having: readonly CompanyWithPartner[];
  runs: CountedRuns | null;
  onTime: Awaited<ReturnType<typeof onTimeMonths>>;
  onTimeBefore: string[];
  fleet: FleetIncident | null;
  /** Changes with what was read. */
  version: readonly unknown[];
};

async function partnerView(
  runtime: PartnersRuntime,
  companies: readonly TodayCompany[],
  asked: Asked,
): Promise<PartnerView> {
  return viewOf(runtime, companies, await knownOf(runtime, companies, asked));
}

async function knownOf(
  runtime: PartnersRuntime,
  companies: readonly TodayCompany[],
  { person, partnerName, atMs, now }: Asked,
): Promise<Known> {
  const having = companiesWith(companies, partnerName);
  const key = partnerKey(partnerName);
  const slugs = having.map(({ at: { slug } }) => slug);
  const asked = { person, partnerName };
  const [runs, onTime, { fleet, version }] = await Promise.all([
    endedRuns(runtime, having, { key, atMs, isNow: now !== null }),
    onTimeMonths(runtime, slugs, atMs),
    now === null
      ? partnerFleetThen(runtime, { ...asked, atMs })
      : partnerFleetNow(runtime, having, { ...asked, ...now }),
  ]);
  const onTimeBefore = reportDaysAt(runtime, slugs, atMs);
  const { own, others } = runs ?? { own: null, others: null };
  return {
    isPast: now === null,
    having,
    runs,
    onTime,
    onTimeBefore,
    fleet,
    version: [
      version,
      onTimeBefore.join(" "),
      own?.completed,
      own?.ended,
      others?.completed,
      others?.ended,
      runs?.since,
      ...slugs.map((slug) => onTime(slug)),
    ],
  };
}

function viewOf(
  runtime: PartnersRuntime,
  companies: readonly TodayCompany[],
  { isPast, having, runs, onTime, onTimeBefore, fleet }: Known,
): PartnerView {
  const all = having.map(({ at }) => at);
  const { partnerName, asOfMs } = foldPartner(all);
  const key = partnerKey(partnerName);
  const { code, host, evidence } = theirsOrOurs(evidenceOf(runtime, having, key), runs);
  const names = { partner: partnerName, host, runsSince: runs?.since ?? "trouble", isPast };
  return {
    partner_name: partnerName,
    as_of: isoOrNull(asOfMs),
    companies: inOrder(all).map((at) => companyView(at, onTimePercent([onTime(at.slug).get(key)]))),
    on_time_before: onTimeBefore,
    never_checked: companies.flatMap(({ slug, asOfMs: checkedMs }) =>
      checkedMs === null ? [slug] : [],
    ),
    theirs_or_ours: {
      code,
      evidence: evidence.map((one) => ({ ...one, text: evidenceText(one, names) })),
    },
    fleet_incident: fleet,
    api_clock_offsets: Object.fromEntries(
      all.flatMap(({ slug, offsetMs }) => (Math.abs(offsetMs) < 1000 ? [] : [[slug, offsetMs]])),
    ),
  };
}

function evidenceOf(
  { connections }: Pick<PartnersRuntime, "connections">,
  having: readonly CompanyWithPartner[],
  key: string,
): CompanyEvidence[] {
  const hosts = sharedState(
    connections,
    "hosts",
    () => new Map(connections.map(({ company, baseUrl }) => [company, hostOf(baseUrl)])),
  );
  return having.map(({ company, at }) => ({
    ...sharedState(at, "evidence", () => ownEvidence(company, at, key)),
    host: hosts.get(at.slug) ?? at.slug,
  }));
}

function ownEvidence(
  company: TodayCompany,
  { standing, hasIt, sinceMs, hit, offsetMs }: PartnerAtCompany,
  key: string,
): Omit<CompanyEvidence, "host"> {
  return {
    standing,
    hasIt,
    sinceMs: sinceMs === null ? null : sinceMs - offsetMs,
    lastRuns: standing === "behind" ? hit.map(({ lastRun }) => lastRun) : [],
    othersBeganMs: company.troubles.flatMap(({ partner, isQuiet, beganMs }) =>
      isQuiet || beganMs === null || partnerKey(partner) === key ? [] : [beganMs - offsetMs],
    ),
  };
}

/** Slug and external id of a company, as the JSON of partners has them. */
export function companyOf({ slug, external_id: id }: Pick<CompanyName, "slug" | "external_id">): {
  company: string;
  external_id?: string;
} {
  return { company: slug, ...(id !== undefined && { external_id: id }) };
}

/** Made once per change of the company: with hundreds of them, most stay the same. */
function companyView(at: PartnerAtCompany, onTimeMonth: number | null): PartnerCompany {
  const made = sharedState(at, "view", () => new Map<number | null, PartnerCompany>());
  const view = made.get(onTimeMonth) ?? makeView(at, onTimeMonth);
  made.set(onTimeMonth, view);
  return view;
}

function makeView(at: PartnerAtCompany, onTimeMonth: number | null): PartnerCompany {
  const { incident } = at;
  const by = incident?.acknowledged ?? null;
  const told = incident?.told ?? null;
  return {
    ...companyOf(at),
    confidence: at.confidence,
    standing: at.standing,
    verdict: at.verdict,
    endpoints: at.feeds.map(({ id, key, verdict }) => ({ id, endpoint_key: key, verdict })),
    quiet: at.quiet,
    since: isoOrNull(at.sinceMs),
    overdue_since: isoOrNull(at.overdueSinceMs),
    learned_week: at.overdueWeek,
    next_sync_at: isoOrNull(at.standing === "behind" ? at.nextMs : at.nextOfAnyMs),
    incident_id: incident?.id ?? null,
    on_it: by === null ? null : { name: by.name, since: iso(by.sinceMs) },
    told: told === null ? null : { by: told.by, at: iso(told.atMs) },
    owner: at.owner,
    on_time_month: onTimeMonth,
    last_check_at: isoOrNull(at.asOfMs),
  };
}
