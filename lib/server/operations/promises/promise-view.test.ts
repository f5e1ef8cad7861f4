import { expect, test } from "vitest";
import { rowFixture } from "@/lib/contracts/row-fixture";
import { pacesOf } from "./promise-view";

test("groups paces by feed, partner and company, and goes through the feeds once", () => {
  let reads = 0;
  const feed = (id: string, partner: string, minutes: number | null, status = "active") => {
    const { frequency_minutes: _, ...row } = rowFixture({ id, partner_name: partner, status });
    return {
      ...row,
      get frequency_minutes() {
        reads += 1;
        return minutes;
      },
    };
  };
  const feeds = [
    feed("a", "Procore", 60),
    feed("b", "Procore", 60),
    feed("c", "Procore", 240),
    feed("d", "Sage", 1_440),
    feed("e", "Sage", 5, "webhook"),
    feed("f", "Sage", null),
  ];
  const paces = pacesOf(feeds);
  const afterOne = reads;
  const minutes = (partner: string | null, endpointId: string | null) =>
    Array.from(paces({ partner, endpointId }), ({ cadenceMs }) => cadenceMs && cadenceMs / 60_000);
  expect(minutes(null, null)).toEqual([60, 240, 1_440]);
  expect(minutes("Procore", null)).toEqual([60, 240]);
  expect(minutes("Sage", null)).toEqual([1_440]);
  expect([...paces({ partner: null, endpointId: "e" })]).toEqual([
    { status: "webhook", cadenceMs: 5 * 60_000 },
  ]);
  expect(minutes(null, "d")).toEqual([1_440]);
  expect(minutes("Nowhere", null)).toEqual([]);
  expect(minutes(null, "gone")).toEqual([]);
  expect(reads).toBe(afterOne);
});
