import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { SlowerCadence } from "./slower-cadence";
import type { EndpointUsage } from "./usage";

const ALLOWANCE = {
  partner_name: "Procore",
  calls: 2_500,
  per: "day" as const,
  note: null,
  by: { id: "ana", name: "Ana" },
  at: "2026-11-12T00:00:00.000Z",
};

/** The text of the last rows, of feeds with these calls in 24 hourly runs. */
function sums(calls: readonly number[]): string[] {
  const feeds = calls.map((many, at): EndpointUsage => ({
    id: `${at}`,
    endpointKey: `feed_${at}`,
    calls: many,
    status: "active",
    frequencyMinutes: 60,
    learnedMinutes: null,
  }));
  const runs = new Map(
    feeds.map(({ id }) => [
      id,
      { started: 24, completed: 24, rate_limited: 0, is_complete: true, slots: [] },
    ]),
  );
  const html = renderToStaticMarkup(
    <SlowerCadence calls={1_020} feeds={feeds} runs={runs} allowance={ALLOWANCE} />,
  );
  const rows = html.matchAll(/<tr class="is-sum"><th[^>]*>([^<]*)<\/th><td[^>]*>([^<]*)<\/td>/g);
  return [...rows].map(([, head, text]) => `${head}: ${text}`);
}

test("tells what several feeds free together from what is still made", () => {
  expect(sums([248, 186, 138])).toEqual([
    "All three: free about 286 a day",
    "Still made: about 734 a day, 29% of the allowance (2,500 a day)",
  ]);
  expect(sums([248, 186])[0]).toBe("Both: free about 217 a day");
  expect(sums([248])).toEqual(["Still made: about 896 a day, 36% of the allowance (2,500 a day)"]);
});
