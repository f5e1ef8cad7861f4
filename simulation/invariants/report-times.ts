import { Broken, type Scene } from "../simulation";
import type { Check, ClosedDay, RecordedQuiet } from "./observations";
import { concerns, quietWithin } from "./quiet-times";
import type { JudgedRow } from "./verdicts";

/** Collects what is needed to add up how an endpoint's time was spent. */
export type ReportedTimes = {
  quiet(company: string, quiet: RecordedQuiet): void;
  check(check: Check, rows: ReadonlyMap<string, JudgedRow>): void;
  /** What becomes known later doesn't change it. */
  close(company: string, day: ClosedDay): void;
};

type Turn = { atMs: number; word: string | null };
type Period = { fromMs: number; untilMs: number };
type Endpoint = {
  partner: string;
  /** Its word at the last check. */
  word: string | null;
  /** In the order of the API's clock, which isn't that of the checks once it was set back. */
  turns: Turn[];
  /** The earliest check that listed it, by the API's clock. */
  seenFromMs: number;
};
type Company = {
  /** The earliest turn of any of its endpoints, by the API's clock. */
  firstMs: number;
  lastMs: number;
  endpoints: Map<string, Endpoint>;
  gaps: Map<number, number>;
  quiet: Map<string, RecordedQuiet>;
};

type Day = {
  company: string;
  day: string;
  endpoint_id: string;
  on_time_ms: number;
  overdue_ms: number;
  planned_quiet_ms: number;
  not_observed_ms: number;
  webhook_ms: number;
  paused_ms: number;
  overdue_lead_ms: number;
  overdue_longest_ms: number;
  overdue_tail_ms: number;
  worst: string | null;
};
const KINDS = ["on_time", "overdue", "planned_quiet", "not_observed", "webhook", "paused"] as const;
type Kind = (typeof KINDS)[number];
/** Continuous overdue time: at the day's start, the longest, and at its end. */
const STRETCHES = ["overdue_lead", "overdue_longest", "overdue_tail"] as const;
type Stretch = (typeof STRETCHES)[number];
/** What says nothing of whether data came. */
const NEUTRAL = ["not_observed", "webhook", "paused"] as const satisfies readonly Kind[];
const isNeutral = (kind: string) => NEUTRAL.some((neutral) => neutral === kind);
const FROM_MILD_TO_WORST = ["late", "stale", "failing"];

const HOUR_MS = 3_600_000;

/** Closed days of the report add up to what the checks showed, and what wasn't observed counts as nothing else. */
export function createReportCheck(): ReportedTimes & {
  /** A backup was restored. */
  forget(): void;
  run: (scene: Scene, isEnd: boolean) => Promise<void>;
} {
  const companies = new Map<string, Company>();
  const companyOf = (slug: string, atMs: number): Company => {
    const company = companies.get(slug) ?? {
      firstMs: Infinity,
      lastMs: atMs,
      endpoints: new Map(),
      gaps: new Map(),
      quiet: new Map(),
    };
    companies.set(slug, company);
    return company;
  };
  /** What each endpoint's day adds up to, by name. */
  const closed = new Map<string, Spent>();
  const compared = new Set<string>();
  let nextMs = 0;
  return {
    forget() {
      companies.clear();
      closed.clear();
      compared.clear();
    },
    quiet: (slug, one) => void companyOf(slug, Infinity).quiet.set(one.id, one),
    check({ company: slug, atMs, gap }, rows) {
      const company = companyOf(slug, atMs);
      company.lastMs = atMs;
      if (gap !== null) company.gaps.set(gap.fromMs, gap.untilMs);
      for (const [id, { row, judged }] of rows) {
        const own = company.endpoints.get(id) ?? {
          partner: row.partner_name,
          word: null,
          turns: [],
          seenFromMs: Infinity,
        };
        company.endpoints.set(id, own);
        own.seenFromMs = Math.min(own.seenFromMs, atMs);
        turn(company, own, { atMs, word: judged.word });
      }
      for (const [id, own] of company.endpoints)
        if (!rows.has(id)) turn(company, own, { atMs, word: null });
    },
    close(slug, { day, from_at: from, until_at: until }) {
      const within = { fromMs: Date.parse(from), untilMs: Date.parse(until) };
      const company = companyOf(slug, Infinity);
      for (const [id, own] of company.endpoints)
        closed.set(nameOf(slug, id, day), spent(company, { id, ...own }, within));
    },
    async run({ time, control }, isEnd) {
      if (time.nowMs() < nextMs && !isEnd) return;
      nextMs = time.nowMs() + HOUR_MS;
      const days = await control.rows<Day>(
        `select company, day::text, endpoint_id, on_time_ms, overdue_ms, planned_quiet_ms, not_observed_ms, webhook_ms,
           paused_ms, overdue_lead_ms, overdue_longest_ms, overdue_tail_ms, worst
         from report_endpoint_days`,
      );
      for (const day of days) {
        const name = nameOf(day.company, day.endpoint_id, day.day);
        if (compared.has(name)) continue;
        compared.add(name);
        const own = closed.get(name);
        if (own === undefined)
          throw new Broken("report", `${name} is of an endpoint that was never seen`);
        if (day.worst !== own.worst)
          throw new Broken("report", `${name} was ${day.worst}, and at worst ${own.worst}`);
        for (const kind of [...KINDS, ...STRETCHES]) {
          const ms = day[`${kind}_ms`];
          const mostMs = own[kind] + (isNeutral(kind) ? own.unsure : 0);
          if (ms < own[kind] || ms > mostMs)
            throw new Broken(
              "report",
              `${name}: ${kind} is ${ms} ms, and adds up to ${own[kind]} ms`,
            );
        }
        const neutralMs = NEUTRAL.reduce((sum, kind) => sum + day[`${kind}_ms`] - own[kind], 0);
        if (neutralMs > own.unsure)
          throw new Broken(
            "report",
            `${name}: ${neutralMs} ms of ${own.unsure} ms count as neutral`,
          );
      }
      for (const [name, own] of closed)
        if (!compared.has(name) && KINDS.some((kind) => own[kind] > 0))
          throw new Broken("report", `${name} is left out`);
    },
  };
}

