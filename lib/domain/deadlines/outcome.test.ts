import { describe, expect, test } from "vitest";
import { everyWeek } from "@/lib/domain/quiet/planned-quiet";
import { WEEKDAYS } from "@/lib/domain/time/weekdays";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { deadlineDay } from "./calendar";
import { rule } from "./deadline-fixture";
import { judgeDay, type DayRecord, type SeenLanding } from "./outcome";

const DATE = "2026-11-26";
const at = (time: string) => Date.parse(`${DATE}T${time}:00Z`);
const seen = (landed: string, seenAt = landed, after: string | null = null): SeenLanding => ({
  landedMs: at(landed),
  seenMs: at(seenAt),
  seenAfterMs: after === null ? at(seenAt) - MINUTE_MS : at(after),
});
const gap = (from: string, until: string) => ({ fromMs: at(from), untilMs: at(until) });
const FACTS = { partner: "Procore", status: "active", reported: true, cadenceMs: HOUR_MS };

function judge(record: Partial<DayRecord>, changes: Parameters<typeof rule>[0] = {}) {
  const day = deadlineDay(rule(changes), DATE);
  if (day === null) throw new Error("it is a day of the deadline");
  const { outcome, receivedMs, lateMs, isAtMost, excuse } = judgeDay(day, {
    landings: [],
    gaps: [],
    facts: FACTS,
    closingFacts: FACTS,
    quiet: [],
    ...record,
  });
  const received = receivedMs === null ? null : new Date(receivedMs).toISOString().slice(11, 16);
  const late = lateMs === null ? null : lateMs / MINUTE_MS;
  return [outcome, received, late, isAtMost, excuse] as const;
}

describe("a day", () => {
  test("is met by data in its window, even if later data replaced it", () => {
    expect(judge({ landings: [seen("05:00")] })).toEqual(["met", "05:00", null, false, null]);
    expect(judge({ landings: [seen("07:00")] })[0]).toBe("met");
    expect(judge({ landings: [seen("06:50"), seen("07:01")] })[0]).toBe("met");
    expect(judge({ landings: [seen("07:20")] }, { allowanceMinutes: 20 })[0]).toBe("met");
  });

  test("isn't kept by old data of a frequent feed", () => {
    expect(judge({ landings: [seen("04:59")] })).toEqual(["missed", null, null, false, null]);
    expect(judge({ landings: [seen("04:59")] }, { dataFrom: "04:00" })[0]).toBe("met");
  });

  test("is missed by the time from the promise to the first data, not from the allowance", () => {
    expect(judge({ landings: [seen("04:00"), seen("09:10"), seen("10:10")] })).toEqual([
      "missed",
      "09:10",
      130,
      false,
      null,
    ]);
    const late = judge({ landings: [seen("04:00"), seen("07:31")] }, { allowanceMinutes: 30 });
    expect(late.slice(0, 3)).toEqual(["missed", "07:31", 31]);
  });

  test("is missed however blind we were, if the data is still old afterwards", () => {
    const gaps = [gap("04:30", "12:00")];
    expect(judge({ landings: [seen("04:00")], gaps })[0]).toBe("missed");
    const later = { landings: [seen("04:00"), seen("13:00")], gaps };
    expect(judge(later)).toEqual(["missed", "13:00", 360, false, null]);
  });

  test("isn't checked if data in time may lie hidden under later data", () => {
    const landings = [seen("04:00"), seen("09:00", "10:00", "06:00")];
    expect(judge({ landings, gaps: [gap("06:00", "10:00")] })[0]).toBe("not_observed");
    expect(
      judge({ landings: [seen("04:00"), seen("07:01")], gaps: [gap("02:00", "06:00")] })[0],
    ).toBe("missed");
  });

  test("isn't checked if its feed left the list while we were blind", () => {
    const landings = [seen("04:00")];
    const closingFacts = { ...FACTS, reported: false };
    const gaps = [gap("06:00", "10:00")];
    expect(judge({ landings, gaps, closingFacts })[0]).toBe("not_observed");
    expect(judge({ landings, gaps: [gap("02:00", "06:00")], closingFacts })[0]).toBe("missed");
  });

  test("is missed by at most what is seen after a gap that began later", () => {
    const landings = [seen("04:00"), seen("09:00", "10:00", "08:00")];
    expect(judge({ landings, gaps: [gap("08:00", "10:00")] })).toEqual([
      "missed",
      "09:00",
      120,
      true,
      null,
    ]);
  });

  test("doesn't count data that no check until the closing one had shown", () => {
    expect(judge({ landings: [seen("04:00"), seen("06:59", "07:03", "07:02")] })[0]).toBe("missed");
    expect(judge({ landings: [seen("04:00"), seen("06:59", "07:03", "07:00")] })[0]).toBe("met");
  });

  test("isn't checked without any data, or before the record", () => {
    expect(judge({ landings: [] })[0]).toBe("not_observed");
    expect(judge({ landings: [seen("04:00", "09:00")] })[0]).toBe("not_observed");
  });

  test("is excused by a quiet time that was entered before, unless data came in time", () => {
    const hours = { days: WEEKDAYS, from: "06:00", until: "08:00", timeZone: "UTC" };
    const entered = (time: string) => [{ ...everyWeek(hours), enteredMs: at(time) }];
    const old = [seen("04:00")];
    expect(judge({ landings: old, quiet: entered("06:59") })[4]).toBe("planned_quiet");
    expect(judge({ landings: old, quiet: entered("07:00") })[0]).toBe("missed");
    expect(judge({ landings: [seen("06:00")], quiet: entered("05:00") })[0]).toBe("met");
  });

  test("is excused while the feed was paused or not reported", () => {
    const old = [seen("04:00")];
    expect(judge({ landings: old, facts: { ...FACTS, status: "inactive" } })[4]).toBe("paused");
    expect(judge({ landings: old, facts: { ...FACTS, reported: false } })[4]).toBe("not_reported");
  });
});
