import type { RunStatus } from "@/lib/v3-service/store/schema";
import type { DemoEndpoint } from "./catalogue";
import type { Dice } from "./dice";
import { createOutages, type Outage } from "./outages";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./units";

/** One run of one endpoint; all instants are epoch milliseconds. */
export type DemoRun = {
  startedAtMs: number;
  finishedAtMs: number;
  outcome: Exclude<RunStatus, "in_progress">;
  /** It completed without new data. */
  isEmpty: boolean;
  /** Calls made to the partner, counted when the run ends. */
  apiCalls: number;
  /** Planned start of the next run, as reported while this one runs; null: none. */
  nextAtStartMs: number | null;
  /** Planned start of the next run as reported after this one, which a retry or the trouble may have changed. */
  nextAtFinishMs: number | null;
};

/** Events of one endpoint, computable for any period on its own. */
export type Timeline = {
  endpoint: DemoEndpoint;
  /** Runs that may overlap the period from `fromMs` to `toMs`, in order; they never overlap each other. */
  runs(fromMs: number, toMs: number): DemoRun[];
  /** Its first listing with a planned sync, for one that was listed only recently; null: listed all the time. */
  listed: { atMs: number; nextSyncAtMs: number } | null;
  /** Landings reported by the external pipeline within `(fromMs, toMs]`, in order. */
  pipelineLandings(fromMs: number, toMs: number): number[];
};

const SECOND_MS = 1000;

/** Share of a partner's endpoints that an outage affects. */
const HIT_SHARE = 0.9;
/** Share of runs whose first attempt doesn't complete, and that share plus the failed refreshes. */
const MISHAPS = 0.022;
const REFRESHES = 0.032;
/** From the first listing of an endpoint to its first planned sync. */
const FIRST_SYNC_MS = 2 * HOUR_MS;
/** An episode is told on its own. */
const CALM_AROUND_EPISODE_MS = 2 * DAY_MS;

/**
 * Time is divided into slots of the endpoint's interval, and everything in a slot follows from the seed, the endpoint
 * and the slot's number. So the events don't depend on how time is cut into windows.
 * @param dice of the world
 * @param epochMs the world's start time, the base of a few events (pauses, resets)
 */
