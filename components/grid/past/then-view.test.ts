import { describe, expect, test } from "vitest";
import type { Source } from "@/lib/contracts/dashboard";
import type { BoardThenView } from "@/lib/contracts/history";
import { judge, momentOf } from "@/lib/domain/judge";
import { rowText } from "@/lib/domain/words/row-text";
import { thenView } from "./then-view";

const AT = "2026-11-19T13:32:07.000Z";
const AT_MS = Date.parse(AT);
const minutesBefore = (minutes: number) => new Date(AT_MS - minutes * 60_000).toISOString();

const LIVE: Source = {
  confidence: "live",
  reason: null,
  last_success_at: minutesBefore(0),
  next_refresh_at: minutesBefore(-1),
  rhythm_seconds: 60,
  rate_limit: null,
  budget: { used: 1, limit: 60 },
  api_clock_offset_ms: 5000,
};

function then(
  endpoint: Partial<BoardThenView["endpoints"][number]>,
  gap: BoardThenView["gap"] = null,
) {
  return thenView(
    {
      at: AT,
      confidence: gap === null ? "live" : "blind",
      gap,
      recorded_from: minutesBefore(9999),
      endpoints: [
        {
          id: "1",
          endpoint_key: "rfis",
          partner_name: "Procore",
          verdict: "fresh",
          last_seen: null,
          landed_at: minutesBefore(20),
          frequency_minutes: 60,
          last_run: null,
          promise: null,
          learned_week: null,
          ...endpoint,
        },
      ],
    },
    LIVE,
  );
}

function textOf(view: ReturnType<typeof then>, nowMs: number) {
  const [row] = view.rows;
  if (row === undefined) throw new Error("no row");
  const moment = momentOf(view, nowMs);
  const given = { confidence: "blind", behindMs: 0, timeZone: "UTC" } as const;
  return { judged: judge(row, moment), text: rowText(row, moment, given) };
}

describe("a past view", () => {
  test("has the promises of then", () => {
    const promise = {
      id: "p1",
      date: "2026-11-19",
      due_at: minutesBefore(30),
      state: "missed",
      attempt_at: null,
      usually_seconds: null,
      late_seconds: null,
      late_at_most: false,
    } as const;
    expect(then({ promise }).rows[0]?.promise).toEqual(promise);
  });

  test("counts no quiet time of the week of then as overdue", () => {
    // A Thursday.
    const restsUntil = (until: string) => ({
      time_zone: "UTC",
      spans: [{ from: "thu 00:00", until }],
      since: minutesBefore(90_000),
    });
    const landed_at = minutesBefore(600);
    const late = { verdict: "late", landed_at } as const;
    const { text } = textOf(then({ ...late, learned_week: restsUntil("thu 12:00") }), AT_MS);
    expect(text).toMatchObject({ age: "10 h 00 m", overdue: "32 m" });
    expect(text.quiet).toContain("learned: quiet");
    expect(textOf(then(late), AT_MS).text).toMatchObject({ overdue: "9 h 00 m", quiet: "" });
    // Its cadence doesn't contradict that it was fresh.
    const [fresh] = then({ landed_at, learned_week: restsUntil("thu 13:00") }).rows;
    expect(fresh?.frequency_minutes).toBe(60);
  });

  test.each([0, 1000, 3_600_000])("has relative times of the past, even %i ms later", (laterMs) => {
    const { text } = textOf(then({}), AT_MS + laterMs);
    expect(text).toMatchObject({
      badge: "was fresh",
      age: "20 m",
      nextIn: "not known",
      overdue: "",
    });
  });

  test("has the recorded verdict, whatever today's rules would say", () => {
    const { judged, text } = textOf(then({ verdict: "stale", landed_at: minutesBefore(5) }), AT_MS);
    expect(judged.word).toBe("stale");
    expect(text.badge).toBe("was stale");
  });

  test("has no overdue figure beside a verdict that was fresh by an older cadence", () => {
    expect(textOf(then({ landed_at: minutesBefore(90) }), AT_MS).text.overdue).toBe("");
    const late = then({ verdict: "late", landed_at: minutesBefore(90) });
    expect(textOf(late, AT_MS).text.overdue).toBe("30 m");
  });

  test("shows the last check before a gap, at that check's time", () => {
    const gap = { from: minutesBefore(10), until: null, reason: "unreachable" };
    const seen = { verdict: "fresh", at: gap.from } as const;
    const view = then({ verdict: null, last_seen: seen }, gap);
    expect(view.as_of).toBe(gap.from);
    expect(textOf(view, AT_MS).text).toMatchObject({ badge: "was fresh", age: "10 m" });
  });

  test.each([
    ["webhook", "event-driven, no cadence"],
    ["paused", "inactive at the source"],
  ] as const)("needs no cadence for %s", (verdict, note) => {
    const view = then({ verdict, landed_at: null, frequency_minutes: null });
    expect(textOf(view, AT_MS).text.barNote).toMatch(
      verdict === "webhook" ? "no events received" : note,
    );
  });

  test("never says of a feed that was late without data that it was never synced", () => {
    const late = textOf(then({ verdict: "late", landed_at: null }), AT_MS).text;
    expect(late.barNote).toBe("no data time");
    const unknown = textOf(then({ verdict: "unknown", landed_at: null }), AT_MS).text;
    expect(unknown.barNote).toBe("never synced");
  });
});
