import { setTimeout as sleep } from "node:timers/promises";
import { SyncStatusView } from "@/lib/contracts/dashboard";
import { LOCKS } from "@/lib/server/store/locks";
import { COMPANY, type Site } from "./site";
import type { Instance } from "./instance";

/** Leads that every instance competes for by default. */
export const LEADS = ["collector", "deletions", "files"] as const;
export type SoakedLead = (typeof LEADS)[number];

/** A started term, on PostgreSQL's clock (this machine's), epoch milliseconds. */
export type SeenTerm = { of: SoakedLead; term: string; sinceMs: number };
/** A committed snapshot of COMPANY, and when it was seen, epoch milliseconds. */
export type SeenCommit = { asOfMs: number; seenMs: number };

/** Observes everything continuously from outside. */
export type Watch = {
  terms: readonly SeenTerm[];
  commits: readonly SeenCommit[];
  /** The process that holds a lead now; null: none. */
  holder(of: SoakedLead): string | null;
  /** Until `calm`, these instances may lag, but must not show old data as live. */
  disturb(instances: readonly Instance[]): void;
  calm(instances: readonly Instance[]): void;
  /** Violations. */
  broken: readonly string[];
  say(what: string): void;
  measured(): Measured;
  stop(): Promise<void>;
};

export type Measured = {
  looks: number;
  /** Time from a commit until a calm instance showed it, milliseconds. */
  followMs: readonly number[];
  residentBytes: number;
  loopDelayP99Ms: number;
  logBytesPerMinute: number;
};

const LOOK_MS = 250;
/** The promise of 2 s, plus two of our polls and a request. */
const FOLLOW_LIMIT_MS = 2_000 + 3 * LOOK_MS;
/** Time after a fault for dead connections to be given up and missed data to be caught up. */
const CALM_AFTER_MS = 20_000;
const LIVE_MS = 150_000;
const SLACK_MS = 1_500;
const MAX_RESIDENT_BYTES = 512 * 1024 * 1024;
const MAX_LOG_BYTES = 100_000;
const SAMPLE_MS = 5_000;

