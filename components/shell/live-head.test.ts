import fc from "fast-check";
import { expect, test } from "vitest";
import { rowFixture } from "@/lib/contracts/row-fixture";
import { freshnessLedger } from "@/lib/domain/ledger";
import { NOTHING_KNOWN } from "@/lib/domain/known";
import { partnerPath } from "@/lib/domain/partner-address";
import { liveHead } from "./live-head";

const NOW_MS = Date.parse("2026-03-02T12:00:10Z");

const ROW = fc.record({
  partner: fc.constantFrom("Procore", "Aconex"),
  status: fc.constantFrom("active", "inactive"),
  reported: fc.boolean(),
  ageMs: fc.option(fc.integer({ min: 0, max: 40 * 86_400_000 })),
});

test("a partner's page begins with the partner data of its share link", () => {
  fc.assert(
    fc.property(fc.array(ROW), fc.integer({ min: -5000, max: 5000 }), (given, offsetMs) => {
      const rows = given.map(({ partner, status, reported, ageMs }, at) =>
        rowFixture({
          id: String(at),
          partner_name: partner,
          status,
          last_updated_at: ageMs === null ? null : new Date(NOW_MS - ageMs).toISOString(),
          known: { ...NOTHING_KNOWN, reported },
        }),
      );
      const source = {
        confidence: "live" as const,
        reason: null,
        last_success_at: null,
        next_refresh_at: "2026-03-02T12:01:00Z",
        rhythm_seconds: 60,
        rate_limit: null,
        budget: null,
        api_clock_offset_ms: offsetMs,
      };
      const head = liveHead({ as_of: null, source, rows }, NOW_MS, partnerPath("main", "Procore"));
      const ageOf = (some: typeof rows) => {
        const apiNowMs = NOW_MS + offsetMs;
        const times = { nowMs: NOW_MS, apiNowMs, lastSuccessMs: null, lastResponseMs: null };
        const { partnerData } = freshnessLedger(some, times, 60);
        return partnerData === null ? null : [partnerData.youngestMs, partnerData.oldestMs];
      };
      const shared = rows.filter((row) => row.partner_name === "Procore");
      expect(ageOf([...head.extremes])).toEqual(ageOf(shared));
    }),
  );
});
