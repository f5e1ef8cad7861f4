import type { CompanySummary } from "@/lib/contracts/dashboard";
import { tally } from "@/lib/domain/verdict";

/**
 * A company without endpoints, incidents or owner, checked just now; `counts` has the non-zero
 * ones.
 */
export function companyFixture(
  slug: string,
  {
    counts = {},
    ...rest
  }: Partial<Omit<CompanySummary, "counts">> & { counts?: Partial<CompanySummary["counts"]> } = {},
): CompanySummary {
  return {
    slug,
    name: slug,
    as_of: "2026-03-02T12:00:00Z",
    source: {
      confidence: "live",
      reason: null,
      last_success_at: "2026-03-02T12:00:00Z",
      next_refresh_at: "2026-03-02T12:01:00Z",
      rhythm_seconds: 60,
      budget: { used: 10, limit: 40 },
      api_clock_offset_ms: 0,
    },
    counts: { ...tally([]), ...counts },
    partners: [],
    worst: null,
    overdue: { endpoints: 0, due_at: null },
    partner_data: null,
    care: { open: 0, unacknowledged: 0, on_it: [], next: null, owner: null, stand_in: null },
    ...rest,
  };
}
