import type { Expectation } from "@/lib/contracts/quiet";

/** A planned quiet time of all of Procore. */
export function expectation(changes: Partial<Expectation> = {}): Expectation {
  return {
    id: "00000000-0000-4000-8000-000000000000",
    partner_name: "Procore",
    endpoint_id: null,
    endpoint_key: null,
    reason: "ERP upgrade",
    from: "2026-11-20T18:00:00Z",
    until: "2026-11-23T06:00:00Z",
    weekly: null,
    made_by: { name: "Ana", is_you: false },
    made_at: "2026-11-20T18:00:00Z",
    ended_at: null,
    ended_by: null,
    quiet: { from: "2026-11-21T20:00:00Z", until: "2026-11-23T06:00:00Z" },
    is_quiet: true,
    ...changes,
  };
}
