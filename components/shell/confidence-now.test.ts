import { describe, expect, test } from "vitest";
import type { Source } from "@/lib/contracts/dashboard";
import { confidenceNow } from "./confidence-now";

const SUCCESS_MS = Date.parse("2026-11-19T13:00:00Z");
const source = (confidence: Source["confidence"]): Source => ({
  confidence,
  reason: null,
  last_success_at: new Date(SUCCESS_MS).toISOString(),
  next_refresh_at: new Date(SUCCESS_MS + 60_000).toISOString(),
  rhythm_seconds: 60,
  rate_limit: null,
  budget: { used: 1, limit: 60 },
  api_clock_offset_ms: 0,
});

describe("confidence in the browser", () => {
  test("a picture ages by the browser's clock although no answer ever comes", () => {
    const given = source("live");
    expect(confidenceNow(given, SUCCESS_MS + 150_000)).toBe("live");
    expect(confidenceNow(given, SUCCESS_MS + 151_000)).toBe("delayed");
    expect(confidenceNow(given, SUCCESS_MS + 301_000)).toBe("blind");
  });

  test("a server that already said worse is believed, whatever the clocks say", () => {
    expect(confidenceNow(source("blind"), SUCCESS_MS + 1000)).toBe("blind");
    expect(confidenceNow(source("delayed"), SUCCESS_MS + 1000)).toBe("delayed");
  });
});
