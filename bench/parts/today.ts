import { withDatabases } from "@/bench/database";
import { fillIncidents } from "@/bench/incidents";
import { quantile } from "@/bench/median";
import { fillRecord } from "@/bench/record";
import type { Row } from "@/bench/table";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { iso } from "@/lib/domain/time/instant";
import type { PartnerView } from "@/lib/contracts/partners/partners";
import type { TodayView } from "@/lib/contracts/today";
import type { Database } from "@/lib/server/store/database";
import { rowsOf, type CompanySnapshot } from "@/lib/server/collector/snapshots";
import { getPartner } from "@/lib/server/operations/partners/get-partner";
import { getToday } from "@/lib/server/operations/today/get-today";
import { ADMINISTRATOR, benchRuntime, snapshotAt } from "./incidents";

const NOW_MS = Date.parse("2026-03-02T12:00:00Z");
const COMPANIES = 500;
const SIZE = { endpoints: 60, partners: 6, days: 0.25, cadenceMinutes: 60 };
const EVERY_MS = 360 * MINUTE_MS;
const FIRST = "c0";
/** Tables of a company's record. */
const TABLES = [
  "company_state",
  "endpoints",
  "runs",
  "landings",
  "verdict_changes",
  "call_samples",
  "incident_states",
  "incidents",
  "incident_events",
];
/** Companies per statement, because of the statement timeout. */
const AT_ONCE = 100;
const ROUNDS = 60;
const MAX_MS = 100;

/** What is wrong across 500 companies of 60 endpoints. */
export function today(): Promise<Row[]> {
  return withDatabases(1, async ([database]) => {
    if (database === undefined) throw new Error("there is no database");
    const seen = new Map<string, CompanySnapshot>();
    await fillRecord(database, { ...SIZE, company: FIRST }, NOW_MS);
    const filled = await fillIncidents(database, { ...SIZE, company: FIRST }, EVERY_MS, NOW_MS);
    for (const table of TABLES) await copyToOthers(database, table);
    for (let n = 0; n < COMPANIES; n += 1) {
      const company = `c${n}`;
      seen.set(company, snapshotAt(NOW_MS, company, [...rowsOf(filled.endpoints)]));
    }
    await database.pool.query("vacuum analyze");
    const runtime = benchRuntime(database, seen, NOW_MS);
    let etag: string | null = null;
    const ask = async (search = "") => {
      const query = new URLSearchParams(search);
      const answer = await getToday(runtime, { person: ADMINISTRATOR, query, ifNoneMatch: etag });
      etag = answer.headers["etag"] ?? null;
      return answer;
    };
    const first = await ask();
    const { counts } = JSON.parse(new TextDecoder().decode(first.body as Uint8Array)) as TodayView;
    const behind = `${counts.behind.toLocaleString("en")} feeds behind`;
    process.stderr.write(`${behind}: ${(Number(first.body?.length) / 1000).toFixed(0)} kB\n`);
    /** A new check of some companies: the snapshots are other objects, of another version. */
    const check = (companies: number) => {
      for (const [company, { state, rows }] of [...seen].slice(0, companies))
        seen.set(company, {
          company,
          state: { ...state, version: state.version + 1, asOfMs: NOW_MS - state.version },
          rows: [...rows],
        });
    };
    const what = `${COMPANIES} companies of ${SIZE.endpoints} with ${behind}`;
    let moments = 0;
    /** Another moment each time, so that nothing is in memory. */
    const atAnother = () => `at=${encodeURIComponent(iso(NOW_MS - MINUTE_MS - (moments += 1)))}`;
    const atSame = atAnother();
    const partners = await partnerRows(database, runtime, check);
    return [
      ...partners,
      row(`today of ${what}, unchanged (304): p95`, await p95(() => {}, ask)),
      row(`today of ${what}, after a check of one: p95`, await p95(() => check(1), ask)),
      {
        ...row(
          `today of ${what}, after a check of all: p95`,
          await p95(() => check(COMPANIES), ask),
        ),
        goal: null,
      },
      row(
        `what is mine today of ${what}, after a check of one: p95`,
        await p95(
          () => check(1),
          () => ask("mine=1"),
        ),
      ),
      row(
        `today of ${what}, searched, after a check of one: p95`,
        await p95(
          () => check(1),
          () => ask("q=partner%203"),
        ),
      ),
      {
        ...row(
          `today of ${what}, as it was: p95`,
          await p95(
            () => {},
            () => ask(atAnother()),
            3,
          ),
        ),
        goal: null,
      },
      {
        ...row(
          `today of ${what}, as it was, the same moment again: p95`,
          await p95(
            () => {},
            () => ask(atSame),
            10,
          ),
        ),
        goal: null,
      },
    ];
  });
}

