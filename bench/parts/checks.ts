import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "@/bench/bench";
import { cpuShare, type CpuShare } from "@/bench/cpu-share";
import { benchRows } from "@/bench/endpoints";
import { startPlumbline, type Plumbline } from "@/bench/plumbline";
import type { Row } from "@/bench/table";
import { upstreamPerMinute } from "@/bench/upstream-rate";
import { MINUTE_MS } from "@/lib/domain/time/units";

const COMPANIES = 40;
const ENDPOINTS = 60;
/** A check every other second at each company. */
const POLL_SECONDS = 6;
/** The usual time between two checks of a company. */
const LOOK_SECONDS = 20;
const IDLE_POLL_SECONDS = 3600;
const WARM_UP_MS = 20_000;
const WATCHED_MS = 30_000;
const MAX_MS = { same: 4, changed: 25 };

/** CPU of the server and its database, milliseconds. */
type Cost = { server: number; database: number };

/** What one check of 60 endpoints costs, in CPU of the server and its database, beyond what they cost without checks. */
export async function checks(_bench: Bench): Promise<Row[]> {
  const idle = await atCompanies(IDLE_POLL_SECONDS, (app) => cpuShare(app, WATCHED_MS));
  return atCompanies(POLL_SECONDS, async (app) => {
    const same = await perCheck(app, idle);
    // Each page is served once.
    const changing = setInterval(() => setRows(app), 500);
    await sleep(WARM_UP_MS);
    const changed = await perCheck(app, idle);
    clearInterval(changing);
    return [
      ...rowsOf("nothing changed", same, MAX_MS.same),
      ...rowsOf("every row changed", changed, MAX_MS.changed),
    ];
  });
}

function rowsOf(which: string, { server, database }: Cost, most: number): Row[] {
  const row = (of: string, ours: number, goal: Row["goal"]): Row => ({
    what: `a check of ${ENDPOINTS} endpoints, ${which}: CPU of ${of}`,
    against: "",
    floor: null,
    ours,
    unit: "ms",
    goal,
  });
  return [
    row("the server", server, null),
    row("its database", database, null),
    row("both", server + database, { of: "value", most }),
    {
      what: `companies of ${ENDPOINTS} endpoints that one core checks every ${LOOK_SECONDS} s, ${which}`,
      against: "",
      floor: null,
      ours: Math.floor((LOOK_SECONDS * 1000) / (server + database)),
      unit: "companies",
      goal: null,
    },
  ];
}

async function perCheck(app: Plumbline, idle: CpuShare): Promise<Cost> {
  const all = [...app.upstreams.values()];
  const [busy, ...perMinute] = await Promise.all([
    cpuShare(app, WATCHED_MS),
    ...all.map((upstream) => upstreamPerMinute(upstream, WATCHED_MS)),
  ]);
  const perSecond = perMinute.reduce((sum, one) => sum + one, 0) / (MINUTE_MS / 1000);
  process.stderr.write(`${perSecond.toFixed(1)} checks a second\n`);
  const ms = (share: number) => (1000 * share) / perSecond;
  return {
    server: ms(busy.server - idle.server),
    database: ms(busy.database - idle.database),
  };
}

async function atCompanies<T>(
  pollSeconds: number,
  measure: (app: Plumbline) => Promise<T>,
): Promise<T> {
  const app = await startPlumbline({
    sizes: [ENDPOINTS],
    companiesOfEach: COMPANIES,
    pollSeconds,
    env: { INCIDENT_OPEN_MINUTES: "0" },
  });
  try {
    await sleep(WARM_UP_MS);
    return await measure(app);
  } finally {
    await app.stop();
  }
}

function setRows(app: Plumbline): void {
  const rows = landedRows();
  for (const upstream of app.upstreams.values()) upstream.setRows(rows);
}

/** Rows that are as they were a while ago, with newer data, runs and counts. */
function landedRows() {
  const nowMs = Date.now();
  return benchRows(ENDPOINTS, nowMs).map((row) => ({
    ...row,
    attributes: {
      ...row.attributes,
      api_calls_last_24h: (row.attributes.api_calls_last_24h + Math.floor(nowMs / 500)) % 2000,
    },
  }));
}
