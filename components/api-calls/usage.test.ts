import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rowFixture } from "@/lib/contracts/row-fixture";
import { chooseUnread, usageOf } from "./usage";

function row(id: string, partner_name: string, api_calls_last_24h: number, reported = true) {
  const { known, ...rest } = rowFixture({ id, partner_name, api_calls_last_24h });
  return { ...rest, known: { ...known, reported } };
}

describe("calls at one instant", () => {
  test("partners by their endpoints' sum, most first, with their share", () => {
    const usage = usageOf([row("1", "A", 10), row("2", "B", 25), row("3", "A", 5)], null);
    expect(usage.calls).toBe(40);
    expect(usage.partners).toEqual([
      { partner: "B", calls: 25, shareText: "63%" },
      { partner: "A", calls: 15, shareText: "37%" },
    ]);
    expect(usage.chosen?.partner).toBe("B");
  });

  test("the chosen partner's endpoints, most calls first, then by name", () => {
    const rows = [row("3", "A", 5), row("1", "A", 5), row("2", "A", 9), row("4", "B", 99)];
    const { chosen } = usageOf(rows, "A");
    expect(chosen?.calls).toBe(19);
    expect(chosen?.endpoints?.map(({ id }) => id)).toEqual(["2", "1", "3"]);
  });

  test("what the snapshot lacks is counted as missing, and in no sum", () => {
    const usage = usageOf([row("1", "A", 10), row("2", "A", 70, false)], null);
    expect(usage).toMatchObject({ calls: 10, endpointCount: 1, missingCount: 1 });
  });

  test("a partner is chosen before the rows are there: its endpoints are not known yet", () => {
    const first = usageOf([row("1", "A", 10), row("2", "B", 25)], null);
    expect(chooseUnread(first, "A")).toEqual({
      ...first,
      chosen: { partner: "A", calls: 10, endpoints: null },
    });
    expect(chooseUnread(first, "B")).toBe(first);
    // As by going back to where none was chosen.
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

  test("a partner that is not there has no endpoint; without any row nothing is chosen", () => {
    expect(usageOf([row("1", "A", 10)], "gone").chosen).toEqual({
      partner: "gone",
      calls: 0,
      endpoints: [],
    });
    expect(usageOf([], null).chosen).toBeNull();
  });

  test("without a call there is no share to speak of", () => {
    expect(usageOf([row("1", "A", 0)], null).partners).toEqual([
      { partner: "A", calls: 0, shareText: "" },
    ]);
  });

  test("the parts always add up to the whole, whatever the names", () => {
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