export function watch({ instances, pool, cookie }: Site): Watch {
  const terms: SeenTerm[] = [];
  const commits: SeenCommit[] = [];
  const holders = new Map<string, string>();
  const broken: string[] = [];
  const calmFromMs = new Map<string, number>(instances.map(({ name }) => [name, 0]));
  const followMs: number[] = [];
  let looks = 0;
  let residentBytes = 0;
  let loopDelayP99Ms = 0;
  const over = new AbortController();
  const isOver = () => over.signal.aborted;
  const say = (what: string) => {
    broken.push(what);
    process.stdout.write(`${new Date().toISOString()} BROKEN ${what}\n`);
  };
  const isCalm = ({ name }: Instance) =>
    Date.now() - (calmFromMs.get(name) ?? Number.POSITIVE_INFINITY) > 0;

  async function lookAtDatabase(): Promise<void> {
    const { rows } = await pool.query<{ of: SoakedLead; term: string; since_ms: string }>(
      "select of, term, extract(epoch from since) * 1000 as since_ms from leads",
    );
    for (const { of, term, since_ms } of rows) {
      if (LEADS.includes(of) && !terms.some((seen) => seen.term === term))
        terms.push({ of, term, sinceMs: Number(since_ms) });
    }
    const held = await pool.query<{ lock: string; life: string }>(
      `select ((classid::bigint << 32) + objid::bigint)::text as lock, application_name as life
       from pg_locks held join pg_stat_activity holder on holder.pid = held.pid
       where locktype = 'advisory' and granted and objsubid = 1`,
    );
    holders.clear();
    for (const { lock, life } of held.rows) holders.set(lock, life);
    const { rows: states } = await pool.query<{ as_of: Date | null }>(
      "select as_of from company_state where company = $1",
      [COMPANY],
    );
    const asOfMs = states[0]?.as_of?.getTime() ?? 0;
    const lastMs = commits.at(-1)?.asOfMs ?? 0;
    if (asOfMs < lastMs) say(`the record went back by ${lastMs - asOfMs} ms`);
    if (asOfMs > lastMs) commits.push({ asOfMs, seenMs: Date.now() });
  }

  /** Polls one instance as an open page does. */
  async function lookAt(instance: Instance): Promise<void> {
    const waiting: SeenCommit[] = [];
    let counted = 0;
    let etag = "";
    let shown: { asOfMs: number; confidence: string } | null = null;
    while (!isOver()) {
      await sleep(LOOK_MS);
      for (; counted < commits.length; counted += 1) {
        const commit = commits[counted];
        if (commit !== undefined) waiting.push(commit);
      }
      const address = instance.address();
      const answer =
        address === null
          ? null
          : await fetch(`${address}/api/companies/${COMPANY}/sync-status`, {
              headers: { cookie, "if-none-match": etag },
              signal: AbortSignal.timeout(2_000),
            }).catch(() => null);
      const nowMs = Date.now();
      if (answer !== null) {
        looks += 1;
        if (answer.status === 200) {
          etag = answer.headers.get("etag") ?? "";
          const view = SyncStatusView.parse(await answer.json());
          const asOfMs = view.as_of === null ? 0 : Date.parse(view.as_of);
          shown = { asOfMs, confidence: view.source.confidence };
        } else if (answer.status !== 304 && answer.status !== 503) {
          say(`${instance.life()} answered ${answer.status}`);
        }
        if (shown?.confidence === "live" && nowMs - shown.asOfMs > LIVE_MS + SLACK_MS)
          say(`${instance.life()} shows as live what is ${nowMs - shown.asOfMs} ms old`);
      }
      while (waiting[0] !== undefined) {
        const [{ asOfMs, seenMs }] = waiting as [SeenCommit];
        const isShown = (shown?.asOfMs ?? 0) >= asOfMs;
        const late = nowMs - seenMs;
        if (!isShown && isCalm(instance) && late <= FOLLOW_LIMIT_MS) break;
        if (isCalm(instance)) {
          if (isShown) followMs.push(late);
          else say(`${instance.life()} does not show a snapshot ${late} ms after its commit`);
        }
        waiting.shift();
      }
    }
  }

  async function sample(): Promise<void> {
    /** The process sampled last, whose value covers the time since then. */
    const checked = new Map<string, string>();
    while (!isOver()) {
      await sleep(SAMPLE_MS);
      for (const instance of instances) {
        const bytes = instance.residentBytes();
        residentBytes = Math.max(residentBytes, bytes);
        if (bytes > MAX_RESIDENT_BYTES) say(`${instance.life()} takes ${bytes} bytes`);
        const address = instance.address();
        if (address === null || instance.stoodStill()) continue;
        const life = instance.life();
        const text = await fetch(`${address}/metrics`, { signal: AbortSignal.timeout(2_000) })
          .then((answer) => answer.text())
          .catch(() => "");
        const p99 = Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1]);
        // The first value of a process includes its startup.
        if (checked.get(instance.name) === life && p99 > 0)
          loopDelayP99Ms = Math.max(loopDelayP99Ms, p99 * 1000);
        checked.set(instance.name, life);
      }
    }
  }

  const running = Promise.all([
    ...instances.map((instance) => lookAt(instance)),
    sample(),
    (async () => {
      while (!isOver()) {
        await lookAtDatabase().catch(() => holders.clear());
        await sleep(LOOK_MS);
      }
    })(),
  ]);

  return {
    terms,
    commits,
    holder: (of) => holders.get(String(LOCKS[of])) ?? null,
    disturb(which) {
      for (const { name } of which) calmFromMs.set(name, Number.POSITIVE_INFINITY);
    },
    calm(which) {
      for (const { name } of which) calmFromMs.set(name, Date.now() + CALM_AFTER_MS);
    },
    broken,
    say,
    measured: () => ({
      looks,
      followMs,
      residentBytes,
      loopDelayP99Ms,
      logBytesPerMinute: Math.max(...instances.map((instance) => instance.worstLogBytes())),
    }),
    async stop() {
      over.abort();
      await running;
      const { logBytesPerMinute } = this.measured();
      if (logBytesPerMinute > MAX_LOG_BYTES) say(`${logBytesPerMinute} bytes of log in a minute`);
    },
  };
}
