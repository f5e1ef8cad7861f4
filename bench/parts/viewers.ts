import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliDecompressSync } from "node:zlib";
import { Agent, request } from "undici";
import { companyOf, snapshotPath, startPlumbline, type Plumbline } from "@/bench/plumbline";
import type { Row } from "@/bench/table";
import { upstreamPerMinute } from "@/bench/upstream-rate";
import { nextAskMs } from "@/lib/client/snapshot";
import type { SyncStatusView } from "@/lib/contracts/dashboard";

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
const MOST_PERCENT = 10;

/** Everything late opens an incident at once: every partner has one. */
const WITH_INCIDENTS = { INCIDENT_OPEN_MINUTES: "0" };

/** Cost of one, a hundred and a thousand viewers, each with the page's own poll interval. */
export async function viewers(): Promise<Row[]> {
  return [...(await upstreamRows()), await cpuRow()];
}

async function upstreamRows(): Promise<Row[]> {
  const app = await startPlumbline({
    sizes: [ENDPOINTS],
    pollSeconds: QUICK_POLL_SECONDS,
    env: WITH_INCIDENTS,
  });
  const upstream = app.upstreams.get(companyOf(ENDPOINTS));
  if (upstream === undefined) throw new Error("there is no upstream");
  const count = () => upstreamPerMinute(upstream, QUICK_WATCHED_MS);
  try {
    const rates: number[] = [];
    for (const size of CROWDS) rates.push(await during(app, size, QUICK_POLL_SECONDS * 500, count));
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

async function cpuRow(): Promise<Row> {
  const app = await startPlumbline({
    sizes: [ENDPOINTS],
    pollSeconds: REAL_POLL_SECONDS,
    env: WITH_INCIDENTS,
  });
  /** CPU time of the server's process, all threads, in percent of wall time. */
  const percent = async () => {
    const [before, startedMs] = [await app.usage(), performance.now()];
    await sleep(REAL_WATCHED_MS);
    const after = await app.usage();
    return (100 * (after.cpuMs - before.cpuMs)) / (performance.now() - startedMs);
  };
  try {
    const one = await during(app, 1, REAL_WARM_UP_MS, percent);
    const many = await during(app, 1000, REAL_WARM_UP_MS, percent);
    return {
      what: "CPU of the server with 1,000 viewers, in their real rhythm",
      against: "with 1 viewer",
      floor: one,
      ours: many,
      unit: "% of a core",
      goal: { of: "value", most: MOST_PERCENT },
    };
  } finally {
    await app.stop();
  }
}

/** `sources`: of each response, by ETag. All viewers get the same, and only one needs to parse it. */
type Crowd = { agent: Agent; sources: Map<string, SyncStatusView["source"]> };

/** Measures with this many viewers, who have been viewing for `warmUpMs`. */
async function during<T>(
  app: Plumbline,
  size: number,
  warmUpMs: number,
  measure: () => Promise<T>,
): Promise<T> {
  const leaving = new AbortController();
  // Every viewer listens to it.
  setMaxListeners(0, leaving.signal);
  const crowd: Crowd = { agent: new Agent({ connections: 200 }), sources: new Map() };
  const cookies = await app.signInAgain(size);
  const watching = cookies.map((cookie) => watch(app, cookie, crowd, leaving.signal));
  await sleep(warmUpMs);
  const measured = await measure();
  leaving.abort();
  await Promise.all(watching);
  await crowd.agent.close();
  return measured;
}

/** Simulates one open page. */
async function watch(
  app: Plumbline,
  cookie: string,
  crowd: Crowd,
  leaving: AbortSignal,
): Promise<void> {
  const jitter = Math.random();
  const url = `${app.address}${snapshotPath(ENDPOINTS)}`;
  let etag = "";
  while (!leaving.aborted) {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: crowd.agent,
      headers: { cookie, "accept-encoding": "br", "if-none-match": etag },
    });
    if (statusCode !== 200 && statusCode !== 304) throw new Error(`answered ${statusCode}`);
    etag = String(headers["etag"]);
    if (crowd.sources.has(etag)) {
      await body.dump();
    } else {
      const json = brotliDecompressSync(await body.arrayBuffer()).toString();
      crowd.sources.set(etag, (JSON.parse(json) as SyncStatusView).source);
    }
    const source = crowd.sources.get(etag);
    if (source === undefined) throw new Error("a 304 for something never sent");
    const nowMs = Date.now();
    const askMs = nextAskMs({
      nextRefreshMs: Date.parse(source.next_refresh_at),
      rhythmMs: source.rhythm_seconds * 1000,
      lastAskMs: nowMs,
      jitter,
    });
    await sleep(Math.max(0, askMs - nowMs), undefined, { signal: leaving }).catch(() => {});
  }
}