export function createTimeline(endpoint: DemoEndpoint, dice: Dice, epochMs: number): Timeline {
  const { id, relay, standing, episode } = endpoint;
  const throwDice = (...key: readonly (number | string)[]) => dice(endpoint.company, id, ...key);
  const outageAt = createOutages(dice, endpoint.company, endpoint.partnerName);
  const everyMs = endpoint.everyMinutes * MINUTE_MS;
  const anchorMs =
    relay === null
      ? Math.floor(throwDice("anchor") * everyMs)
      : Math.floor((dice(endpoint.company, relay.name) + relay.place / relay.of) * everyMs);
  const pausedAtMs =
    endpoint.pausedDaysBeforeEpoch === null
      ? Infinity
      : epochMs - endpoint.pausedDaysBeforeEpoch * DAY_MS;
  const recordedAtMs =
    endpoint.recordedDaysBeforeEpoch === null
      ? Infinity
      : epochMs - endpoint.recordedDaysBeforeEpoch * DAY_MS;

  const standingFromMs = standing === null ? Infinity : epochMs - standing.daysBeforeEpoch * DAY_MS;

  const episodeEndMs =
    episode === null ? -Infinity : epochMs - episode.endedDaysBeforeEpoch * DAY_MS;
  const silentFromMs = episodeEndMs - (episode?.silentHours ?? 0) * HOUR_MS;
  const isSilent = (atMs: number) => atMs >= silentFromMs && atMs < episodeEndMs;

  const slotAtMs = (slot: number) => anchorMs + slot * everyMs;

  /** The outage that affects this endpoint at an instant. */
  function outageOf(atMs: number): Outage | null {
    if (relay !== null || Math.abs(atMs - episodeEndMs) < CALM_AROUND_EPISODE_MS) return null;
    const outage = outageAt(atMs);
    return outage !== null && throwDice("hit", outage.nth) < HIT_SHARE ? outage : null;
  }

  /** The trouble in a slot; `waiting`: blocked by a hung run of an earlier slot. */
  function troubleIn(slot: number): "none" | "waiting" | Outage["trouble"] {
    const atMs = slotAtMs(slot);
    // Nothing may land after the config was recorded again, not even from a run that started before.
    if (slotAtMs(slot + 1) > recordedAtMs) return "throttled";
    if (standing !== null && atMs >= standingFromMs) return standing.trouble;
    const outage = outageOf(atMs);
    if (outage === null) return "none";
    const isFirst = atMs - everyMs < outage.fromMs;
    return outage.trouble === "hung" && !isFirst ? "waiting" : outage.trouble;
  }

  /** Planned start of the next run after a slot; null if there is none. */
  function nextSlotAtMs(slot: number): number | null {
    let next = slot + 1;
    while (troubleIn(next) === "waiting" || isSilent(slotAtMs(next))) next++;
    return slotAtMs(next) < pausedAtMs ? slotAtMs(next) : null;
  }

  function runsOf(slot: number): DemoRun[] {
    const trouble = troubleIn(slot);
    const plannedAtMs = slotAtMs(slot);
    if (trouble === "waiting" || plannedAtMs >= pausedAtMs || isSilent(plannedAtMs)) return [];
    const nextSlotMs = nextSlotAtMs(slot);
    const vary = (what: string, least: number, most: number) =>
      least + throwDice(slot, what) * (most - least);
    const jitterMs =
      relay === null
        ? vary("jitter", 0, Math.min(everyMs * 0.04, 6 * MINUTE_MS))
        : vary("jitter", 0, Math.min(everyMs * 0.02, 40 * SECOND_MS));
    const startedAtMs = plannedAtMs + Math.floor(jitterMs);
    // Relay members have nearly constant durations, so that the handover from one to the next leaves no gap.
    const spread = relay === null ? 0.25 : 0.02;
    const usualMs = endpoint.runSeconds * SECOND_MS * vary("duration", 1 - spread, 1 + spread);
    const calls = endpoint.callsPerRun * busyness(throwDice, plannedAtMs) * vary("calls", 0.8, 1.2);
    const timeoutMs = Math.min(everyMs / 8, 10 * MINUTE_MS);

    /** The run that follows `before`, or the first of the slot. */
    const attempt = (
      name: string,
      before: DemoRun | null,
      outcome: DemoRun["outcome"],
      waitMs: number,
    ): DemoRun => {
      const durationMs = {
        completed: usualMs,
        failed: usualMs * vary(`${name} failed`, 0.1, 0.9),
        timed_out: timeoutMs,
        rate_limited: vary(`${name} refused`, 1, 6) * SECOND_MS,
      }[outcome];
      const share = { completed: 1, failed: 0.4, timed_out: 0.7, rate_limited: 0 }[outcome];
      const atMs = before === null ? startedAtMs : before.finishedAtMs + Math.floor(waitMs);
      if (before !== null) before.nextAtFinishMs = atMs;
      return {
        startedAtMs: atMs,
        finishedAtMs: atMs + Math.max(SECOND_MS, Math.floor(durationMs)),
        outcome,
        isEmpty: false,
        apiCalls: Math.max(1, Math.round(calls * share)),
        nextAtStartMs: nextSlotMs,
        nextAtFinishMs: nextSlotMs,
      };
    };

    if (trouble === "hung") {
      const endsMs = outageOf(plannedAtMs)?.untilMs ?? plannedAtMs;
      const watchdogMs = endsMs - vary("watchdog", 1, 5) * MINUTE_MS;
      return [
        {
          startedAtMs,
          finishedAtMs: Math.floor(Math.max(watchdogMs, startedAtMs + MINUTE_MS)),
          outcome: "timed_out",
          isEmpty: false,
          apiCalls: Math.max(1, Math.round(calls * 0.3)),
          // The scheduler expects it to end in time; the hanging run then overruns that plan.
          nextAtStartMs: slotAtMs(slot + 1),
          nextAtFinishMs: nextSlotMs,
        },
      ];
    }
    if (trouble === "down") {
      return [attempt("only", null, throwDice(slot, "how") < 0.6 ? "failed" : "timed_out", 0)];
    }
    if (trouble === "throttled") {
      const refused = [attempt("first", null, "rate_limited", 0)];
      const retries = Math.floor(throwDice(slot, "retries") * 3);
      for (let retry = 0; retry < retries; retry++) {
        const before = refused[retry] ?? null;
        refused.push(attempt(`retry ${retry}`, before, "rate_limited", everyMs * 0.3));
      }
      return refused;
    }
    if (relay !== null) return [attempt("only", null, "completed", 0)];
    if (
      episode?.ending === "run_completed" &&
      plannedAtMs <= episodeEndMs &&
      episodeEndMs < slotAtMs(slot + 1)
    ) {
      const before = attempt("first", null, "completed", 0);
      const firstFailed = attempt("asked", before, "failed", everyMs / 5);
      const again = attempt("asked again", firstFailed, "failed", everyMs / 10);
      const last = attempt("asked last", again, "completed", everyMs / 10);
      // It fails again while the incident isn't over.
      const relapse = attempt("relapse", last, "failed", 2 * MINUTE_MS);
      const repeated = attempt("repeated relapse", relapse, "failed", 2 * MINUTE_MS);
      const cured = attempt("cured", repeated, "completed", everyMs / 10);
      const empty = { isEmpty: true };
      return [
        before,
        firstFailed,
        again,
        { ...last, ...empty },
        relapse,
        repeated,
        { ...cured, ...empty },
      ];
    }

    // Ordinary mishaps, retried early enough to land within the grace.
    const soonMs = Math.min(Math.max(MINUTE_MS, everyMs / 16), 8 * MINUTE_MS);
    const luck = throwDice(slot, "luck");
    const first = (outcome: DemoRun["outcome"]) => attempt("first", null, outcome, 0);
    if (luck < MISHAPS) {
      const failure = first(luck < 0.009 ? "failed" : luck < 0.018 ? "rate_limited" : "timed_out");
      return [failure, attempt("retry", failure, "completed", soonMs)];
    }
    const completed = first("completed");
    if (luck < REFRESHES && throwDice(slot + 1, "luck") > MISHAPS) {
      // A manually requested refresh between two runs, which failed. Two failures in a row would be more than a mishap.
      return [
        completed,
        attempt("refresh", completed, "failed", everyMs * vary("asked", 0.2, 0.5)),
      ];
    }
    return [completed];
  }

  function runs(fromMs: number, toMs: number): DemoRun[] {
    if (everyMs === 0) return [];
    // Every run ends before the next slot starts, except one that hangs for a whole outage.
    const outage = outageOf(fromMs);
    const reachMs = outage?.trouble === "hung" ? Math.max(fromMs - outage.fromMs, 0) : 0;
    const firstSlot = Math.floor((fromMs - reachMs - everyMs - anchorMs) / everyMs);
    const lastSlot = Math.floor((toMs - anchorMs) / everyMs);
    const found: DemoRun[] = [];
    for (let slot = firstSlot; slot <= lastSlot; slot++) found.push(...runsOf(slot));
    return found;
  }

  function pipelineLandings(fromMs: number, toMs: number): number[] {
    if (endpoint.pipelineLandingsPerDay === 0) return [];
    const slotMs = HOUR_MS;
    const found: number[] = [];
    for (let slot = Math.floor(fromMs / slotMs); slot <= Math.floor(toMs / slotMs); slot++) {
      const hour = ((slot % 24) + 24) % 24;
      const rate = (endpoint.pipelineLandingsPerDay / 24) * (hour >= 6 && hour < 18 ? 1.7 : 0.3);
      const count = Math.floor(rate + throwDice("landings", slot));
      const moments = Array.from({ length: count }, (_, index) =>
        Math.floor((slot + throwDice("landing", slot, index)) * slotMs),
      ).toSorted((a, b) => a - b);
      found.push(...moments.filter((atMs) => atMs > fromMs && atMs <= toMs));
    }
    // Two reports in the same millisecond count as one.
    return [...new Set(found)];
  }

  const listedAtMs =
    endpoint.listedDaysBeforeEpoch === null
      ? null
      : epochMs - endpoint.listedDaysBeforeEpoch * DAY_MS;
  const listed =
    listedAtMs === null ? null : { atMs: listedAtMs, nextSyncAtMs: listedAtMs + FIRST_SYNC_MS };

  return { endpoint, runs, listed, pipelineLandings };
}

/** Relative amount of data on a day: less at weekends, with random variation. */
function busyness(throwDice: Dice, atMs: number): number {
  const day = Math.floor(atMs / DAY_MS);
  // 1 January 1970 was a Thursday.
  const weekday = (((day + 4) % 7) + 7) % 7;
  return (weekday === 0 || weekday === 6 ? 0.55 : 1) * (0.85 + 0.3 * throwDice("day", day));
}
