import { z } from "zod";
import { LearnedWeekFacts } from "./endpoint/learned-week";
import { RowPromise } from "./row-promise";
import { HISTORY_RANGES, OUTCOMES_WORST_FIRST } from "@/lib/domain/history";
import { VERDICTS } from "@/lib/domain/sync";

/**
 * The recorded history, as returned by `/api/companies/[company]/...`.
 * All instants are on the API's clock (including `as_of`, which is on ours in `sync-status`). Single instants are ISO
 * 8601; in series of hundreds they are epoch milliseconds.
 * Recorded data is a fact even inside a gap, because the API reports its last run and landing afterwards. Anything
 * unrecorded inside a gap is unknown, never "nothing".
 */

const instant = z.iso.datetime();
const epochMs = z.number();
/** `[fromMs, untilMs]`, ascending and disjoint. */
const Periods = z.array(z.tuple([epochMs, epochMs]));
/**
 * `[atMs, value]`, ascending: the last reading at or before that instant; null if not observed. A point is at the end
 * of its step, the last one at the present.
 */
const Series = z.array(z.tuple([epochMs, z.number().nullable()]));
/**
 * One letter per slot, oldest first: the worst outcome of the runs that started in it. `f`ailed, `t`imed out, `r`ate
 * limited, `o`ther (none, unknown, or its end was never seen), `i`n progress, `c`ompleted; without a run `.`, or `u` if
 * any part of the slot wasn't observed.
 */
const OutcomeSlots = z.string().regex(new RegExp(`^[.u${OUTCOMES_WORST_FIRST}]*$`));
/** One digit per slot, an index into `VERDICTS`: the worst verdict seen in it; `u`: none seen. */
const VerdictSlots = z.string().regex(/^[0-7u]*$/);

/** A period without observations. */
const Gap = z.object({
  from: instant,
  /** Null: it hasn't ended. */
  until: instant.nullable(),
  /** A `SourceReason`, `stopped` (Plumbline wasn't running) or `not_recorded` (recording was paused). */
  reason: z.string(),
});

const Axis = {
  /** The last complete snapshot: nothing later was observed. Null before the first. */
  as_of: instant.nullable(),
  /** Start of the first slot. */
  from: instant,
  /** End of the last slot: up to one slot after now. */
  until: instant,
  slot_minutes: z.number(),
  /** Gaps that overlap the axis, oldest first. */
  gaps: z.array(Gap),
};

/** `GET history?range=24h`: the run strip and the sparkline of every displayed endpoint. */
export const BoardHistory = z.object({
  ...Axis,
  endpoints: z.array(
    z.object({
      id: z.string(),
      /** 96 slots of 15 minutes. */
      slots: OutcomeSlots,
      /** Runs in those slots, and how many of them failed, timed out or were rate limited. */
      runs: z.int(),
      not_completed: z.int(),
      /**
       * Verdict of the last recorded snapshot, and since when it has been the same; null: since before the record, or
       * not recorded.
       */
      verdict: z.enum(VERDICTS),
      verdict_since: instant.nullable(),
      /**
       * `api_calls_last_24h` at 24 instants an hour apart, the last one at `until` or now, whichever is earlier; null:
       * not observed.
       */
      calls: z.array(z.number().nullable()),
    }),
  ),
});

/** Consecutive landings; a group of up to two is exact. */
const LandingGroup = z.object({
  first_ms: epochMs,
  last_ms: epochMs,
  count: z.int(),
  /** The longest interval between consecutive landings of the group; 0 for a single one. */
  longest_gap_ms: z.number(),
});

/** Used by both the partner page and the endpoint page. */
const EndpointPast = {
  id: z.string(),
  endpoint_key: z.string(),
  /** Start of its record. */
  observed_from: instant,
  /** When it disappeared from the snapshots; null while it is listed. */
  removed_at: instant.nullable(),
  /** Since when the verdict of the last snapshot has been the same; null: since before the record, or not recorded. */
  verdict_since: instant.nullable(),
  /** When it wasn't observed: gaps, before `observed_from`, and while it wasn't reported. */
  unobserved: Periods,
  /** In slots of `slot_minutes`. */
  slots: OutcomeSlots,
  verdicts: VerdictSlots,
  /** The last landing before the axis starts; null: unknown. */
  landed_before_ms: epochMs.nullable(),
  /** Ascending. `landingsOf` of lib/domain/history converts them to the landings that `sawtooth` draws. */
  landings: z.array(LandingGroup),
};

/** `GET partners/[partner]?range=1h|24h|7d|30d|90d`; the default is 24h. */
export const PartnerHistory = z.object({
  ...Axis,
  partner_name: z.string(),
  range: z.enum(HISTORY_RANGES),
  /** In the order of `sync-status`, including removed endpoints while they are recorded. */
  endpoints: z.array(z.object(EndpointPast)),
  /**
   * The sum of `api_calls_last_24h` over the partner's endpoints reported at that instant; null if one of their
   * readings is missing. A rolling window: never added up over time.
   */
  calls: Series,
});