/**
 * Milliseconds of each kind. `unsure`: before an endpoint's first turn, where only a check by a clock that was set back has
 * listed it; it may count as anything neutral.
 */
type Spent = Record<Kind | Stretch | "unsure", number> & { worst: string | null };

const nameOf = (company: string, endpoint: string, day: string) => `${company} ${endpoint} ${day}`;

function turn(company: Company, endpoint: Endpoint, next: Turn): void {
  if (endpoint.word === next.word) return;
  endpoint.word = next.word;
  const { turns } = endpoint;
  turns.splice(turns.findLastIndex(({ atMs }) => atMs <= next.atMs) + 1, 0, next);
  company.firstMs = Math.min(company.firstMs, next.atMs);
}

/** How an endpoint's time within a day was spent, milliseconds. */
function spent(
  company: Company,
  endpoint: Endpoint & { id: string },
  { fromMs, untilMs }: Period,
): Spent {
  const gaps = [...company.gaps].map(([from, until]) => ({ fromMs: from, untilMs: until }));
  gaps.push({ fromMs: company.lastMs, untilMs: Infinity });
  const feed = { endpoint_id: endpoint.id, partner_name: endpoint.partner };
  const quiet = [...company.quiet.values()]
    .filter((one) => concerns(one, feed))
    .flatMap((one) => quietWithin(one, { fromMs, untilMs }));
  const cuts = [
    fromMs,
    untilMs,
    company.firstMs,
    endpoint.seenFromMs,
    ...endpoint.turns.map(({ atMs }) => atMs),
    ...[...gaps, ...quiet].flatMap((one) => [one.fromMs, one.untilMs]),
  ]
    .filter((ms) => fromMs <= ms && ms <= untilMs)
    .toSorted((a, b) => a - b);
  const zeros = Object.fromEntries([...KINDS, ...STRETCHES, "unsure"].map((kind) => [kind, 0]));
  const sums = { ...zeros, worst: null } as Spent;
  let sinceMs: number | null = null;
  let worst = -1;
  for (const [at, cut] of cuts.entries()) {
    const next = cuts[at + 1] ?? cut;
    if (next === cut) continue;
    const kind = kindAt(company, endpoint, { atMs: cut, gaps, quiet });
    if (kind !== null) sums[kind] += next - cut;
    sinceMs = kind === "overdue" ? (sinceMs ?? cut) : null;
    const lastsMs = sinceMs === null ? 0 : next - sinceMs;
    if (sinceMs === fromMs) sums.overdue_lead = lastsMs;
    sums.overdue_longest = Math.max(sums.overdue_longest, lastsMs);
    sums.overdue_tail = lastsMs;
    const word = endpoint.turns.findLast(({ atMs }) => atMs <= cut)?.word ?? "";
    if (kind === "overdue") worst = Math.max(worst, FROM_MILD_TO_WORST.indexOf(word));
  }
  return { ...sums, worst: FROM_MILD_TO_WORST[worst] ?? null };
}

function kindAt(
  company: Company,
  { turns, seenFromMs }: Endpoint,
  { atMs, gaps, quiet }: { atMs: number; gaps: readonly Period[]; quiet: readonly Period[] },
): Kind | "unsure" | null {
  const isIn = (periods: readonly Period[]) =>
    periods.some((one) => one.fromMs <= atMs && atMs < one.untilMs);
  const isBefore = atMs < company.firstMs;
  const past = turns.filter((one) => one.atMs <= atMs);
  const last = past.at(-1);
  const isListed = last === undefined ? atMs >= seenFromMs : last.word !== null;
  if (!isListed && !isBefore) return null;
  if (isBefore || isIn(gaps)) return "not_observed";
  if (last === undefined) return "unsure";
  const { word } = last;
  const other = past.findLast((one) => one.word !== "failing" && one.word !== "unknown");
  if (word === "webhook" || other?.word === "webhook") return "webhook";
  if (word === "paused") return "paused";
  if (word === "unknown") return "not_observed";
  if (isIn(quiet)) return "planned_quiet";
  return word === "fresh" || word === "due" ? "on_time" : "overdue";
}
