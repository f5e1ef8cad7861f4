import type { Incident } from "@/lib/contracts/incidents";

/** An open incident at Northgate, failing since 07:00. */
export function incidentFixture(given: Partial<Incident> = {}): Incident {
  return {
    id: 1,
    company: { slug: "northgate", name: "Northgate Builders" },
    partner_name: "Procore",
    state: "open",
    began_at: "2026-11-23T07:00:00Z",
    opened_at: "2026-11-23T08:00:00Z",
    ended_at: null,
    ending: null,
    verdict: "failing",
    worst_verdict: "failing",
    flaps: 0,
    not_observed_since: null,
    acknowledged: null,
    told_at: null,
    owner: null,
    is_mine: false,
    members: [],
    endpoint_count: 4,
    due_at: null,
    next_sync_at: null,
    api_clock_offset_ms: 0,
    ...given,
  };
}
