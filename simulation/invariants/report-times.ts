import { Broken, type Scene } from "../simulation";
import type { Check, RecordedQuiet } from "./observations";
import type { JudgedRow } from "./verdicts";
import { instant } from "./verdict-table";

/** Collects what is needed to add up how an endpoint's time was spent. */
export type ReportedTimes = {
  quiet(company: string, quiet: RecordedQuiet): void;
  check(check: Check, rows: ReadonlyMap<string, JudgedRow>): void;
};

type Turn = { atMs: number; word: string | null };
type Stretch = { fromMs: number; untilMs: number };
type Endpoint = { partner: string; turns: Turn[] };
type Company = {
  firstMs: number;
  lastMs: number;
  endpoints: Map<string, Endpoint>;
  gaps: Map<number, number>;
  quiet: Map<string, RecordedQuiet>;
};

type Day = {
  company: string;
  day: string;
  from_ms: string;
  until_ms: string;
  endpoint_id: string;
  on_time_ms: number;
  overdue_ms: number;
  planned_quiet_ms: number;
  not_observed_ms: number;
  webhook_ms: number;
  paused_ms: number;
};
const KINDS = ["on_time", "overdue", "planned_quiet", "not_observed", "webhook", "paused"] as const;
type Kind = (typeof KINDS)[number];

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
      firstMs: atMs,
      lastMs: atMs,
      endpoints: new Map(),
      gaps: new Map(),
      quiet: new Map(),
    };
    companies.set(slug, company);
    return company;
  };
  const compared = new Set<string>();
  let nextMs = 0;
  return {
    forget() {
      companies.clear();
      compared.clear();
    },
    quiet: (slug, one) => void companyOf(slug, Infinity).quiet.set(one.id, one),
    check({ company: slug, atMs, gap }, rows) {
      const company = companyOf(slug, atMs);
      if (company.firstMs === Infinity) company.firstMs = atMs;
      company.lastMs = atMs;
      if (gap !== null) company.gaps.set(gap.fromMs, gap.untilMs);
      for (const [id, { row, judged }] of rows) {
        const own = company.endpoints.get(id) ?? { partner: row.partner_name, turns: [] };
        company.endpoints.set(id, own);
        if (own.turns.at(-1)?.word !== judged.word) own.turns.push({ atMs, word: judged.word });
      }
      for (const [id, { turns }] of company.endpoints)
        if (!rows.has(id) && turns.at(-1)?.word !== null) turns.push({ atMs, word: null });
    },
    async run({ time, control }, isEnd) {
      if (time.nowMs() < nextMs && !isEnd) return;
      nextMs = time.nowMs() + HOUR_MS;
      const days = await control.rows<Day>(
        `select d.company, d.day::text, (extract(epoch from from_at) * 1000)::bigint as from_ms,
           (extract(epoch from until_at) * 1000)::bigint as until_ms, e.endpoint_id, on_time_ms, overdue_ms,
           planned_quiet_ms, not_observed_ms, webhook_ms, paused_ms
         from report_days d join report_endpoint_days e using (company, day)`,
      );
      for (const day of days) {
        const name = `${day.company} ${day.endpoint_id} ${day.day}`;
        if (compared.has(name)) continue;
        compared.add(name);
        const company = companies.get(day.company);
        const endpoint = company?.endpoints.get(day.endpoint_id);
        if (company === undefined || endpoint === undefined)
          throw new Broken("report", `${name} is of an endpoint that was never seen`);
        const within = { fromMs: Number(day.from_ms), untilMs: Number(day.until_ms) };
        const own = spent(company, { id: day.endpoint_id, ...endpoint }, within);
        for (const kind of KINDS)
          if (day[`${kind}_ms`] !== own[kind])
            throw new Broken(
              "report",
              `${name}: ${kind} is ${day[`${kind}_ms`]} ms, and adds up to ${own[kind]} ms`,
            );
      }
    },
  };
}

/** How an endpoint's time within a day was spent, milliseconds. */
function spent(
  company: Company,
  endpoint: Endpoint & { id: string },
  { fromMs, untilMs }: Stretch,
): Record<Kind, number> {
  const gaps = [...company.gaps].map(([from, until]) => ({ fromMs: from, untilMs: until }));
  gaps.push({ fromMs: company.lastMs, untilMs: Infinity });
  const quiet = [...company.quiet.values()]
    .filter(
      (one) =>
        (one.endpoint_id ?? endpoint.id) === endpoint.id &&
        (one.endpoint_id !== null || (one.partner_name ?? endpoint.partner) === endpoint.partner),
    )
    .map((one) => ({
      fromMs: Date.parse(one.from_at),
      untilMs: Math.min(instant(one.until_at) ?? Infinity, instant(one.ended_at) ?? Infinity),
    }));
  const cuts = [
    fromMs,
    untilMs,
    company.firstMs,
    ...endpoint.turns.map(({ atMs }) => atMs),
    ...[...gaps, ...quiet].flatMap((one) => [one.fromMs, one.untilMs]),
  ]
    .filter((ms) => fromMs <= ms && ms <= untilMs)
    .toSorted((a, b) => a - b);
  const sums = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>;
  for (const [at, cut] of cuts.entries()) {
    const next = cuts[at + 1] ?? cut;
    const kind = kindAt(company, endpoint, { atMs: cut, gaps, quiet });
    if (kind !== null) sums[kind] += next - cut;
  }
  return sums;
}

function kindAt(
  company: Company,
  { turns }: Endpoint,
  { atMs, gaps, quiet }: { atMs: number; gaps: readonly Stretch[]; quiet: readonly Stretch[] },
): Kind | null {
  const isIn = (stretches: readonly Stretch[]) =>
    stretches.some((one) => one.fromMs <= atMs && atMs < one.untilMs);
  const past = turns.filter((turn) => turn.atMs <= atMs);
  const word = past.at(-1)?.word ?? null;
  const isBefore = atMs < company.firstMs;
  if (word === null && !isBefore) return null;
  if (isBefore || isIn(gaps)) return "not_observed";
  const other = past.findLast((turn) => turn.word !== "failing" && turn.word !== "unknown");
  if (word === "webhook" || other?.word === "webhook") return "webhook";
  if (word === "paused") return "paused";
  if (word === "unknown") return "not_observed";
  if (isIn(quiet)) return "planned_quiet";
  return word === "fresh" || word === "due" ? "on_time" : "overdue";
}
