import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rowFixture } from "@/lib/contracts/row-fixture";
import { chooseUnread, usageOf } from "./usage";

function row(id: string, partner_name: string, api_calls_last_24h: number, reported = true) {
  const { known, ...rest } = rowFixture({ id, partner_name, api_calls_last_24h });
  return { ...rest, known: { ...known, reported } };
}

describe("calls at one instant", () => {
  test("ranks partners by the sum of their endpoints, with their share", () => {
    const usage = usageOf([row("1", "A", 10), row("2", "B", 25), row("3", "A", 5)], null);
    expect(usage.calls).toBe(40);
    expect(usage.partners).toEqual([
      { partner: "B", calls: 25, shareText: "63%" },
      { partner: "A", calls: 15, shareText: "37%" },
    ]);
    expect(usage.chosen?.partner).toBe("B");
  });

  test("sorts the selected partner's endpoints by calls, then by name", () => {
    const rows = [row("3", "A", 5), row("1", "A", 5), row("2", "A", 9), row("4", "B", 99)];
    const { chosen } = usageOf(rows, "A");
    expect(chosen?.calls).toBe(19);
    expect(chosen?.endpoints?.map(({ id }) => id)).toEqual(["2", "1", "3"]);
  });

  test("counts endpoints without a value as missing, in no sum", () => {
    const usage = usageOf([row("1", "A", 10), row("2", "A", 70, false)], null);
    expect(usage).toMatchObject({ calls: 10, endpointCount: 1, missingCount: 1 });
  });

  test("selects a partner before its rows are loaded, with unknown endpoints", () => {
    const first = usageOf([row("1", "A", 10), row("2", "B", 25)], null);
    expect(chooseUnread(first, "A")).toEqual({
      ...first,
      chosen: { partner: "A", calls: 10, endpoints: null },
    });
    expect(chooseUnread(first, "B")).toBe(first);
    // As when going back to no selection.
    expect(chooseUnread(first, null)).toBe(first);
    expect(chooseUnread(usageOf([row("1", "A", 10), row("2", "B", 25)], "A"), null).chosen).toEqual(
      {
        partner: "B",
        calls: 25,
        endpoints: null,
      },
    );
    expect(chooseUnread(usageOf([], null), "A").chosen).toBeNull();
  });

  test("gives an unknown partner no endpoints, and selects nothing without rows", () => {
    expect(usageOf([row("1", "A", 10)], "gone").chosen).toEqual({
      partner: "gone",
      calls: 0,
      endpoints: [],
    });
    expect(usageOf([], null).chosen).toBeNull();
  });

  test("has no shares without calls", () => {
    expect(usageOf([row("1", "A", 0)], null).partners).toEqual([
      { partner: "A", calls: 0, shareText: "" },
    ]);
  });

  test("always adds parts up to the whole, whatever the names", () => {
    const anyRow = fc
      .tuple(fc.string(), fc.constantFrom("A", "", "__proto__", "a/b"), fc.nat(1e6), fc.boolean())
      .map((given) => row(...given));
    fc.assert(
      fc.property(fc.uniqueArray(anyRow, { selector: ({ id }) => id }), (rows) => {
        const usage = usageOf(rows, null);
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
