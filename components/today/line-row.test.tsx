import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ClockProvider } from "@/lib/client/use-now";
import { shownToday } from "@/lib/domain/today/shown";
import { iso } from "@/lib/domain/time/instant";
import {
  lineFixture,
  memberFixture,
  todayFixture,
  wellFixture,
} from "@/lib/domain/today/today-fixture";
import { rowPromise } from "@/components/promises/promise-fixture";
import LinePromise from "./line-promise";
import { LineRow, MemberRow } from "./line-row";
import { TodayProvider, type TodayPage } from "./today-context";
import { CannotJudgeRow } from "./unseen-row";
import { WellList } from "./well-list";
import { actWords } from "@/components/grid/incident-actions/words";
import { acts } from "./words";

const NOW_MS = Date.parse("2026-11-24T14:20:00.000Z");
const NOW: TodayPage = {
  frozenMs: null,
  isPast: false,
  offsets: {},
  handled: new Set(["a", "b"]),
  me: { id: "1", name: "Ana" },
  customers: 9,
  openAfterMs: 0,
  onTake: () => undefined,
  isBusy: false,
  onTell: () => undefined,
  onToggle: () => undefined,
};
const PAST: TodayPage = { ...NOW, frozenMs: NOW_MS - 60_000, isPast: true };

const drawn = (page: TodayPage, part: ReactNode) =>
  renderToStaticMarkup(
    <ClockProvider nowMs={NOW_MS}>
      <TodayProvider value={page}>{part}</TodayProvider>
    </ClockProvider>,
  );

function rowsOf(kind: "partner" | "incident", page: TodayPage): { line: string; member: string } {
  const { lines } = shownToday(
    todayFixture({ lines: [lineFixture([memberFixture("a"), memberFixture("b")], { kind })] }),
  );
  const [line] = lines;
  const [member] = line?.members ?? [];
  if (line === undefined || member === undefined) throw new Error("no line");
  return {
    line: drawn(page, <LineRow line={line} place={0} isOpen={false} />),
    member: drawn(page, <MemberRow line={line} member={member} place={1} />),
  };
}

test("customers of a partner line can be told now, but not in a view of the past", () => {
  expect(rowsOf("partner", NOW).line).toContain(acts.tellMany);
  expect(rowsOf("partner", PAST).line).not.toContain(acts.tellMany);
});

test("a line says when its customer was told, and how many of several were", () => {
  const told_at = "2026-11-24T13:05:00.000Z";
  const told = [memberFixture("a", { told_at }), memberFixture("b")];
  const line = (kind: "partner" | "incident", members: typeof told) => {
    const { lines } = shownToday(todayFixture({ lines: [lineFixture(members, { kind })] }));
    return lines[0] === undefined
      ? ""
      : drawn(NOW, <LineRow line={lines[0]} place={0} isOpen={false} />);
  };
  expect(line("incident", told.slice(0, 1))).toContain("Told 13:05");
  expect(line("incident", told.slice(1))).toContain(actWords.tell);
  expect(line("partner", told)).toContain("1 of 2 told");
  expect(line("partner", told.slice(1))).toContain(acts.tellMany);
});

test("only members of a partner line have acts, and are full cards", () => {
  const ofPartner = rowsOf("partner", NOW).member;
  expect(ofPartner).toContain(actWords.take);
  expect(ofPartner).toContain(actWords.tell);
  expect(ofPartner).not.toContain("is-short");
  const ofCompany = rowsOf("incident", NOW).member;
  expect(ofCompany).not.toContain("<button");
  expect(ofCompany).toContain("is-short");
});

test("a person is called you by what tells people apart", () => {
  const on_it = { name: "Ana", since: "2026-11-24T14:00:00Z" };
  const line = (page: TodayPage) => {
    const { lines } = shownToday(
      todayFixture({
        lines: [
          lineFixture([memberFixture("a", { on_it })], { on_it, attended: { of: 1, by: ["Ana"] } }),
        ],
      }),
    );
    return lines[0] === undefined
      ? ""
      : drawn(page, <LineRow line={lines[0]} place={0} isOpen={false} />);
  };
  expect(line(NOW)).toContain("You");
  const shared = line({ ...NOW, me: { id: "1", name: null } });
  expect(shared).not.toContain("You");
  expect(shared).toContain("Ana");
  const owned = (id: string | null, standIn: { id: string; name: string } | null = null) =>
    drawn(
      NOW,
      <WellList
        well={[
          wellFixture("a", {
            owner: id === null ? null : { id, name: "Ana" },
            stand_in: standIn,
          }),
        ]}
        cut={0}
        isDoubtful={false}
        rhythmMs={1000}
        onOwner={() => undefined}
      />,
    );
  expect(owned("1")).toContain("You");
  expect(owned("2")).not.toContain("You");
  const milo = { id: "2", name: "Milo Brandt" };
  expect(owned("1", milo)).toContain("Milo Brandt for you");
  expect(owned("3", { ...milo, id: "1" })).toContain("You for Ana");
  expect(owned(null, milo)).toContain("Milo Brandt for administrators");
});

test("says when customers were last checked now, but not of a past time", () => {
  const well = [wellFixture("a", { last_check_at: iso(NOW_MS - 60_000) })];
  const list = (
    <WellList well={well} cut={0} isDoubtful={false} rhythmMs={1000} onOwner={() => undefined} />
  );
  expect(drawn(NOW, list)).toContain(" ago");
  expect(drawn(PAST, list)).not.toContain(" ago");
});

test.each([
  ["now", NOW, ""],
  ["of the past", PAST, "?at=2026-11-24T14%3A19%3A00.000Z"],
] as const)("links of a view %s lead to the same time", (_, page, at) => {
  const well = wellFixture("a");
  const { company } = well;
  const parts = [
    rowsOf("incident", page).line,
    rowsOf("partner", page).member,
    drawn(page, <CannotJudgeRow unknown={{ company, endpoints: 1 }} place={0} />),
    drawn(
      page,
      <WellList
        well={[well]}
        cut={0}
        isDoubtful={false}
        rhythmMs={1000}
        onOwner={() => undefined}
      />,
    ),
  ];
  for (const part of parts) expect(part).toContain(`href="/a${at}"`);
});

test("names of a promise's customer and feed are cut off before what was promised is", () => {
  const of = {
    company: { slug: "a", name: "Northgate" },
    endpoint_key: "daily_logs",
    promise: rowPromise({ due_at: "2026-11-24T16:00:00.000Z" }),
  };
  const own = (isOfMany: boolean) =>
    drawn(NOW, <LinePromise of={of} isNamed isOfMany={isOfMany} />);
  const name = (text: string) => `<bdi class="today-below-name">${text}</bdi>`;
  expect(own(true)).toContain(`${name("Northgate")}, ${name("daily_logs")}: promised`);
  expect(own(false)).not.toContain("Northgate");
});