const RunCounts = z.object({
  completed: z.int(),
  failed: z.int(),
  timed_out: z.int(),
  rate_limited: z.int(),
  in_progress: z.int(),
  /** No outcome, an unrecognised one, or an end that was never seen. */
  other: z.int(),
});

/**
 * Of completed runs, seconds by nearest rank; null without one. Other runs are excluded, because they end early or at a
 * timeout.
 */
const Durations = {
  p50_seconds: z.number().nullable(),
  p95_seconds: z.number().nullable(),
  max_seconds: z.number().nullable(),
};

/** `GET endpoints/[id]?range=1h|24h|7d|30d|90d`; the default is 24h. */
export const EndpointHistory = z.object({
  ...Axis,
  ...EndpointPast,
  partner_name: z.string(),
  range: z.enum(HISTORY_RANGES),
  first_seen_at: instant,
  /** The last snapshot that contained it; null while the latest one does. */
  last_reported_at: instant.nullable(),
  /** Slots in which runs started, ascending. */
  runs: z.array(
    z.object({
      at_ms: epochMs,
      counts: RunCounts,
      ...Durations,
      /** The longest of the runs that didn't complete; null: none. */
      other_max_seconds: z.number().nullable(),
    }),
  ),
  /** Of the completed runs on the axis. */
  durations: z.object({ count: z.int(), ...Durations }),
  /** `api_calls_last_24h`, a rolling window. */
  calls: Series,
  /** The latest on the axis, newest first, at most 100. */
  verdict_changes: z.array(
    z.object({
      at: instant,
      /** Null: it was removed. */
      verdict: z.enum(VERDICTS).nullable(),
      /** Null: it was new, or came back. */
      previous: z.enum(VERDICTS).nullable(),
    }),
  ),
  /** The row as last returned by the API, including unknown members. */
  raw: z.record(z.string(), z.unknown()),
  /** By attribute of `raw`: when its current value was first seen; null: not recorded. */
  raw_seen: z.record(z.string(), instant.nullable()),
});

/** Values of the run table's `status` parameter; `other` as in `counts`. */
export const RUN_FILTERS = [
  "completed",
  "failed",
  "timed_out",
  "rate_limited",
  "in_progress",
  "other",
] as const;
export const RUN_SORTS = ["started", "duration", "status"] as const;

/**
 * `GET endpoints/[id]/runs?status&sort&order&page&per_page`: all recorded runs.
 * Defaults: every status, `sort=started`, `order=desc`, `page=1`, `per_page=50` (at most 100). Ties are ordered newest
 * first, runs without the sort value come last. A page beyond the end is empty.
 */
export const RunPage = z.object({
  data: z.array(
    z.object({
      started_at: instant,
      finished_at: instant.nullable(),
      /** As given; `in_progress` also for a run whose end was never seen, see `end_missed`. */
      status: z.string().nullable(),
      /** The status is `in_progress`, but a later run has started: its end was never seen. */
      end_missed: z.boolean(),
      duration_seconds: z.number().nullable(),
      /** The last landing between its start and its end: the data that the run delivered. Null: none. */
      landed_at: instant.nullable(),
      first_seen_at: instant,
      /** `observed`, or `demo` for generated history. */
      origin: z.string(),
    }),
  ),
  meta: z.object({
    page: z.int(),
    per_page: z.int(),
    total_count: z.int(),
    total_pages: z.int(),
  }),
  /** Of all runs, regardless of `status`. */
  counts: RunCounts,
});

/** A current reading, and those a day and a week before it; null: not observed. */
const Reading = {
  value: z.number(),
  day_ago: z.number().nullable(),
  week_ago: z.number().nullable(),
};

/**
 * Runs that started in the past 24 hours, as known now; `completed` and `rate_limited` are among the `started`. Unless
 * `is_complete`, part of that time wasn't observed, so there may have been more.
 */
const RecentRuns = z.object({
  started: z.int(),
  completed: z.int(),
  rate_limited: z.int(),
  is_complete: z.boolean(),
});

/**
 * `GET api-calls?range=24h|7d|30d|90d&partner&endpoint`; the default is 7d. `partner` is a name, `endpoint` an id, both
 * as given. Sums are over endpoints at one instant, never over time. The ranking is of the latest snapshot; the series
 * of a whole company may be two minutes older.
 */
