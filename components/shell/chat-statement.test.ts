import { describe, expect, test } from "vitest";
import { companyFixture } from "@/components/companies/company-fixture";
import { companyDate, filesDate, fleetDate, silentDate } from "./chat-statement";

const NOW_MS = Date.parse("2026-03-02T12:00:10Z");
const said = { nowMs: NOW_MS, timeZone: "UTC" };
const north = companyFixture("north");
/** Last checked then. */
const checked = (at: string) => ({ ...north, source: { ...north.source, last_success_at: at } });

describe("the date of a sentence", () => {
  test("is now while the data is live", () => {
    expect(companyDate(north, said)).toBe("as of Mon 12:00 UTC");
    expect(fleetDate([north], said)).toBe("as of Mon 12:00 UTC");
  });

  test("has the last check while that is late", () => {
    const late = checked("2026-03-02T11:57:00Z");
    expect(companyDate(late, said)).toBe("as of Mon 12:00 UTC, last check Mon 11:57 UTC");
    expect(fleetDate([north, late], said)).toBe("as of Mon 12:00 UTC, last check Mon 11:57 UTC");
  });

  test("is that of what was seen last once nothing newer is known", () => {
    const blind = { ...checked("2026-03-02T10:00:00Z"), as_of: "2026-03-02T10:00:00Z" };
    expect(companyDate(blind, said)).toBe("as of Mon 10:00 UTC, not checked since");
    expect(companyDate({ ...north, as_of: null }, said)).toBe("not checked yet");
    expect(silentDate(NOW_MS - 3_600_000, said)).toBe("as of Mon 11:00 UTC, not checked since");
  });

  test("of schedule files is that of their list", () => {
    const index = { as_of: "2026-03-02T11:50:00Z", reason: null };
    expect(filesDate(index, said)).toBe("as of Mon 11:50 UTC");
    expect(filesDate({ ...index, reason: "forbidden" }, said)).toBe(
      "as of Mon 11:50 UTC, not checked since",
    );
    expect(filesDate({ as_of: null, reason: null }, said)).toBe("not checked yet");
  });
});
