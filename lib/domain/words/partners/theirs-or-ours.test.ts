import { expect, test } from "vitest";
import { EVIDENCE_KINDS, OWNERS_OF_TROUBLE } from "@/lib/domain/partners/theirs-or-ours";
import { evidenceText, ownerOfTroubleText } from "./theirs-or-ours";

const NAMES = {
  partner: "Procore",
  host: "https://api.example",
  runsSince: "trouble",
  isPast: false,
} as const;
const say = (kind: (typeof EVIDENCE_KINDS)[number], hit: number, of: number) =>
  evidenceText({ kind, hit, of }, NAMES);

test("says what was counted, and of how many", () => {
  expect(EVIDENCE_KINDS.map((kind) => say(kind, 2, 31))).toEqual([
    "Procore is behind at 2 of the 31 customers that have it.",
    "We can’t see 2 of the 31 customers that have it.",
    "The last syncs of 2 of 31 feeds behind reached Procore’s request limit.",
    "At 2 of the 31 customers behind on https://api.example, other partners have needed attention since about the same time.",
    "Where Procore is behind, 2 of 31 of its syncs completed since it fell behind.",
    "Where Procore is behind, 2 of 31 syncs of other partners completed since it fell behind.",
  ]);
});

test("says since when runs were counted", () => {
  const runs = { kind: "other_runs", hit: 919, of: 1043 } as const;
  expect(evidenceText(runs, { ...NAMES, runsSince: "a_day" })).toBe(
    "Where Procore is behind, 919 of 1,043 syncs of other partners completed in the past 24 h.",
  );
  expect(evidenceText(runs, { ...NAMES, runsSince: "mixed" })).toBe(
    "Where Procore is behind, 919 of 1,043 syncs of other partners completed since it fell behind, counting 24 h at most.",
  );
});

test("agrees in number, and claims nothing of what isn’t known", () => {
  expect(say("companies", 1, 1)).toBe("Procore is behind at your only customer that has it.");
  expect(say("companies", 0, 3)).toBe(
    "Procore isn’t known to be behind at any of the 3 customers that have it.",
  );
  expect(say("companies", 0, 1)).toBe(
    "Procore isn’t known to be behind at your only customer that has it.",
  );
  expect(say("unseen", 1, 1)).toBe("We can’t see your only customer that has it.");
  expect(say("companies", 0, 0)).toBe("No customer has an active Procore feed.");
  expect(say("limited", 1, 1)).toBe(
    "The last sync of the only feed behind reached Procore’s request limit.",
  );
  expect(say("limited", 4, 4)).toBe(
    "The last syncs of all 4 feeds behind reached Procore’s request limit.",
  );
});

test("has a sentence for every code", () => {
  expect(
    OWNERS_OF_TROUBLE.map((code) =>
      ownerOfTroubleText(code, "Procore", { behind: 2, quiet: 0 }, false),
    ),
  ).toEqual([
    "We can’t tell: we can’t see enough customers.",
    "Procore limits how many requests we can make.",
    "It may be an API that these customers share, rather than Procore.",
    "The evidence points to Procore.",
    "Only one customer is behind, so it may be that customer’s connection.",
    "We can’t tell.",
  ]);
  const noneBehind = (quiet: number) =>
    ownerOfTroubleText("cant_tell", "Procore", { behind: 0, quiet }, false);
  expect(noneBehind(0)).toBe("Nothing is known to be behind.");
  expect(noneBehind(1)).toBe("Nothing outside of planned quiet is known to be behind.");
});

test("is in the past tense for an earlier moment", () => {
  const past = (kind: (typeof EVIDENCE_KINDS)[number], hit: number, of: number) =>
    evidenceText({ kind, hit, of }, { ...NAMES, isPast: true });
  expect(past("companies", 2, 3)).toBe("Procore was behind at 2 of the 3 customers that had it.");
  expect(past("unseen", 1, 1)).toBe("We couldn’t see your only customer that had it.");
  expect(ownerOfTroubleText("we_are_blind", "Procore", { behind: 0, quiet: 0 }, true)).toBe(
    "We can’t tell: we couldn’t see enough customers.",
  );
  expect(ownerOfTroubleText("cant_tell", "Procore", { behind: 0, quiet: 0 }, true)).toBe(
    "Nothing was known to be behind.",
  );
});
