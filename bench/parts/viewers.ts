import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliDecompressSync } from "node:zlib";
import { Agent, request } from "undici";
import { cpuShare, type CpuShare } from "@/bench/cpu-share";
import { companyOf, snapshotPath, startPlumbline, type Plumbline } from "@/bench/plumbline";
import type { Row } from "@/bench/table";
import { upstreamPerMinute } from "@/bench/upstream-rate";
import { companyPath } from "@/lib/client/company-path";
import { openIncidentsPath } from "@/lib/client/incidents-path";
import { nextRequestMs } from "@/lib/client/snapshot";
import type { SyncStatusView } from "@/lib/contracts/dashboard";
import { instantMs } from "@/lib/domain/time/instant";
import { OPEN_LISTS } from "@/lib/contracts/lists/open-lists";

const ENDPOINTS = 500;
const CROWDS = [1, 100, 1000] as const;
/** For the many requests that are counted: five times as often as in reality. */
const QUICK_POLL_SECONDS = 12;
const QUICK_WATCHED_MS = 21_000;
/** A read may start slightly late; requests caused by viewers would be many times more. */
const SAME = { of: "ratio", most: 1.1, text: "the same" } as const;
const REAL_POLL_SECONDS = 60;
/** Three checks, and the requests of a thousand viewers for each. */
const REAL_WATCHED_MS = 60_600;
/** Until all viewers have arrived and everything is warm. */
const REAL_WARM_UP_MS = 45_000;
const MAX_PERCENT = 10;
/** Within the warm-up. */
const ARRIVAL_MS = 5_000;

/** Everything late opens an incident at once: every partner has one. */
const WITH_INCIDENTS = { INCIDENT_OPEN_MINUTES: "0" };

/** Cost of one, a hundred and a thousand viewers, each with the page's own poll interval. */
export async function viewers(): Promise<Row[]> {
  return [...(await upstreamRows()), ...(await cpuRows())];
}

async function upstreamRows(): Promise<Row[]> {
  const app = await startPlumbline({
    sizes: [ENDPOINTS],
    pollSeconds: QUICK_POLL_SECONDS,
    env: WITH_INCIDENTS,
  });
  const upstream = app.upstreams.get(companyOf(ENDPOINTS));
  if (upstream === undefined) throw new Error("there is no upstream");
  const perMinute = () => upstreamPerMinute(upstream, QUICK_WATCHED_MS);
  try {
    const rates: number[] = [];
    for (const size of CROWDS)
      rates.push(await during(app, size, QUICK_POLL_SECONDS * 500, perMinute));
    const [one = 0, ...more] = rates;
    return more.map((rate, at): Row => ({
      what: `requests to upstream with ${CROWDS[at + 1]?.toLocaleString("en")} viewers, five times as fast as real ones`,
      against: "with 1 viewer",
      floor: one,
      ours: rate,
      unit: "a minute",
      goal: SAME,
    }));
  } finally {
    await app.stop();
  }
}

async function cpuRows(): Promise<Row[]> {
  const app = await startPlumbline({
    sizes: [ENDPOINTS],
    pollSeconds: REAL_POLL_SECONDS,
    env: WITH_INCIDENTS,
  });
  const counts = new Map<string, number>();
  const share = () => {
    counts.clear();
    return cpuShare(app, REAL_WATCHED_MS);
  };
  try {
    const one = await during(app, 1, REAL_WARM_UP_MS, share, counts);
    const many = await during(app, 1000, REAL_WARM_UP_MS, share, counts);
    const asked = Array.from(counts, ([what, amount]) => `${what} ${amount}`).join(", ");
    process.stderr.write(`answers to 1,000 pages in a minute: ${asked}\n`);
    const row = (what: string, part: (of: CpuShare) => number): Row => ({
      what: `CPU of ${what} with 1,000 open pages with incidents, in their real rhythm`,
      against: "with 1 page",
      floor: 100 * part(one),
      ours: 100 * part(many),
      unit: "% of a core",
      goal: null,
    });
    return [
      row("the server", ({ server }) => server),
      row("its database", ({ database }) => database),
      {
        ...row("both", ({ server, database }) => server + database),
        goal: { of: "difference", most: MAX_PERCENT },
      },
    ];
  } finally {
    await app.stop();
  }
}

/** `sources`: of each response, by ETag. All viewers get the same, and only one needs to parse it. */
type Crowd = {
  agent: Agent;
  sources: Map<string, SyncStatusView["source"]>;
  /** Answers by address and status; counted from when it was cleared last. */
  counts: Map<string, number>;
};

