import type { Log } from "@/lib/server/log";
import { isOutageForAll } from "@/lib/server/outage";
import type { Database } from "@/lib/server/store/database";
import { Deposed } from "@/lib/server/store/fence";
import { readEndpointHistories } from "@/lib/server/store/sync/endpoint-history";
import { readCircumstances, type Circumstances } from "@/lib/server/store/sync/read-circumstances";
import { DAY_MS } from "@/lib/domain/time/units";
import { openDeadlines, watchDeadlines, type WatchedSnapshot } from "./deadlines/watch-deadlines";
import { openWeeks, type OpenWeeks } from "./learned-weeks/open-weeks";
import type { WatchedCompany } from "./watched-company";

/** This process no longer leads: the result of its check must not be shown. */
export class LeadershipLost extends Error {}

export type CheckRecordOptions = {
  database: Database;
  log: Log;
  disk: { isLow(): Promise<boolean> };
};

const ALL = Symbol("all companies");

/**
 * Reads and writes the record for a check. A failing database is logged, once until it works again, and the check
 * continues without it.
 */
export function createCheckRecord({ database, log, disk }: CheckRecordOptions) {
  /** Companies whose record couldn't be read or written since it last was written; `ALL`: for a reason that all share. */
  const failing = new Set<string | typeof ALL>();

  function logFailure({ slug }: WatchedCompany, err: unknown, sentence: string): void {
    const whose = isOutageForAll(err) ? ALL : slug;
    if (!failing.has(whose)) log.warn({ err, company: slug }, sentence);
    failing.add(whose);
  }

  async function readOrNull<T>(company: WatchedCompany, read: () => Promise<T>): Promise<T | null> {
    try {
      return await read();
    } catch (err) {
      logFailure(company, err, "the record could not be read");
      return null;
    }
  }

  async function mayRecord(company: WatchedCompany): Promise<boolean> {
    const isRecording = !(await disk.isLow());
    if (isRecording !== company.isRecording) {
      if (isRecording) log.info({ company: company.slug }, "recording again");
      else log.warn({ company: company.slug }, "the disk is nearly full: nothing is recorded");
    }
    company.isRecording = isRecording;
    return isRecording;
  }

  return {
    /** @returns null when they could not be read */
    historiesOf: (company: WatchedCompany, endpointIds: readonly string[]) =>
      readOrNull(company, () => readEndpointHistories(database, company.slug, endpointIds)),

    /**
     * Planned quiet times of now and of the hours in which a deadline may be at risk, and what is known of deadlines and
     * learned weeks.
     * @returns null when they could not be read
     */
    circumstances: (company: WatchedCompany, apiNowMs: number) =>
      readOrNull(company, () =>
        readCircumstances(database, company.slug, {
          fromMs: apiNowMs,
          untilMs: apiNowMs + DAY_MS,
        }),
      ),

    /** @param read null: unknown @returns null when the record could not be read */
    deadlines: async (
      company: WatchedCompany,
      read: Circumstances | null,
      snapshot: Parameters<typeof watchDeadlines>[3],
    ): Promise<WatchedSnapshot | null> =>
      read === null
        ? null
        : readOrNull(company, async () => {
            const { slug, deadlines } = company;
            const now = { apiMs: snapshot.changes.apiNowMs, ownMs: snapshot.ownNowMs };
            const watched = await openDeadlines(database, slug, deadlines, read.deadlines, now);
            return watchDeadlines(database, slug, watched, snapshot);
          }),

    /** @param read null: unknown @returns null when they could not be read */
    weeks: async (company: WatchedCompany, read: Circumstances | null): Promise<OpenWeeks | null> =>
      read === null
        ? null
        : readOrNull(company, () => openWeeks(database, company.slug, company, read.weeks)),

    /**
     * Runs one write, unless the disk is nearly full.
     * @param write resolves to false when another process has written a newer version
     * @returns whether it wrote
     * @throws LeadershipLost when another process has written, or this process no longer leads
     */
    async write(
      company: WatchedCompany,
      signal: AbortSignal,
      write: () => Promise<boolean>,
    ): Promise<boolean> {
      let written: boolean | null = null;
      try {
        if (!signal.aborted && (await mayRecord(company))) written = await write();
      } catch (err) {
        if (err instanceof Deposed) throw new LeadershipLost();
        logFailure(company, err, "the record could not be written");
      }
      if (signal.aborted || written === false) throw new LeadershipLost();
      if (written === null) return false;
      failing.delete(company.slug);
      failing.delete(ALL);
      company.state = { ...company.state, version: company.state.version + 1 };
      return true;
    },
  };
}
