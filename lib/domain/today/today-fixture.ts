import type { TodayLine, TodayMember } from "./lines";
import type { Today, WellCompany } from "./today";

const AT = "2026-11-24T14:20:00.000Z";

/** A feed that is failing for 34 minutes, with the next sync in six. */
export function memberFixture(slug: string, given: Partial<TodayMember> = {}): TodayMember {
  return {
    company: { slug, name: slug.toUpperCase() },
    endpoint_id: `${slug}-1`,
    endpoint_key: "daily_logs",
    verdict: "failing",
    last_updated_at: "2026-11-24T12:46:00.000Z",
    overdue_since: "2026-11-24T13:46:00.000Z",
    next_sync_at: "2026-11-24T14:26:00.000Z",
    incident_id: 7,
    on_it: null,
    told_at: null,
    promise: null,
    learned_week: null,
    ...given,
  };
}

export function lineFixture(
  members: readonly TodayMember[],
  given: Partial<TodayLine> = {},
): TodayLine {
  const [first = memberFixture("none")] = members;
  const { verdict, last_updated_at, overdue_since, next_sync_at, learned_week } = first;
  return {
    kind: "incident",
    partner_name: "Procore",
    verdict,
    last_updated_at,
    overdue_since,
    next_sync_at,
    learned_week,
    since: "2026-11-24T14:02:00.000Z",
    on_it: null,
    attended: { of: 1, by: [] },
    promise: null,
    members: [...members],
    ...given,
  };
}

/** On time with all of its feeds, looked after by administrators. */
export function wellFixture(slug: string, given: Partial<WellCompany> = {}): WellCompany {
  return {
    company: { slug, name: slug.toUpperCase() },
    on_time: 3,
    counted: 3,
    next_sync_at: null,
    last_check_at: null,
    owner: null,
    stand_in: null,
    ...given,
  };
}

/** Nothing behind: one company with one feed, checked just now. */
export function todayFixture(given: Partial<Today> = {}): Today {
  return {
    as_of: AT,
    counts: {
      endpoints: 1,
      judged: 1,
      behind: 0,
      companies_behind: 0,
      unattended: 0,
      cannot_judge: 0,
      delayed: 0,
      quiet: 0,
      unseen_companies: 0,
      next_attempt_at: null,
    },
    promises: { missed: 0, at_risk: 0, first: null },
    lines: [],
    well: [],
    cannot_judge: [],
    unseen: [],
    api_clock_offsets: {},
    ...given,
  };
}
