import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { companyOf, startPlumbline, type Plumbline } from "@/bench/plumbline";
import type { Row } from "@/bench/table";
import { upstreamPerMinute } from "@/bench/upstream-rate";
import type { PairingRequest, PairingView, WallReport } from "@/lib/contracts/wall";

const ENDPOINTS = 500;
const WALLS = 200;
/** Five times as often as on a real wall: reads and reports. */
const RHYTHM_SECONDS = 12;
/** Rows are requested as often as the server reads them: three times per rhythm. */
const LOOKS = 3;
const WATCHED_MS = 49_000;
const SAME = { of: "ratio", most: 1.1, text: "the same" } as const;
/** The promised maximum for the process, whatever it serves. */
const MAX_DELAY_MS = 200;
const MAX_MB = 512;

/** One server while 200 paired screens show a company, five times as often as in reality. */
export async function walls(): Promise<Row[]> {
  // Each screen claims its own client address, because one address may not pair so many.
  const env = { TRUST_PROXY: "1" };
  const app = await startPlumbline({ sizes: [ENDPOINTS], pollSeconds: RHYTHM_SECONDS, env });
  try {
    const upstream = app.upstreams.get(companyOf(ENDPOINTS));
    if (upstream === undefined) throw new Error("there is no upstream");
    const screens = [];
    for (let nth = 0; nth < WALLS; nth += 1) screens.push(await pairScreen(app, nth));
    await app.usage();
    const noneRate = await upstreamPerMinute(upstream, WATCHED_MS);
    const none = await app.usage();
    const leaving = new AbortController();
    // Every screen listens to it.
    setMaxListeners(0, leaving.signal);
    const agent = new Agent({ connections: WALLS });
    const showing = screens.map((cookie) => show(app, cookie, agent, leaving.signal));
    const rate = await upstreamPerMinute(upstream, WATCHED_MS);
    const shown = await app.usage();
    leaving.abort();
    await Promise.all(showing);
    await agent.close();
    const what = `with ${WALLS} walls, five times as fast as real ones`;
    return [
      {
        what: `requests to upstream ${what}`,
        against: "with none",
        floor: noneRate,
        ours: rate,
        unit: "a minute",
        goal: SAME,
      },
      {
        what: `server memory ${what}`,
        against: "with none, after they were paired",
        floor: none.residentBytes / 1_000_000,
        ours: shown.residentBytes / 1_000_000,
        unit: "MB",
        goal: { of: "value", most: MAX_MB },
      },
      {
        what: `event-loop delay p99 ${what}`,
        against: "with none",
        floor: none.loopDelayP99Ms,
        ours: shown.loopDelayP99Ms,
        unit: "ms",
        goal: { of: "value", most: MAX_DELAY_MS },
      },
    ];
  } finally {
    await app.stop();
  }
}

/** @returns the `Cookie` header of a paired screen */
async function pairScreen(app: Plumbline, nth: number): Promise<string> {
  const from = { "x-forwarded-for": `198.18.${Math.floor(nth / 250)}.${(nth % 250) + 1}` };
  const begun = await post(app, "/api/pair", "", {}, from);
  const view = (await begun.json()) as PairingView;
  if (view.state !== "waiting") throw new Error(`a screen's pairing is ${view.state}`);
  const display: PairingRequest = {
    code: view.code,
    replaces: null,
    name: `Screen ${nth}`,
    place: "",
    companies: [companyOf(ENDPOINTS)],
    layout: "auto",
    theme: "dark",
    time_zone: "Europe/Copenhagen",
    expires_at: null,
  };
  const typed = await post(app, "/api/displays", app.cookie, display);
  if (typed.status !== 201) throw new Error(`pairing answered ${typed.status}`);
  const paired = await fetch(`${app.address}/api/pair`, { headers: { cookie: cookieOf(begun) } });
  return cookieOf(paired);
}

function post(
  app: Plumbline,
  path: string,
  cookie: string,
  body: unknown,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${app.address}${path}`, {
    method: "POST",
    headers: { cookie, origin: app.address, "content-type": "application/json", ...more },
    body: JSON.stringify(body),
  });
}

/** The first cookie set by a response. */
function cookieOf(answer: Response): string {
  const [cookie = ""] = answer.headers.getSetCookie();
  return cookie.split(";")[0] ?? "";
}

/** Simulates one screen: reads its list and its rows and reports what it shows. */
async function show(
  app: Plumbline,
  cookie: string,
  agent: Agent,
  leaving: AbortSignal,
): Promise<void> {
  const pause = (ms: number) => sleep(ms, undefined, { signal: leaving }).catch(() => {});
  const ask = async (
    path: string,
    headers: Readonly<Record<string, string>>,
    report?: WallReport,
  ) => {
    const answer = await request(`${app.address}${path}`, {
      dispatcher: agent,
      method: report === undefined ? "GET" : "POST",
      headers: { cookie, "accept-encoding": "br", ...headers },
      ...(report && { body: JSON.stringify(report) }),
    });
    // A wall keeps its picture on a 503 and retries.
    if (answer.statusCode >= 400 && answer.statusCode !== 503) {
      throw new Error(`${path} answered ${answer.statusCode}`);
    }
    await answer.body.dump();
    return answer.headers;
  };
  let etag = "";
  await pause(Math.random() * RHYTHM_SECONDS * 1000);
  while (!leaving.aborted) {
    await ask("/api/wall", {});
    for (let look = 0; look < LOOKS && !leaving.aborted; look += 1) {
      const rows = await ask(`/api/wall/companies/${companyOf(ENDPOINTS)}/sync-status`, {
        "if-none-match": etag,
      });
      etag = String(rows["etag"] ?? etag);
      await pause((RHYTHM_SECONDS * 1000) / LOOKS);
    }
    if (leaving.aborted) return;
    const headers = { "content-type": "application/json", origin: app.address };
    await ask("/api/wall/report", headers, {
      build: "bench",
      painted_at_ms: Date.now(),
      snapshot_age_seconds: 3,
      loaded_at_ms: Date.now(),
    });
  }
}
