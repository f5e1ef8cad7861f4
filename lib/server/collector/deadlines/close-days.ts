import { closeDaysOf, type ClosedDay } from "@/lib/domain/deadlines/closing";
import { windowFromMs, type DeadlineDay } from "@/lib/domain/deadlines/calendar";
import type { Deadline } from "@/lib/domain/deadlines/deadline";
import type { FeedFacts } from "@/lib/domain/deadlines/holding";
import { closedMs, closesFromMs, type SeenLanding } from "@/lib/domain/deadlines/outcome";
import type { Period } from "@/lib/domain/history";
import { concerns } from "@/lib/domain/quiet/concerns";
import { eachStep } from "@/lib/domain/steps";
import { inSlices } from "@/lib/server/slices";
import type { Database } from "@/lib/server/store/database";
import {
  readEnteredQuiet,
  readFacts,
  readSeenLandings,
} from "@/lib/server/store/deadlines/read-past";

/** A day to close, of one deadline. */
export type DayToClose = { deadline: Deadline; day: DeadlineDay };

/** An endpoint that may have been included. */
export type Candidate = { id: string; partner: string };

/** A landing that isn't in the record yet. */
type NewLanding = SeenLanding & { endpointId: string };

/** What a snapshot adds that isn't in the record yet. */
type NewSnapshot = {
  /** When it was observed, epoch milliseconds on the API's clock. */
  atMs: number;
  landings: readonly NewLanding[];
  /** What it says of endpoints that changed: it is the first that says anything of new ones. */
  facts: readonly { endpointId: string; facts: FeedFacts }[];
};

/**
 * Judges days from the record, given that the closing snapshot of each was read.
 * @param given.deadlines all of the company that were in force on one of the days
 * @param given.snapshot the one that closes them; null: all are recorded
 */
export async function closeDays(
  database: Pick<Database, "pool" | "orm">,
  company: string,
  given: {
    days: readonly DayToClose[];
    deadlines: readonly Deadline[];
    endpoints: readonly Candidate[];
    gaps: readonly Period[];
    snapshot: NewSnapshot | null;
    /** Rows read by one statement at most; omitted: unlimited. */
    mostRows?: number;
    /** Landings after the first one that follows the days aren't read: nothing depends on them. */
    isPast?: true;
  },
): Promise<ClosedDay[]> {
  const wanted: { id: string; days: DayToClose[] }[] = [];
  await inSlices(
    eachStep(given.endpoints, (endpoint) => {
      const days = given.days.filter(({ deadline }) => concerns(deadline, endpoint));
      if (days.length > 0) wanted.push({ id: endpoint.id, days });
    }),
  );
  if (wanted.length === 0) return [];
  const dues = given.days.map(({ day }) => day.dueMs);
  const within = { fromMs: Math.min(...dues), untilMs: Math.max(...dues) + 1 };
  const ids = wanted.map(({ id }) => id);
  const windows = given.days.map(({ day }) => windowFromMs(day, null));
  const closings = given.days.map(({ day }) => closedMs(day, given.gaps));
  const known = { fromMs: Math.min(...windows), untilMs: Math.max(...closings) + 1 };
  const facts = await readFacts(database, company, ids, known);
  const { snapshot } = given;
  const latest = new Map(snapshot?.facts.map((one) => [one.endpointId, one.facts]));
  const factsOf = (id: string) => (ms: number) => {
    const [recorded, own] = [facts.get(id)?.(ms), latest.get(id)];
    return (
      (snapshot !== null && ms >= snapshot.atMs ? (own ?? recorded) : (recorded ?? own)) ?? null
    );
  };
  const recorded = await readSeenLandings(
    database,
    company,
    wanted.map(({ id, days }) => ({ id, fromMs: firstWindowMs(days, factsOf(id)) })),
    {
      untilMs: given.isPast === undefined ? null : Math.max(...given.days.map(lastMs)),
      mostRows: given.mostRows ?? null,
    },
  );
  const quiet = await readEnteredQuiet(database, company, within);
  const fresh = new Map(snapshot?.landings.map((landing) => [landing.endpointId, landing]));
  const { deadlines, gaps } = given;
  const closed: ClosedDay[] = [];
  await inSlices(
    eachStep(wanted, ({ id, days }) => {
      const landings = withLanding(recorded.get(id) ?? [], fresh.get(id));
      const endpoint = { id, landings, factsAt: factsOf(id) };
      closed.push(...closeDaysOf(endpoint, days, { deadlines, gaps, quiet }));
    }),
  );
  return closed;
}

const lastMs = ({ day }: DayToClose) => closesFromMs(day);

function firstWindowMs(
  days: readonly DayToClose[],
  factsAt: Parameters<typeof closeDaysOf>[0]["factsAt"],
): number {
  return Math.min(...days.map(({ day }) => windowFromMs(day, factsAt(day.dueMs))));
}

function withLanding(
  recorded: readonly SeenLanding[],
  landing: SeenLanding | undefined,
): readonly SeenLanding[] {
  if (landing === undefined) return recorded;
  if (recorded.some(({ landedMs }) => landedMs === landing.landedMs)) return recorded;
  return [...recorded, landing].toSorted((a, b) => a.landedMs - b.landedMs);
}
