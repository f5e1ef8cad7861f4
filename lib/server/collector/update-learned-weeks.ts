import { dayOf } from "@/lib/domain/time/day";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database, Writer } from "@/lib/server/store/database";
import { readLookedUntil } from "@/lib/server/store/learned-weeks/learned-weeks";
import { readClocks, type ClockSource } from "./clock-agreement";
import { learnCompany } from "./learned-weeks/learn-company";
import { repeat } from "./repeat";

/** Delayed so that the first snapshots and the days of reports come first. */
const FIRST_AFTER_MS = MINUTE_MS;
const EVERY_MS = 10 * MINUTE_MS;

type LearningCompany = ClockSource & {
  readonly slug: string;
  recordedAsOfMs: number | null;
  state: { apiClockOffsetMs: number };
};

type Options = {
  database: Database;
  /** The leader's. */
  writer: Writer;
  clock: Clock;
  log: Log;
  companies: readonly LearningCompany[];
  /** Reporting zone of a company: an IANA name. */
  timeZoneOf: (company: string) => string;
  disk: { isLow(): Promise<boolean> };
  signal: AbortSignal;
};

/**
 * Looks at the record of every company once a local day, until `signal` aborts, and learns when its feeds rest. Waits
 * until our clock, PostgreSQL's and that of the company's API agree.
 */
export async function updateLearnedWeeks(options: Options): Promise<void> {
  const { companies, timeZoneOf, disk, log, signal } = options;
  const lookedOn = new Map<string, string>();
  await repeat(options, { firstAfterMs: FIRST_AFTER_MS, everyMs: EVERY_MS }, async () => {
    for (const company of companies) {
      try {
        const clocks = await readClocks({ ...options, companies: [company] });
        if (signal.aborted || (await disk.isLow())) return;
        const agreedMs = clocks?.agreedMs ?? null;
        if (agreedMs !== null) await lookAt(company, agreedMs);
      } catch (err) {
        if (signal.aborted) return;
        log.warn({ err, company: company.slug }, "learned weeks could not be kept; retrying");
      }
    }
  });

  async function lookAt(company: LearningCompany, agreedMs: number): Promise<void> {
    if (company.recordedAsOfMs === null) return;
    // After the last snapshot the absence of data says nothing.
    const nowMs = Math.min(agreedMs, company.recordedAsOfMs + company.state.apiClockOffsetMs);
    const timeZone = timeZoneOf(company.slug);
    const dayAt = (ms: number) => `${dayOf(ms, timeZone)} ${timeZone}`;
    const day = dayAt(nowMs);
    const lastDay = lookedOn.get(company.slug) ?? (await lookedBefore(company, dayAt));
    if (lastDay !== day) await learnCompany(options, company.slug, { timeZone, nowMs });
    lookedOn.set(company.slug, day);
  }

  /** The day that a leader before this one looked at; a change of the time zone since then isn't known. */
  async function lookedBefore(
    { slug }: LearningCompany,
    dayAt: (ms: number) => string,
  ): Promise<string | null> {
    const lookedMs = await readLookedUntil(options.database, slug);
    return lookedMs === null ? null : dayAt(lookedMs);
  }
}
