import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MEMBER_ENDINGS } from "@/lib/domain/incidents/incident";
import { usOrThem, type Evidence } from "./us-or-them";

const NAMES = { partner: "Procore", company: "Northgate" };
const ALONE: Evidence = {
  confidence: "live",
  inTrouble: 3,
  rateLimited: 1,
  endings: [null, null, null],
  elsewhere: { affected: 0, unaffected: 0 },
  otherPartners: { affected: 0, total: 12 },
};
const THERE = { affected: 2, unaffected: 9 };

describe("usOrThem", () => {
  test.each<[string, Partial<Evidence>]>([
    [
      "We can’t see Northgate right now, so we can’t tell.",
      { confidence: "blind", rateLimited: 3 },
    ],
    [
      "No feed of this incident is behind now, so there’s nothing to compare.",
      { inTrouble: 0, rateLimited: 0, endings: ["data_received", "eased"] },
    ],
    [
      "No feed of this incident is behind outside of planned quiet now, so there’s nothing to compare.",
      { inTrouble: 0, rateLimited: 0, endings: ["data_received", "expected"] },
    ],
    [
      "We can’t tell how its feeds are now, so there’s nothing to compare.",
      { inTrouble: 0, rateLimited: 0, endings: ["data_received", null] },
    ],
    [
      "Our checks are live, and Procore limits how many requests we can make: the last syncs of all 3 feeds reached that limit.",
      { rateLimited: 3, elsewhere: THERE },
    ],
    [
      "Our checks are delayed, not down, and Procore limits how many requests we can make: the last sync reached that limit.",
      { confidence: "delayed", inTrouble: 1 },
    ],
    [
      "Probably Procore: our checks are live, and it also needs attention at 2 other customers.",
      { elsewhere: THERE },
    ],
    [
      "We can’t tell: our checks are live, Procore also needs attention at 1 other customer, and so does 1 other partner of Northgate.",
      { elsewhere: { affected: 1, unaffected: 0 }, otherPartners: { affected: 1, total: 12 } },
    ],
    [
      "Probably Northgate: our checks are live, 7 of 12 other partners here also need attention, and Procore doesn’t need attention at 9 other customers.",
      { elsewhere: { affected: 0, unaffected: 9 }, otherPartners: { affected: 7, total: 12 } },
    ],
    [
      "We can’t tell: our checks are live, 4 of 12 other partners here also need attention, and Procore doesn’t need attention at 9 other customers.",
      { elsewhere: { affected: 0, unaffected: 9 }, otherPartners: { affected: 4, total: 12 } },
    ],
    [
      "We can’t tell: our checks are live, and 1 of 12 other partners here also needs attention.",
      { otherPartners: { affected: 1, total: 12 } },
    ],
    [
      "Probably Northgate’s Procore connection: our checks are live, no other partner of Northgate needs attention, and Procore doesn’t need attention at 1 other customer.",
      { elsewhere: { affected: 0, unaffected: 1 } },
    ],
    ["We can’t tell: our checks are live, and no other partner of Northgate needs attention.", {}],
    [
      "We can’t tell: our checks are live, and Procore is Northgate’s only partner.",
      { otherPartners: { affected: 0, total: 0 } },
    ],
  ])("%s", (sentence, given) => {
    expect(usOrThem({ ...ALONE, ...given }, NAMES)).toBe(sentence);
  });

  test("points to no side without evidence from another company, and claims to be live only when it is", () => {
    const count = fc.integer({ min: 0, max: 5 });
    const evidence = fc.record({
      confidence: fc.constantFrom("live", "delayed", "blind"),
      inTrouble: count,
      rateLimited: count,
      endings: fc.array(fc.constantFrom(null, ...MEMBER_ENDINGS)),
      elsewhere: fc.record({ affected: count, unaffected: count }),
      otherPartners: fc.record({ affected: count, total: count }),
    });
    fc.assert(
      fc.property(evidence, (given) => {
        const said = usOrThem(given, NAMES);
        const { affected, unaffected } = given.elsewhere;
        if (said.startsWith("Probably")) expect(affected + unaffected).toBeGreaterThan(0);
        if (said.includes("are live")) expect(given.confidence).toBe("live");
        if (given.confidence === "blind") expect(said).toContain("can’t tell");
        expect(said).toMatch(/^[A-Z].*\.$/);
      }),
    );
  });
});
