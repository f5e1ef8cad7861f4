import { groupBy } from "@/lib/domain/collections/group-by";
import type { EndedIncident } from "@/lib/domain/incidents/incident";
import { replay, type IncidentsReplay } from "@/lib/domain/incidents/replay";
import type { IncidentEvent, IncidentSettings } from "@/lib/domain/incidents/step";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database, Writer } from "@/lib/server/store/database";
import { Deposed } from "@/lib/server/store/fence";
import {
  readPastIncidents,
  readPastPeriod,
  writePastIncidents,
  type PastIncidents,
} from "@/lib/server/store/incidents/recorded-past";
import { LeadershipLost } from "./check-record";
import { GAP_POLLS, type WatchedCompany } from "./watched-company";

/** Period read at once: one day of the record. */
const PERIOD_MS = DAY_MS;
/**
 * Number of incidents after which they are written: keeps transactions short, and little is repeated after a
 * crash.
 */
const INCIDENTS_PER_WRITE = 200;
const RETRY_MS = 10 * MINUTE_MS;
/** A check this close comes first. */
const CHECK_NEAR_MS = 2_000;

/** The parts of a company that are read and updated. */
type ReplayedCompany = Pick<WatchedCompany, "slug" | "isPastReplayed" | "incidents"> & {
  state: Pick<WatchedCompany["state"], "rhythmSeconds">;
};

type ReplayOptions = {
  database: Database;
  /** The leader's. */
  writer: Writer;
  clock: Pick<Clock, "monotonicMs">;
  log: Log;
  disk: { isLow(): Promise<boolean> };
  schedule: { startsInMs(company: Pick<WatchedCompany, "slug">): number };
  incidents: IncidentSettings;
  /** See `CollectorOptions`. */
  isPastWritten?: (company: string) => Promise<boolean>;
};

/**
 * Derives incidents from a company's record from before incident detection, once, between its checks: one day
 * at a time, while the next check isn't close. Ids continue after the assigned ones; existing incidents stay
 * unchanged, and those still open when detection started are handled live.
 *
 * Progress is stored in the same transaction as the results, so a killed process neither repeats nor omits
 * anything. Failures are logged and retried ten minutes later.
 */
export function createReplay(options: ReplayOptions) {
  const { database, writer, clock, log, schedule, disk } = options;
  const retryAtMs = new Map<string, number>();

  /** @throws LeadershipLost when another process wrote, or it is unknown what was written */
  return async function replayPast(company: ReplayedCompany, signal: AbortSignal): Promise<void> {
    // The first check comes first.
    if (company.isPastReplayed || company.incidents.observedAtMs === null) return;
    if (clock.monotonicMs() < (retryAtMs.get(company.slug) ?? -Infinity)) return;
    try {
      if (!((await options.isPastWritten?.(company.slug)) ?? true)) return;
      do await replayNext(company, signal);
      while (!company.isPastReplayed && hasTime(company, signal));
    } catch (err) {
      if (err instanceof LeadershipLost || err instanceof Deposed) throw new LeadershipLost();
      if (signal.aborted) return;
      retryAtMs.set(company.slug, clock.monotonicMs() + RETRY_MS);
      log.warn({ err, company: company.slug }, "incidents could not be replayed from the record");
    }
  };

  function hasTime(company: ReplayedCompany, signal: AbortSignal): boolean {
    return !signal.aborted && schedule.startsInMs(company) > CHECK_NEAR_MS;
  }

  /** Reads until there is enough to write, or the next check is close, and writes it. */
  async function replayNext(company: ReplayedCompany, signal: AbortSignal): Promise<void> {
    if (await disk.isLow()) throw new Error("the disk is nearly full");
    const past = await readPastIncidents(database, company.slug);
    if (past === null) {
      company.isPastReplayed = true;
      return;
    }
    if (past.lastId !== company.incidents.lastId) throw new LeadershipLost();
    const found: { incident: EndedIncident; events: readonly IncidentEvent[] }[] = [];
    let { done } = past;
    do {
      if (done.untilMs >= past.liveFromMs) break;
      const after = await readNext(company, past, done);
      found.push(...after.ended);
      ({ done } = after);
    } while (found.length < INCIDENTS_PER_WRITE && hasTime(company, signal));
    if (signal.aborted) return;
    const isDone = done.untilMs >= past.liveFromMs;
    const lastId = await write(company, past, { ended: found, done: isDone ? null : done });
    company.incidents = { ...company.incidents, lastId };
    company.isPastReplayed = isDone;
    if (isDone && past.done.fromMs < past.liveFromMs)
      log.info(
        { event: "past_incidents_replayed", company: company.slug },
        "incidents were replayed from the record",
      );
  }

  /** @throws LeadershipLost when the last id is unknown: the record has to be reloaded */
  async function write(
    company: ReplayedCompany,
    past: PastIncidents,
    next: Parameters<typeof writePastIncidents>[3],
  ): Promise<number> {
    try {
      const lastId = await writePastIncidents(writer, company.slug, past, next);
      if (lastId !== null) return lastId;
    } catch (err) {
      retryAtMs.set(company.slug, clock.monotonicMs() + RETRY_MS);
      log.warn({ err, company: company.slug }, "incidents could not be replayed from the record");
    }
    throw new LeadershipLost();
  }

  async function readNext(
    company: ReplayedCompany,
    { liveFromMs }: PastIncidents,
    done: IncidentsReplay,
  ) {
    const untilMs = Math.min(done.untilMs + PERIOD_MS, liveFromMs);
    const period = await readPastPeriod(database, company.slug, {
      fromMs: done.untilMs,
      untilMs,
      sinceMs: done.state.observedAtMs,
      seenWithinMs: GAP_POLLS * company.state.rhythmSeconds * 1000,
    });
    const after = replay(done.state, period, options.incidents);
    const events = groupBy([...done.events, ...after.events], (event) => event.incidentId);
    const open = new Set(after.state.open.map(({ id }) => id));
    return {
      ended: after.ended.map((incident) => ({ incident, events: events.get(incident.id) ?? [] })),
      done: {
        fromMs: done.fromMs,
        untilMs,
        state: after.state,
        events: [...events].flatMap(([id, own]) => (open.has(id) ? own : [])),
      },
    };
  }
}
