import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Allowance } from "@/lib/contracts/calls/allowances";
import { rowFixture } from "@/lib/contracts/row-fixture";
import { cadenceMinutes, chooseUnread, firstUsage, LISTED, usageOf } from "./usage";

function row(id: string, partner_name: string, api_calls_last_24h: number, reported = true) {
  const { known, ...rest } = rowFixture({ id, partner_name, api_calls_last_24h });
  return { ...rest, known: { ...known, reported } };
}
type Row = ReturnType<typeof row>;

const usageAt = (rows: readonly Row[], partner: string | null, page = 1) =>
  usageOf(rows, { partner, page }, new Map());
const allowed = (...given: [partner: string, calls: number, per?: "hour" | "day"][]) =>
  new Map(
    given.map(([partner_name, calls, per = "day"]): [string, Allowance] => [
      partner_name,
      { partner_name, calls, per, note: null, by: { id: "", name: "Ana" }, at: "" },
    ]),
  );

describe("calls at one instant", () => {
  test("ranks partners by the sum of their endpoints", () => {
    const usage = usageAt([row("1", "A", 10), row("2", "B", 25), row("3", "A", 5)], null);
    expect(usage.calls).toBe(40);
    expect(usage.partners).toMatchObject([
      { rank: 1, partner: "B", calls: 25, allowance: null, share: null },
      { rank: 2, partner: "A", calls: 15, allowance: null, share: null },
    ]);
    expect(usage.chosen?.partner).toBe("B");
  });

  test("sorts the selected partner's endpoints by calls, then by name", () => {
    const rows = [row("3", "A", 5), row("1", "A", 5), row("2", "A", 9), row("4", "B", 99)];
    const { chosen } = usageAt(rows, "A");
    expect(chosen?.calls).toBe(19);
    expect(chosen?.endpoints?.map(({ id }) => id)).toEqual(["2", "1", "3"]);
  });

  test("counts endpoints without a value as missing, in no sum", () => {
    const usage = usageAt([row("1", "A", 10), row("2", "A", 70, false)], null);
    expect(usage).toMatchObject({ calls: 10, endpointCount: 1, missingCount: 1 });
    expect(usage.partners[0]?.missingCount).toBe(1);
  });

  test("compares partners with their allowances, wherever they are listed", () => {
    const rows = [row("1", "A", 1163), row("2", "B", 100), row("3", "C", 5)];
    const allowances = allowed(["A", 1250], ["B", 4, "hour"], ["gone", 1]);
    const usage = usageOf(rows, { partner: null, page: 2 }, allowances);
    expect(usage.partners).toEqual([]);
    expect(usage.highest).toEqual({ partner: "B", share: 104 });
    expect(
      usageOf(rows, { partner: null, page: 1 }, allowances).partners.map(({ share }) => share),
    ).toEqual([93, 104, null]);
    expect(usageOf(rows, { partner: null, page: 1 }, null).highest).toBeNull();
  });

  test("ends its bars at the most calls, or at an allowance not far beyond", () => {
    const rows = [row("1", "A", 100), row("2", "B", 10)];
    const scaleWith = (...given: Parameters<typeof allowed>) =>
      usageOf(rows, { partner: null, page: 1 }, allowed(...given)).scale;
    expect(scaleWith()).toBe(100);
    expect(scaleWith(["B", 50])).toBe(100);
    expect(scaleWith(["B", 400])).toBe(400);
    expect(scaleWith(["B", 401])).toBe(100);
    expect(usageAt([row("1", "A", 0)], null).scale).toBe(1);
  });

  test("lists a page of partners, and a page of feeds in the first HTML", () => {
    const partners = Array.from({ length: 120 }, (_, at) => row(`${at}`, `p${at}`, 1000 - at));
    expect(usageAt(partners, null, 1).partners).toHaveLength(LISTED);
    expect(usageAt(partners, null, 3).partners.map(({ rank }) => rank)).toEqual(
      Array.from({ length: 20 }, (_, at) => 101 + at),
    );
    expect(usageAt(partners, null, 4)).toMatchObject({ partners: [], partnerCount: 120 });
    const feeds = Array.from({ length: 120 }, (_, at) => row(`${at}`, "A", at));
    const { chosen } = firstUsage(usageAt(feeds, null));
    expect(chosen?.endpoints).toHaveLength(LISTED);
    expect(chosen?.calls).toBe((119 * 120) / 2);
  });

  test("selects a partner before its rows are loaded, with unknown endpoints", () => {
    const first = usageAt([row("1", "A", 10), row("2", "B", 25)], null);
    expect(chooseUnread(first, "A")).toEqual({
      ...first,
      chosen: { partner: "A", calls: 10, endpoints: null },
    });
    expect(chooseUnread(first, "B")).toBe(first);
    // As when going back to no selection.
    expect(chooseUnread(first, null)).toBe(first);
    expect(chooseUnread(usageAt([row("1", "A", 10), row("2", "B", 25)], "A"), null).chosen).toEqual(
      {
        partner: "B",
        calls: 25,
        endpoints: null,
      },
    );
    // Listed on another page.
    expect(chooseUnread(first, "C").chosen).toEqual({ partner: "C", calls: null, endpoints: null });
    expect(chooseUnread(usageAt([], null), "A").chosen).toBeNull();
  });

  test("gives an unknown partner no endpoints, and selects nothing without rows", () => {
    expect(usageAt([row("1", "A", 10)], "gone").chosen).toEqual({
      partner: "gone",
      calls: 0,
      endpoints: [],
    });
    expect(usageAt([], null).chosen).toBeNull();
  });

  test("always adds parts up to the whole, whatever the names", () => {
    const anyRow = fc
      .tuple(fc.string(), fc.constantFrom("A", "", "__proto__", "a/b"), fc.nat(1e6), fc.boolean())
      .map((given) => row(...given));
    fc.assert(
      fc.property(fc.uniqueArray(anyRow, { selector: ({ id }) => id }), (rows) => {
        const usage = usageAt(rows, null);
        const sum = usage.partners.reduce((total, { calls }) => total + calls, 0);
        const chosen = (usage.chosen?.endpoints ?? []).reduce(
          (total, { calls }) => total + calls,
          0,
        );
        expect(sum).toBe(usage.calls);
        expect(chosen).toBe(usage.partners[0]?.calls ?? 0);
      }),
    );
  });
});

test("takes a feed's given cadence, else the learned one, unless it has no schedule", () => {
  const feed = { status: "active", frequencyMinutes: 15, learnedMinutes: 20 };
  expect(cadenceMinutes(feed)).toBe(15);
  expect(cadenceMinutes({ ...feed, frequencyMinutes: 0 })).toBe(20);
  expect(cadenceMinutes({ ...feed, frequencyMinutes: null, learnedMinutes: null })).toBeNull();
  expect(cadenceMinutes({ ...feed, status: "webhook" })).toBeNull();
  expect(cadenceMinutes({ ...feed, status: "inactive" })).toBeNull();
});
