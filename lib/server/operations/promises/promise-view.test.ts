import { expect, test } from "vitest";
import { rowFixture } from "@/lib/contracts/row-fixture";
import { cadencesOf } from "./promise-view";

test("groups cadences by feed, partner and company, and goes through the feeds once", () => {
  let reads = 0;
  const feed = (id: string, partner: string, minutes: number | null) => {
    const { frequency_minutes: _, ...row } = rowFixture({ id, partner_name: partner });
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
  ];
  const cadences = cadencesOf(feeds);
  const afterOne = reads;
  const minutes = (partner: string | null, endpointId: string | null) =>
    Array.from(cadences({ partner, endpointId }), (ms) => ms && ms / 60_000);
  expect(minutes(null, null)).toEqual([60, 240, 1_440]);
  expect(minutes("Procore", null)).toEqual([60, 240]);
  expect(minutes(null, "d")).toEqual([1_440]);
  expect(minutes("Nowhere", null)).toEqual([]);
  expect(minutes(null, "gone")).toEqual([]);
  expect(reads).toBe(afterOne);
});