export const ApiCallsView = z.object({
  ...Axis,
  range: z.enum(HISTORY_RANGES),
  /** The sum over the latest snapshot; null before the first. */
  total: z.number().nullable(),
  /** Largest first, ties by name: all of them, regardless of the selection; endpoints likewise. */
  partners: z.array(
    z.object({
      partner_name: z.string(),
      ...Reading,
      runs: RecentRuns,
      endpoints: z.array(
        z.object({ id: z.string(), endpoint_key: z.string(), ...Reading, runs: RecentRuns }),
      ),
    }),
  ),
  /** The selection, echoed; null: everything. */
  selected: z.object({ partner: z.string().nullable(), endpoint: z.string().nullable() }),
  /**
   * The total, then the 20 largest partners now; with a partner selected its sum, then its 20 largest endpoints; with
   * an endpoint selected only that.
   */
  series: z.array(
    z.object({
      kind: z.enum(["total", "partner", "endpoint"]),
      /** Name of the partner, id of the endpoint; null for the total. */
      key: z.string().nullable(),
      /** Name of the partner, key of the endpoint, or empty for the total. */
      label: z.string(),
      points: Series,
    }),
  ),
  /**
   * The first of `series` a week earlier, each reading shifted forward by a week; null for ranges longer than a week.
   */
  week_before: Series.nullable(),
  /**
   * Of the 50 largest partners: the past 7 days in readings 4 hours apart, and those a week before each, null where
   * not observed. Only for `range=7d` of a whole company.
   */
  small_lines: z
    .object({
      at: z.array(epochMs),
      partners: z.array(
        z.object({
          partner_name: z.string(),
          values: z.array(z.number().nullable()),
          week_before: z.array(z.number().nullable()),
        }),
      ),
    })
    .nullable(),
  /** `[fromMs, runs]`: steps in which rate-limited runs of the selection started; null for a whole company, and for too many endpoints to count them over this range. */
  rate_limited: z
    .object({ step_minutes: z.number(), runs: z.array(z.tuple([epochMs, z.int()])) })
    .nullable(),
  /**
   * How far the selection's figure was from the one 24 hours later, as a share of it: the median of `pairs` days of the
   * past 28. Null above a quarter, with fewer than 14 pairs, and for a whole company.
   */
  pace: z.object({ typical: z.number(), pairs: z.int() }).nullable(),
});

/** One endpoint as it was at an instant. */
const EndpointThen = z.object({
  id: z.string(),
  endpoint_key: z.string(),
  /** Null: unknown (before it was first seen, not reported, inside a gap, not recorded). */
  verdict: z.enum(VERDICTS).nullable(),
  /** Inside a gap: the frozen verdict of the last snapshot, and its time; otherwise null. */
  last_seen: z.object({ verdict: z.enum(VERDICTS), at: instant }).nullable(),
  /** The last landing up to `at`; null: unknown. */
  landed_at: instant.nullable(),
  /** The cadence then, given or learned; null: unknown, or changed since, and not recorded then. */
  frequency_minutes: z.number().nullable(),
  /** The last run that had started, as it was at `at`. */
  last_run: z
    .object({
      started_at: instant,
      finished_at: instant.nullable(),
      status: z.string().nullable(),
      duration_seconds: z.number().nullable(),
    })
    .nullable(),
});

const Then = {
  at: instant,
  /** How far the data could be trusted then; also blind if nothing was recorded. */
  confidence: z.enum(["live", "delayed", "blind"]),
  /** The gap that contains `at`. */
  gap: Gap.nullable(),
};

/** `GET partners/[partner]/at?at=ISO[&endpoint=ID]`: what viewers saw at an instant, from the record. */
export const ThenView = z.object({
  partner_name: z.string(),
  ...Then,
  endpoints: z.array(EndpointThen),
});

/** `GET sync-status?at=ISO`: what viewers saw of the whole company at an instant, from the record. */
export const BoardThenView = z.object({
  ...Then,
  /** Start of the company's record; earlier states are unknown. Null: it is empty. */
  recorded_from: instant.nullable(),
  /** In the order of `sync-status`; only endpoints listed then, each with `verdict` or `last_seen`. */
  endpoints: z.array(
    EndpointThen.extend({
      partner_name: z.string(),
      /** As of `sync-status`, but never at risk: earlier schedules aren't recorded. Inside a gap as before it. */
      promise: RowPromise.nullable(),
      /** A promise of it was changed since, and what it was then isn't recorded. Absent: no. */
      is_promise_unknown: z.literal(true).optional(),
      /** The learned week that was applied then: time in it wasn't overdue. Null: none was. */
      learned_week: LearnedWeekFacts.nullable(),
    }),
  ),
});

export type Gap = z.infer<typeof Gap>;
export type BoardHistory = z.infer<typeof BoardHistory>;
export type PartnerHistory = z.infer<typeof PartnerHistory>;
export type EndpointHistory = z.infer<typeof EndpointHistory>;
export type RunCounts = z.infer<typeof RunCounts>;
export type RunPage = z.infer<typeof RunPage>;
export type ApiCallsView = z.infer<typeof ApiCallsView>;
export type ThenView = z.infer<typeof ThenView>;
export type BoardThenView = z.infer<typeof BoardThenView>;
