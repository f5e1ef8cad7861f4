import * as fc from "fast-check";
import { expect, test } from "vitest";
import { VERDICTS } from "@/lib/domain/sync";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { comparePartners, foldPartner, inOrder } from "./fold-partner";
import { minutesAgo, procoreAt } from "./partner-fixture";
import { partnerKey, shownName } from "./partner-name";

test("counts every company once, by how the partner stands there", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          words: fc.array(fc.constantFrom(...VERDICTS), { minLength: 1, maxLength: 4 }),
          isBlind: fc.boolean(),
        }),
        { minLength: 1 },
      ),
      (given) => {
        const at = given.map(({ words, isBlind }, n) =>
          procoreAt(
            `c${n}`,
            words.map((verdict) => ({ verdict, nextMs: minutesAgo(n) })),
            { confidence: isBlind ? "blind" : "live" },
          ),
        );
        const fold = foldPartner(at);
        const { behind, onTime, cannotJudge, quiet, paused, unseen } = fold;
        expect(behind + onTime + cannotJudge + quiet + paused + unseen).toBe(fold.companies);
        expect(unseen).toBe(given.filter(({ isBlind }) => isBlind).length);
        expect(fold.sinceMs === null).toBe(behind === 0);
        expect(fold.nextMs).toBe(
          at.reduce<number | null>(
            (first, { nextMs }) =>
              nextMs !== null && (first === null || nextMs < first) ? nextMs : first,
            null,
          ),
        );
        expect(fold.asOfMs === null).toBe(unseen === fold.companies);
        expect(new Set(inOrder(at))).toEqual(new Set(at));
        expect(inOrder(at.toReversed())).toEqual(inOrder(at));
      },
    ),
  );
});

test("compares the clocks of several APIs by ours", () => {
  const late = (offsetMs: number, began: number) =>
    procoreAt("a", [{ verdict: "late", began, nextMs: minutesAgo(began) }], { offsetMs });
  // 18 minutes ago on a clock that is an hour behind is later than it looks.
  const fold = foldPartner([late(-60 * MINUTE_MS, 78), late(0, 19)]);
  expect(fold.sinceMs).toBe(minutesAgo(19));
  expect(fold.nextMs).toBe(minutesAgo(19));
});

test("names a partner as most companies write it", () => {
  expect(shownName(["Procore", "PROCORE", "PROCORE"])).toBe("PROCORE");
  expect(shownName(["b", "a"])).toBe("a");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      expect(partnerKey(name.normalize("NFD"))).toBe(partnerKey(name.normalize("NFC")));
      expect(partnerKey(partnerKey(name))).toBe(partnerKey(name));
    }),
  );
});

test("orders companies by what is wrong there", () => {
  const at = [
    procoreAt("paused", [{ verdict: "paused" }]),
    procoreAt("well-b", [{ verdict: "fresh" }]),
    procoreAt("well-a", [{ verdict: "due" }]),
    procoreAt("unknown", [{ verdict: "unknown" }]),
    procoreAt("unseen", [{ verdict: "failing" }], { confidence: "blind" }),
    procoreAt("late", [{ verdict: "late", dueMs: minutesAgo(90) }]),
    procoreAt("failing", [{ verdict: "failing", dueMs: minutesAgo(20) }]),
    procoreAt("failing-longer", [{ verdict: "failing", dueMs: minutesAgo(40) }]),
    procoreAt("quiet", [{ verdict: "failing", isQuiet: true }]),
  ];
  expect(inOrder(at).map(({ slug }) => slug)).toEqual([
    "failing-longer",
    "failing",
    "late",
    "unseen",
    "unknown",
    "quiet",
    "well-a",
    "well-b",
    "paused",
  ]);
});

test("orders partners by the number of companies where they are behind", () => {
  const fold = (partnerName: string, behind: number, unseen = 0) => ({
    ...foldPartner([procoreAt("a", [{ verdict: "fresh" }])]),
    partnerName,
    behind,
    unseen,
  });
  expect(
    [fold("b", 0), fold("A", 0), fold("c", 2), fold("d", 0, 1)]
      .toSorted(comparePartners)
      .map(({ partnerName }) => partnerName),
  ).toEqual(["c", "d", "A", "b"]);
});
