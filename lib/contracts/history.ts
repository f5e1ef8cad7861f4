import { z } from "zod";
import { HISTORY_RANGES, OUTCOMES_WORST_FIRST } from "@/lib/domain/history";
import { VERDICTS } from "@/lib/domain/sync";

/**
 * The recorded past, as `/api/companies/[company]/...` answers it.
 *
 * Every instant is on the API's clock (`as_of` too, which `sync-status` gives on ours). Single instants
 * are ISO 8601. In series, where there are hundreds, they are epoch milliseconds.
 *
 * What was recorded is a fact, also inside a stretch in which we did not look: the API tells of its last
 * run and landing afterwards. What is not recorded there is not known, and never "nothing".
 */

const instant = z.iso.datetime();
const epochMs = z.number();
/** `[fromMs, untilMs]`, ascending, apart from each other. */
const Stretches = z.array(z.tuple([epochMs, epochMs]));
/**
 * `[atMs, value]`, ascending: what was read last at or before that instant; null where it was not
 * observed. A point stands at the end of the step that it tells of, the last one at the present.
 */
const Series = z.array(z.tuple([epochMs, z.number().nullable()]));
/**
 * One letter for each slot, oldest first: the worst outcome of the runs that began in it. `f`ailed,
 * `t`imed out, `r`ate limited, `o`ther (none, unknown, or its end was never seen), `i`n progress,
 * `c`ompleted; without a run `.`, or `u` where any of the slot was not observed.
 */
const OutcomeSlots = z.string().regex(new RegExp(`^[.u${OUTCOMES_WORST_FIRST}]*$`));
/** One digit for each slot, an index into `VERDICTS`: the worst verdict seen in it; `u`: none seen. */
const VerdictSlots = z.string().regex(/^[0-7u]*$/);

/** When we did not look. */
const Gap = z.object({
  from: instant,
  /** Null: it lasts. */
  until: instant.nullable(),
  /** A `SourceReason`, `stopped` (we were not running) or `not_recorded` (the record was paused). */
  reason: z.string(),
});

const Axis = {
  /** The last complete snapshot: nothing later was observed. Null before the first. */
  as_of: instant.nullable(),
  /** The first slot begins. */
  from: instant,
  /** The last slot ends: up to one slot after now. */
  until: instant,
  slot_minutes: z.number(),
  /** Those that overlap the axis, oldest first. */
  gaps: z.array(Gap),
};

/** `GET history?range=24h`: the run strip and the sparkline of every endpoint that is shown. */
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
      /** Of the record's last snapshot, and since when it has held; null: since before we looked, or not recorded. */
      verdict: z.enum(VERDICTS),
      verdict_since: instant.nullable(),
      /**
       * `api_calls_last_24h` at 24 instants an hour apart, the last one at `until` or now, whichever is
       * earlier; null: not observed.
       */
      calls: z.array(z.number().nullable()),
    }),
  ),
});

/** Landings that follow each other; one of up to two loses nothing. */
const LandingGroup = z.object({
  first_ms: epochMs,
  last_ms: epochMs,
  count: z.int(),
  /** The longest time between two neighbours of the group; 0 for one alone. */
  longest_gap_ms: z.number(),
});

/** What the pages of a partner and of an endpoint both draw. */
const EndpointPast = {
  id: z.string(),
  endpoint_key: z.string(),
  /** Since when the record knows it; earlier nothing is known of it. */
  observed_from: instant,
  /** When it disappeared from the snapshots; null while it is shown. */
  removed_at: instant.nullable(),
  /** Since when the verdict of the last snapshot has held; null: since before we looked, or not recorded. */
  verdict_since: instant.nullable(),
  /** Where nothing was observed of it: gaps, before `observed_from`, while it was not reported. */
  unobserved: Stretches,
  /** In slots of `slot_minutes`. */
  slots: OutcomeSlots,
  verdicts: VerdictSlots,
  /** The last landing before the axis begins; null: none known. */
  landed_before_ms: epochMs.nullable(),
  /** Ascending. `landingsOf` of lib/domain/history gives the landings that `sawtooth` draws. */
  landings: z.array(LandingGroup),
};

/** `GET partners/[partner]?range=1h|24h|7d|30d|90d`; the default is 24h. */
export const PartnerHistory = z.object({
  ...Axis,
  partner_name: z.string(),
  range: z.enum(HISTORY_RANGES),
  /** In the order of `sync-status`; removed ones too while the record holds them. */
  endpoints: z.array(z.object(EndpointPast)),
  /**
   * The sum of `api_calls_last_24h` over the partner's endpoints that were reported at that very instant;
   * null where one of their readings is missing. A rolling window: never added up over time.
   */
  calls: Series,
});

const RunCounts = z.object({
  completed: z.int(),
  failed: z.int(),
  timed_out: z.int(),
  rate_limited: z.int(),
  in_progress: z.int(),
  /** No outcome, one that we do not know, or an end that we never saw. */
  other: z.int(),
});

