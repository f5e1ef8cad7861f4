import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judge } from "@/lib/domain/judge";
import { NOW_MS, minutesAgo } from "@/lib/domain/row-fixture";
import { dotField } from "./dot-field";
import type { Judged } from "./problem";
import { UNKNOWN, endpoint, overdue } from "./wall-fixture";

const ROOM = { widthU: 142, heightU: 24, isHollow: false };

function judged(given: Parameters<typeof endpoint>[2]): Judged {
  const row = endpoint("Procore", "rfis", given);
  return {
    row,
    judgement: judge(row, { atMs: NOW_MS, isFrozen: false }),
    atMs: NOW_MS,
    company: { slug: "a", name: "A" },
    asOfMs: NOW_MS,
    isFrozen: false,
    onIt: null,
    isQuiet: false,
  };
}

const aged = (minutes: number) => judged({ last_updated_at: minutesAgo(minutes) });

describe("dotField", () => {
  it("places each endpoint by age against cadence, with due ones right of the line", () => {
    const field = dotField([aged(0), aged(30), aged(59), judged(overdue(5))], ROOM);
    const shares = field?.fresh.map(({ share }) => share) ?? [];
    expect(shares).toHaveLength(3);
    expect(shares[0]).toBeLessThan(0.05);
    expect(shares[1]).toBeCloseTo(0.5, 1);
    expect(shares[2]).toBeGreaterThan(0.95);
    expect(field?.due).toHaveLength(1);
    expect(field?.label).toContain("1 past due");
  });

  it("says of how many not all of the time counts", () => {
    const learned_week = {
      time_zone: "UTC",
      spans: [{ from: "thu 00:00", until: "thu 13:00" }],
      since: minutesAgo(90_000),
    };
    const known = { ...endpoint("Procore", "rfis").known, learned_week };
    const rested = judged({ last_updated_at: minutesAgo(600), known });
    const field = dotField([aged(10), rested, judged(overdue(600))], ROOM);
    expect(field?.quietText).toBe("learned quiet times not counted for 1 feed");
    expect(field?.label).toContain(field?.quietText);
    expect(field?.fresh.map(({ share }) => share)[1]).toBeCloseTo(32 / 60, 1);
    expect(dotField([aged(10)], ROOM)?.quietText).toBe("");
  });

  it("leaves out endpoints without an age", () => {
    expect(dotField([judged(UNKNOWN), judged({ status: "inactive" })], ROOM)).toBeNull();
  });

  it("uses smaller discs for more endpoints, and bars for thousands", () => {
    const even = (amount: number) =>
      Array.from({ length: amount }, (_, at) => aged((60 * at) / amount));
    expect(dotField(even(60), ROOM)).toMatchObject({ dotU: 3, isBars: false });
    expect(dotField(even(400), ROOM)?.dotU).toBeLessThan(3);
    expect(dotField(even(4000), ROOM)).toMatchObject({ isBars: true });
  });

  it("counts every endpoint and stays within its space", () => {
    const ages = fc.array(fc.integer({ min: 0, max: 59 }), { minLength: 1, maxLength: 600 });
    fc.assert(
      fc.property(ages, (minutes) => {
        const field = dotField(minutes.map(aged), ROOM);
        const counts = field?.fresh.map(({ count }) => count) ?? [];
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(minutes.length);
        expect(Math.max(...counts) * (field?.pitchU ?? 0)).toBeLessThanOrEqual(ROOM.heightU + 1e-9);
      }),
      { numRuns: 30 },
    );
  });
});