/** Measures with this many viewers, who have been viewing for `warmUpMs`. */
async function during<T>(
  app: Plumbline,
  size: number,
  warmUpMs: number,
  measure: () => Promise<T>,
  counts = new Map<string, number>(),
): Promise<T> {
  const leaving = new AbortController();
  // Every viewer listens to it.
  setMaxListeners(0, leaving.signal);
  const crowd: Crowd = { agent: new Agent({ connections: 200 }), sources: new Map(), counts };
  const cookies = await app.signInAgain(size);
  const watching = cookies.flatMap((cookie) => [
    watch(app, cookie, crowd, leaving.signal),
    repeatToday(app, cookie, crowd, leaving.signal),
  ]);
  await sleep(warmUpMs);
  const measured = await measure();
  leaving.abort();
  await Promise.all(watching);
  await crowd.agent.close();
  return measured;
}

const TODAY_EVERY_MS = 10_000;

/** What the first page requests; the pages are spread over its interval. */
async function repeatToday(
  app: Plumbline,
  cookie: string,
  crowd: Crowd,
  leaving: AbortSignal,
): Promise<void> {
  let etag = "";
  await sleep(Math.random() * TODAY_EVERY_MS, undefined, { signal: leaving }).catch(() => {});
  while (!leaving.aborted) {
    etag = await readList(app, cookie, { what: "today", path: "/today", etag }, crowd);
    await sleep(TODAY_EVERY_MS, undefined, { signal: leaving }).catch(() => {});
  }
}

/** The lists beside a company's endpoints, which a page requests when the snapshot's headers say that they changed. */
const LISTS = [
  {
    what: "open incidents",
    path: openIncidentsPath(companyOf(ENDPOINTS)),
    header: OPEN_LISTS.incidents.header,
  },
  {
    what: "quiet times",
    path: companyPath(companyOf(ENDPOINTS), "expectations", OPEN_LISTS.quiet.query),
    header: OPEN_LISTS.quiet.header,
  },
] as const;

/** @returns the ETag of the response */
async function readList(
  app: Plumbline,
  cookie: string,
  { what, path, etag }: { what: string; path: string; etag: string },
  { agent, counts }: Pick<Crowd, "agent" | "counts">,
): Promise<string> {
  const { statusCode, headers, body } = await request(`${app.address}/api${path}`, {
    dispatcher: agent,
    headers: { cookie, "accept-encoding": "br", ...(etag !== "" && { "if-none-match": etag }) },
  });
  await body.dump();
  count(counts, `${what} ${statusCode}`);
  if (statusCode !== 200 && statusCode !== 304) throw new Error(`${path}: ${statusCode}`);
  return String(headers["etag"] ?? "");
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

/** The snapshot of an open page, and its lists when they changed. */
async function watch(
  app: Plumbline,
  cookie: string,
  crowd: Crowd,
  leaving: AbortSignal,
): Promise<void> {
  const jitter = Math.random();
  const url = `${app.address}${snapshotPath(ENDPOINTS)}`;
  // A thousand people don't come in the same moment.
  await sleep(jitter * ARRIVAL_MS, undefined, { signal: leaving }).catch(() => {});
  let etag = "";
  const etags = new Map<string, string>();
  while (!leaving.aborted) {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: crowd.agent,
      headers: { cookie, "accept-encoding": "br", "if-none-match": etag },
    });
    if (statusCode !== 200 && statusCode !== 304) throw new Error(`answered ${statusCode}`);
    count(crowd.counts, `snapshot ${statusCode}`);
    etag = String(headers["etag"]);
    if (crowd.sources.has(etag)) {
      await body.dump();
    } else {
      const json = brotliDecompressSync(await body.arrayBuffer()).toString();
      crowd.sources.set(etag, (JSON.parse(json) as SyncStatusView).source);
    }
    for (const { what, path, header } of LISTS) {
      const before = etags.get(path) ?? "";
      if (before !== "" && before === headers[header]) continue;
      etags.set(path, await readList(app, cookie, { what, path, etag: before }, crowd));
    }
    const source = crowd.sources.get(etag);
    if (source === undefined) throw new Error("a 304 for something never sent");
    const nowMs = Date.now();
    const requestMs = nextRequestMs({
      nextRefreshMs: instantMs(source.next_refresh_at),
      rhythmMs: source.rhythm_seconds * 1000,
      lastRequestMs: nowMs,
      jitter,
    });
    await sleep(Math.max(0, requestMs - nowMs), undefined, { signal: leaving }).catch(() => {});
  }
}
