import { createRef } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ClockProvider } from "@/lib/client/use-now";
import { shownToday } from "@/lib/domain/today/shown";
import { todayFixture, wellFixture } from "@/lib/domain/today/today-fixture";
import { TodayLead } from "./today-lead";
import { loadTodayState } from "./today-url";

const NOW_MS = Date.parse("2026-11-24T14:20:00.000Z");
const REMARKS = ["unseen_companies", "delayed", "cannot_judge", "quiet"] as const;

function drawn(
  remarks: number,
  search: Record<string, string> = {},
  frozenMs: number | null = null,
  given: Parameters<typeof todayFixture>[0] = {},
): string {
  const { counts, ...rest } = todayFixture(given);
  const amounts = Object.fromEntries(REMARKS.map((name, at) => [name, at < remarks ? 2 : 0]));
  return renderToStaticMarkup(
    <ClockProvider nowMs={NOW_MS}>
      <TodayLead
        given={{
          today: shownToday({ ...rest, counts: { ...counts, ...amounts } }),
          state: loadTodayState(search),
          customers: 9,
          own: 3,
          frozenMs,
          hasFailed: false,
          isRefused: false,
        }}
        change={() => undefined}
        owner={null}
        isOld={false}
        searchRef={createRef()}
        onSearch={() => undefined}
        customersHref="/companies"
      >
        {null}
      </TodayLead>
    </ClockProvider>,
  );
}

const buttonOf = (html: string) =>
  /<button[^>]*aria-expanded="false" class="([^"]*)">(.*?)<\/button>/.exec(html)?.slice(1) ?? null;
const notesOf = (html: string) =>
  [...html.matchAll(/<span class="(today-note[^"]*)"/g)].map(([, name]) => name);

test("two remarks have no button to show more", () => {
  expect(buttonOf(drawn(2))).toBeNull();
  expect(notesOf(drawn(2))).toEqual(["today-note", "today-note"]);
});

test("the third remark is folded on cards only", () => {
  expect(buttonOf(drawn(3))).toEqual([
    "today-more only-on-cards",
    '<span class="only-on-cards">1 more</span>',
  ]);
  expect(notesOf(drawn(3))).toEqual(["today-note", "today-note", "today-note not-on-cards"]);
});

test("more than three are counted for rows and for cards", () => {
  expect(buttonOf(drawn(4))).toEqual([
    "today-more",
    '<span class="not-on-cards">1 more</span><span class="only-on-cards">2 more</span>',
  ]);
  expect(notesOf(drawn(4))).toHaveLength(3);
});

test("speaks of a past time in the past", () => {
  expect(drawn(4)).toContain("2 feeds can’t be judged");
  expect(drawn(4, {}, NOW_MS - 60_000)).toContain("2 feeds couldn’t be judged");
});

test("says how many customers there are, and how many are one's own, unless other filters apply", () => {
  expect(drawn(0)).toContain("All, 9");
  expect(drawn(0, { mine: "1" })).toContain("Mine, 3");
  expect(drawn(0, { partner: "Procore" })).not.toMatch(/All, 9|Mine, 3/);
});

test("tells filters that only match customers on time from those that match nothing", () => {
  const searched = { q: "orchard" };
  const orchard = wellFixture("orchard");
  expect(drawn(0, searched)).toContain("Nothing matches");
  expect(drawn(0, searched, null, { well: [orchard] })).toContain("Nothing behind matches");
  expect(
    drawn(0, searched, null, { cannot_judge: [{ company: orchard.company, endpoints: 1 }] }),
  ).toContain("Nothing behind matches");
});

test("says of an instant before the history that there is none, also under a filter", () => {
  const atMs = Date.parse("2026-11-20T14:00:00.000Z");
  const recorded = (recorded_from: string | null) => drawn(1, { q: "x" }, atMs, { recorded_from });
  for (const from of ["2026-11-21T08:00:00.000Z", null]) {
    expect(recorded(from)).toContain("No history for Fri 20 Nov, 14:00");
    expect(recorded(from)).not.toMatch(/couldn’t see|Nothing matches/);
  }
  expect(recorded("2026-11-20T08:00:00.000Z")).not.toContain("No history");
});
