import { expect, test } from "vitest";
import type { Verdict } from "@/lib/domain/sync";
import { partnerTitle } from "./drill-title";
import { endpointTitle } from "./words";

test("has a partner's number of endpoints that need attention, or its blindness, in the tab title", () => {
  const words = ["late", "fresh", "failing", "paused"] as const;
  expect(partnerTitle("Procore", "Northgate", words, null)).toBe(
    "Procore: 2 of 4 need attention · Northgate",
  );
  expect(partnerTitle("Procore", "Northgate", words, "14:02")).toBe(
    "Procore: not checked since 14:02 · Northgate",
  );
});

test("has the number of unknown ones when none needs attention", () => {
  const title = (words: readonly Verdict[]) => partnerTitle("Procore", "Northgate", words, null);
  expect(title(["unknown", "fresh"])).toBe("Procore: 0 of 2 need attention, 1 unknown · Northgate");
  expect(title(["unknown", "late"])).toBe("Procore: 1 of 2 needs attention · Northgate");
});

test("starts an endpoint's tab title with its verdict, in the past tense once blind", () => {
  const endpoint = { partnerName: "Procore", endpointKey: "daily_logs" };
  expect(endpointTitle(endpoint, "Northgate", "late", false)).toBe(
    "Late: Procore / daily_logs · Northgate",
  );
  expect(endpointTitle(endpoint, "Northgate", "fresh", true)).toBe(
    "Was fresh: Procore / daily_logs · Northgate",
  );
});