/** Of completed runs, seconds by nearest rank; null without one: other attempts end early, or when they must. */
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
  /** The last snapshot that had it; null while the latest has it. */
  last_reported_at: instant.nullable(),
  /** Slots in which runs began, ascending. */
  runs: z.array(
    z.object({
      at_ms: epochMs,
      counts: RunCounts,
      ...Durations,
      /** The longest of those that finished otherwise; null: none did. */
      other_max_seconds: z.number().nullable(),
    }),
  ),
  /** Of the completed runs on the axis. */
  durations: z.object({ count: z.int(), ...Durations }),
  /** `api_calls_last_24h`, a rolling window. */
  calls: Series,
  /** The latest on the axis, newest first, 100 at most. */
  verdict_changes: z.array(
    z.object({
      at: instant,
      /** Null: it was removed. */
      verdict: z.enum(VERDICTS).nullable(),
      /** Null: it was new, or came back. */
      previous: z.enum(VERDICTS).nullable(),
    }),
  ),
  /** The row as the API gave it last, unknown members included. */
  raw: z.record(z.string(), z.unknown()),
  /** By attribute of `raw`: when its present value was first seen; null: not recorded. */
  raw_seen: z.record(z.string(), instant.nullable()),
});

/** What `status` of the run table may be; `other` as in `counts`. */
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
 * `GET endpoints/[id]/runs?status&sort&order&page&per_page`: everything that the record holds.
 * Defaults: every status, `sort=started`, `order=desc`, `page=1`, `per_page=50` (at most 100). Equals are
 * ordered newest first, runs without the value that is sorted by come last. A page beyond the end is empty.
 */
export const RunPage = z.object({
  data: z.array(
    z.object({
      started_at: instant,
      finished_at: instant.nullable(),
      /** As given; `in_progress` also for a run whose end we never saw, see `end_missed`. */
      status: z.string().nullable(),
      /** It says `in_progress`, but a later run has begun: how it ended was never seen. */
      end_missed: z.boolean(),
      duration_seconds: z.number().nullable(),
      /** The last landing from its start to its end: the run moved the data to there. Null: none. */
      landed_at: instant.nullable(),
      first_seen_at: instant,
      /** `observed`, or `demo` for invented history. */
      origin: z.string(),
    }),
  ),
  meta: z.object({
    page: z.int(),
    per_page: z.int(),
    total_count: z.int(),
    total_pages: z.int(),
  }),
  /** Of all runs, whatever `status` asks for. */
  counts: RunCounts,
});

/** A present reading, and those a day and a week before it; null: not observed. */
const Reading = {
  value: z.number(),
  day_ago: z.number().nullable(),
  week_ago: z.number().nullable(),
};

/**
 * `GET api-calls?range=24h|7d|30d|90d&partner&endpoint`; the default is 7d. `partner` is a name,
 * `endpoint` an id, both as given. Sums are over endpoints at one instant, never over time.
 * The ranking is of the latest snapshot; the lines of a whole company may be two minutes older.
 */
export const ApiCallsView = z.object({
  ...Axis,
  range: z.enum(HISTORY_RANGES),
  /** The sum over what the latest snapshot shows; null before the first. */
  total: z.number().nullable(),
  /** Largest first, equals by name: all of them, whatever is selected; their endpoints likewise. */
  partners: z.array(
    z.object({
      partner_name: z.string(),
      ...Reading,
      endpoints: z.array(z.object({ id: z.string(), endpoint_key: z.string(), ...Reading })),
    }),
  ),
  /** What is selected, echoed; null: everything. */
  selected: z.object({ partner: z.string().nullable(), endpoint: z.string().nullable() }),
  /**
   * The total, then the 20 partners that are largest now; with a partner selected its sum, then its
   * 20 largest endpoints; with an endpoint its own alone.
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
   * What the first of `series` was a week earlier, each reading at the instant a week after it; null for ranges
   * longer than a week.
   */
  week_before: Series.nullable(),
});

/** One endpoint as it stood at an instant. */
const EndpointThen = z.object({
  id: z.string(),
  endpoint_key: z.string(),
  /** Null: not known (before it was first seen, not reported, inside a gap, not recorded). */
  verdict: z.enum(VERDICTS).nullable(),
  /** Inside a gap: the verdict of the last snapshot, which stood frozen, and its time; else null. */
  last_seen: z.object({ verdict: z.enum(VERDICTS), at: instant }).nullable(),
  /** The last landing up to `at`; null: none known. */
  landed_at: instant.nullable(),
  /** By which lateness is reckoned: today's, given or learned, since the record keeps no older one. */
  frequency_minutes: z.number().nullable(),
  /** The last run that had begun, as it stood at `at`. */
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
  /** How the picture could be trusted then; blind also where nothing was recorded. */
  confidence: z.enum(["live", "delayed", "blind"]),
  /** The stretch in which we did not look that `at` lies in. */
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
  /** Since when the record tells of the company: of what was before nothing is known. Null: it is empty. */
  recorded_from: instant.nullable(),
  /** In the order of `sync-status`; only those that were listed then, each with `verdict` or `last_seen`. */
  endpoints: z.array(EndpointThen.extend({ partner_name: z.string() })),
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
