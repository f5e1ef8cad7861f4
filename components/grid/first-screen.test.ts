import { expect, it } from "vitest";
import { expectation } from "@/components/quiet/expectation-fixture";
import { endpoint, overdue, view } from "@/components/wall/wall-fixture";
import { NOW_MS, minutesAgo } from "@/lib/domain/row-fixture";
import { loadBoardState } from "./board-url";
import { firstScreen, refold } from "./first-screen";

const STATE = loadBoardState({});
const NOTHING = { incidents: null, quiet: null };

it("marks its counts as past while blind, so that no title presents them as current", () => {
  const rows = [endpoint("Procore", "rfis"), endpoint("Procore", "daily_logs", overdue(70))];
  const of = (given: Parameters<typeof view>[1]) =>
    firstScreen(view(rows, given), STATE, NOTHING, NOW_MS).isFrozen;
  expect(of({})).toBe(false);
  expect(of({ confidence: "delayed", last_success_at: minutesAgo(3) })).toBe(false);
  expect(of({ confidence: "blind", last_success_at: minutesAgo(30) })).toBe(true);
});

it("knows what no one is on only if it knows the incidents", () => {
  const rows = [endpoint("Procore", "daily_logs", overdue(70)), endpoint("Procore", "rfis")];
  const [late] = rows;
  if (late === undefined) throw new Error("no row");
  const incident = {
    id: 1,
    company: { slug: "a", name: "A" },
    partner_name: "Procore",
    began_at: minutesAgo(10),
    told_at: null,
    api_clock_offset_ms: 0,
    members: [{ endpoint_id: late.id, began_at: minutesAgo(10), ended_at: null }],
  };
  const by = {
    by: "Ana",
    by_id: crypto.randomUUID(),
    is_you: true,
    at: minutesAgo(5),
    until: null,
  };
  const of = (incidents: Parameters<typeof firstScreen>[2]["incidents"]) =>
    firstScreen(view(rows, {}), STATE, { incidents, quiet: null }, NOW_MS).lead.unattended;
  expect(of(null)).toBeNull();
  expect(of([])).toBe(1);
  expect(of([{ ...incident, acknowledged: null }])).toBe(1);
  expect(of([{ ...incident, acknowledged: by }])).toBe(0);
});

it("doesn't count feeds in planned quiet as behind", () => {
  const rows = [
    endpoint("Procore", "daily_logs", { ...overdue(70), next_sync_at: minutesAgo(-20) }),
    endpoint("Acme", "costs", { ...overdue(70), next_sync_at: minutesAgo(-30) }),
  ];
  const planned = (fromMinutes: number, partner: string | null) => ({
    offsetMs: 0,
    all: [
      expectation({
        partner_name: partner,
        quiet: { from: minutesAgo(fromMinutes), until: minutesAgo(-60) },
      }),
    ],
  });
  const of = (quiet: ReturnType<typeof planned>) => {
    const { lead, hour, counts } = firstScreen(
      view(rows, {}),
      STATE,
      { incidents: [], quiet },
      NOW_MS,
    );
    const nextMinutes = ((lead.nextAttemptMs ?? Infinity) - NOW_MS) / 60_000;
    return [lead.quiet, lead.unattended, nextMinutes, hour.behind, counts.late + counts.stale];
  };
  expect(of(planned(10, "Procore"))).toEqual([1, 1, 30, 1, 2]);
  expect(of(planned(10, null))).toEqual([2, 0, Infinity, 0, 2]);
  // It hasn't begun.
  expect(of(planned(-10, null))).toEqual([0, 2, 20, 2, 2]);
});

const TWO_PARTNERS = view(
  [
    endpoint("Acme", "costs", overdue(70)),
    endpoint("Acme", "crews"),
    endpoint("Zenith", "jobs", overdue(70)),
  ],
  {},
);
const linesOf = (params: Parameters<typeof loadBoardState>[0]) =>
  firstScreen(TWO_PARTNERS, loadBoardState(params), NOTHING, NOW_MS).lines;
const openOnes = (lines: ReturnType<typeof linesOf>) =>
  lines.flatMap((line) => (line.kind === "group" && line.isOpen ? line.partner : []));

it.each([
  { group: "partner", closed: "Acme" },
  { group: "partner", rows: "folded", closed: "Zenith" },
  { group: "partner", rows: "folded", closed: "Acme" },
  { partners: "open", closed: "Zenith" },
])("collapses partners of its first lines as the whole board does: %o", ({ closed, ...params }) => {
  const state = { ...loadBoardState(params), closed: [closed] };
  expect(refold(linesOf(params), state)).toEqual(
    firstScreen(TWO_PARTNERS, state, NOTHING, NOW_MS).lines,
  );
});

it("expands partners of its first lines, whose endpoints come later", () => {
  const state = { ...STATE, open: ["Zenith"] };
  const lines = refold(linesOf({}), state);
  expect(openOnes(linesOf({}))).toEqual([]);
  expect(openOnes(lines)).toEqual(["Zenith"]);
  expect(lines).toHaveLength(linesOf({}).length);
  const all = refold(linesOf({}), { ...STATE, partners: "open" });
  expect(openOnes(all)).toEqual(["Acme", "Zenith"]);
  expect(all.find(({ kind }) => kind === "section")).toMatchObject({ isOpen: true });
});

it("changes no line without partners", () => {
  const flat = linesOf({ group: "flat" });
  expect(refold(flat, { ...loadBoardState({ group: "flat" }), closed: ["Acme"] })).toEqual(flat);
});
