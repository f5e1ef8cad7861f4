import { isDeepStrictEqual } from "node:util";
import {
  isForCadence,
  isLookCurrent,
  type LearnedWeek,
} from "@/lib/domain/learned-week/follow-week";
import { weekFacts } from "@/lib/domain/learned-week/week-facts";
import type { LearnedWeekFacts } from "@/lib/domain/sync";
import type { Database } from "@/lib/server/store/database";
import {
  readWeeksInForce,
  readWeeksSince,
  type WeekProgress,
} from "@/lib/server/store/learned-weeks/learned-weeks";
import type { EndpointRecord } from "@/lib/server/store/sync/records";

/** A company's learned weeks as the leader remembers them between checks. */
export type OpenWeeks = {
  version: number;
  lookedUntilMs: number | null;
  /** Endpoints that missed a promise and still lack its data: that shows that data was expected. */
  awaited: ReadonlySet<string>;
  /** Those in force, by endpoint. */
  weeks: ReadonlyMap<string, { week: LearnedWeek; facts: LearnedWeekFacts }>;
};

const NO_WEEKS: OpenWeeks = {
  version: 0,
  lookedUntilMs: null,
  awaited: new Set(),
  weeks: new Map(),
};
/** Weeks that one check takes over: more would make it slow after the first look. The rest follows at the next ones. */
const MAX_PER_CHECK = 250;

/**
 * The learned weeks in force: as remembered, unless one began or ended since.
 * @param watched.weeks as remembered; null: not read yet
 * @param watched.recorded endpoints as recorded: facts that are equal stay the same objects
 * @param progress as recorded now; null: the company never had a learned week
 */
export async function openWeeks(
  database: Pick<Database, "pool">,
  company: string,
  watched: {
    weeks: OpenWeeks | null;
    recorded: ReadonlyMap<string, Pick<EndpointRecord, "known">>;
  },
  progress: WeekProgress | null,
): Promise<OpenWeeks> {
  if (progress === null) return NO_WEEKS;
  const { weeks: before, recorded } = watched;
  const { version: upTo, lookedUntilMs } = progress;
  const awaited = new Set(progress.awaited);
  if (before?.version === upTo) return { ...before, lookedUntilMs, awaited };
  // A lower one: of a restored backup.
  const isKnown = before !== null && before.version < upTo;
  const { weeks: changed, version } = isKnown
    ? await readWeeksSince(database, company, { after: before.version, upTo }, MAX_PER_CHECK)
    : { weeks: await readWeeksInForce(database, company), version: upTo };
  const weeks = new Map(isKnown ? before.weeks : []);
  for (const [id, week] of changed) {
    if (week === null) weeks.delete(id);
    else weeks.set(id, { week, facts: sameFacts(weekFacts(week), recorded.get(id)) });
  }
  return { version, lookedUntilMs, awaited, weeks };
}

function sameFacts(
  facts: LearnedWeekFacts,
  recorded: Pick<EndpointRecord, "known"> | undefined,
): LearnedWeekFacts {
  const before = recorded?.known.learned_week;
  return before && isDeepStrictEqual(before, facts) ? before : facts;
}

/** The learned week that applies to an endpoint of a cadence now, on the API's clock. */
export function appliedWeeks(
  open: OpenWeeks | null,
  apiNowMs: number,
): (endpointId: string, cadenceMs: number | null) => LearnedWeekFacts | null {
  const { lookedUntilMs, awaited, weeks } = open ?? NO_WEEKS;
  const isCurrent = isLookCurrent(lookedUntilMs, apiNowMs);
  return (id, cadenceMs) => {
    const own = isCurrent && !awaited.has(id) ? weeks.get(id) : undefined;
    return own !== undefined && isForCadence(own.week, cadenceMs) ? own.facts : null;
  };
}