/** Companies of the fleet incident of a partner. */
const HIT = 200;
const MAX_PARTNER_MS = 150;

/** A partner at all companies, at 200 of which it is one incident. @param check new checks of so many companies */
async function partnerRows(
  database: Database,
  runtime: ReturnType<typeof benchRuntime>,
  check: (companies: number) => void,
): Promise<Row[]> {
  const { rows: found } = await database.pool.query<{ partner: string; id: number }>(
    "select partner_name as partner, id from incidents where company = $1 and ended_at is null limit 1",
    [FIRST],
  );
  const [incident] = found;
  if (incident === undefined) throw new Error("no partner is in trouble");
  await database.pool.query(
    `with fleet as (
       insert into fleet_incidents (id, partner, from_at, opened_at, changed_at)
       values (gen_random_uuid(), $1, $2, $2, $2) returning id)
     insert into fleet_members (company, incident_id, fleet_id, joined_at)
     select 'c' || n, $3, fleet.id, $2 from fleet, generate_series(0, $4::int - 1) as n`,
    [incident.partner, iso(NOW_MS - 60 * MINUTE_MS), incident.id, HIT],
  );
  const api = { baseUrl: "http://localhost:3001", clientId: "", clientSecret: "" };
  const connections = runtime.connections.map((one) => ({ ...one, ...api }));
  const served = { ...runtime, connections };
  let etag: string | null = null;
  const ask = async () => {
    const given = { person: ADMINISTRATOR, partnerName: incident.partner, ifNoneMatch: etag };
    const answer = await getPartner(served, { ...given, query: new URLSearchParams() });
    etag = answer.headers["etag"] ?? null;
    return answer;
  };
  const first = await ask();
  const view = JSON.parse(new TextDecoder().decode(first.body as Uint8Array)) as PartnerView;
  const behind = view.companies.filter(({ standing }) => standing === "behind").length;
  const members = view.fleet_incident?.companies.length ?? 0;
  const what = `a partner at ${view.companies.length} companies, ${behind} behind, ${members} of them one incident`;
  const goal = { of: "value", most: MAX_PARTNER_MS } as const;
  return [
    { ...row(`${what}, unchanged (304): p95`, await p95(() => {}, ask)), goal },
    { ...row(`${what}, after a check of one: p95`, await p95(() => check(1), ask)), goal },
  ];
}

/** @param before runs before each request, and isn't measured */
async function p95(
  before: () => void,
  ask: () => Promise<object>,
  rounds = ROUNDS,
): Promise<number> {
  const took: number[] = [];
  for (let round = -3; round < rounds; round += 1) {
    before();
    const startedMs = performance.now();
    await ask();
    if (round >= 0) took.push(performance.now() - startedMs);
  }
  return quantile(took, 0.95);
}

/** Gives all other companies the same rows as the first. */
async function copyToOthers({ pool }: Database, table: string): Promise<void> {
  const { rows } = await pool.query<{ columns: string }>(
    `select string_agg(quote_ident(column_name), ', ') as columns
     from information_schema.columns where table_schema = 'public' and table_name = $1 and column_name <> 'company'`,
    [table],
  );
  const columns = rows[0]?.columns ?? "";
  for (let from = 1; from < COMPANIES; from += AT_ONCE)
    await pool.query(
      `insert into ${table} (company, ${columns})
       select 'c' || n, ${columns} from ${table} cross join generate_series($2::int, $3::int) as n
       where company = $1`,
      [FIRST, from, Math.min(from + AT_ONCE, COMPANIES) - 1],
    );
}

const row = (what: string, ours: number): Row => ({
  what,
  against: "",
  floor: null,
  ours,
  unit: "ms",
  goal: { of: "value", most: MAX_MS },
});
