import type { SyncStatusView } from "@/lib/contracts/dashboard";
import type { WallView } from "@/lib/contracts/wall";
import type { WallFirst, WallPage } from "./state";

/** For tests: a server's responses to a wall. */

export const FIRST_MS = Date.parse("2026-03-02T12:00:00Z");

export function wallViewFixture(given: Partial<WallView> = {}): WallView {
  return {
    display: {
      id: "8a3f0c62-1c0f-4e0e-9a52-0d1f2a3b4c5d",
      name: "Room 3",
      place: "",
      layout: "auto",
      theme: "dark",
      time_zone: "UTC",
      expires_at: null,
    },
    companies: [{ slug: "northgate", name: "Northgate Builders" }],
    build: "one",
    reload_requested_at: null,
    ...given,
  };
}

/**
 * @param asOfMs of the snapshot
 * @param untilNextMs time until the next one
 */
export function snapshotFixture(asOfMs: number, untilNextMs = 60_000): SyncStatusView {
  return {
    as_of: new Date(asOfMs).toISOString(),
    source: {
      confidence: "live",
      reason: null,
      last_success_at: new Date(asOfMs).toISOString(),
      next_refresh_at: new Date(asOfMs + untilNextMs).toISOString(),
      rhythm_seconds: 60,
      rate_limit: null,
      budget: { used: 1, limit: 40 },
      api_clock_offset_ms: 0,
    },
    rows: [],
  };
}

export function wallFirstFixture(given: Partial<WallFirst> = {}): WallFirst {
  return {
    access: { state: "open" },
    wall: wallViewFixture(),
    companies: [{ slug: "northgate", name: "Northgate Builders", view: snapshotFixture(FIRST_MS) }],
    only: null,
    atMs: FIRST_MS,
    ...given,
  };
}

export function wallPageFixture(given: Partial<WallPage> = {}): WallPage {
  return { build: "one", only: null, bornMs: FIRST_MS, triedBuild: null, share: 0.5, ...given };
}
