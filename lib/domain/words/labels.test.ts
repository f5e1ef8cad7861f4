import { expect, test } from "vitest";
import { frozenWord, runOutcomeText } from "./labels";

const ZONE = "Europe/Berlin";
const NOW_MS = Date.parse("2026-11-19T13:32:07Z");

test("puts a frozen verdict in the past tense, with its time", () => {
  expect(frozenWord("fresh", NOW_MS - 30 * 60_000, NOW_MS, ZONE)).toBe("was fresh at 14:02");
  expect(frozenWord("fresh", NOW_MS - 86_400_000, NOW_MS, ZONE)).toBe("was fresh Wed 14:32");
});

test("names run outcomes, and shows an unrecognised one as given", () => {
  expect(runOutcomeText("in_progress")).toBe("Running");
  expect(runOutcomeText(null)).toBe("");
  expect(runOutcomeText("exploded")).toBe("Unknown value “exploded”");
});
