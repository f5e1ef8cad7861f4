import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliDecompressSync } from "node:zlib";
import { Agent, request } from "undici";
import { companyOf, snapshotPath, startPlumbline, type Plumbline } from "@/bench/plumbline";
import type { Row } from "@/bench/table";
import { upstreamPerMinute } from "@/bench/upstream-rate";
import { nextAskMs } from "@/lib/client/queries/sync-status";
import type { SyncStatusView } from "@/lib/contracts/dashboard";

const ENDPOINTS = 500;
const CROWDS = [1, 100, 1000] as const;
const POLL_SECONDS = 4;
const WATCHED_MS = 21_000;
/** A read may begin a little late; people who ask upstream would show as many times as much. */
const SAME = { of: "ratio", most: 1.1, text: "the same" } as const;

/** What upstream receives while one, a hundred and a thousand people look, each in the page's own rhythm. */
export async function viewers(): Promise<Row[]> {
  const app = await startPlumbline({ sizes: [ENDPOINTS], pollSeconds: POLL_SECONDS });
  try {
    const rates: number[] = [];
    for (const crowd of CROWDS) rates.push(await upstreamWith(app, crowd));
    const [one = 0, ...more] = rates;
    return more.map((rate, at): Row => ({
      what: `requests to upstream with ${CROWDS[at + 1]?.toLocaleString("en")} viewers (polling every ${POLL_SECONDS} s)`,
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

/** `sources`: of each answer, by ETag. All of a crowd get the same, and only one need read it. */
type Crowd = { agent: Agent; sources: Map<string, SyncStatusView["source"]> };

async function upstreamWith(app: Plumbline, size: number): Promise<number> {
  const upstream = app.upstreams.get(companyOf(ENDPOINTS));
  if (upstream === undefined) return Number.NaN;
  const leaving = new AbortController();
  // Every viewer listens to it.
  setMaxListeners(0, leaving.signal);
  const crowd: Crowd = { agent: new Agent({ connections: 200 }), sources: new Map() };
  const watching = Array.from({ length: size }, () => watch(app, crowd, leaving.signal));
  await sleep(POLL_SECONDS * 1000);
  const rate = await upstreamPerMinute(upstream, WATCHED_MS);
  leaving.abort();
  await Promise.all(watching);
  await crowd.agent.close();
  return rate;
}

/** One open page, as far as the server can tell. */
async function watch(app: Plumbline, crowd: Crowd, leaving: AbortSignal): Promise<void> {
  const jitter = Math.random();
  const url = `${app.address}${snapshotPath(ENDPOINTS)}`;
  let etag = "";
  while (!leaving.aborted) {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: crowd.agent,
      headers: { cookie: app.cookie, "accept-encoding": "br", "if-none-match": etag },
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
