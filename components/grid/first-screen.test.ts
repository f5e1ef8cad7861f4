import { expect, it } from "vitest";
import { endpoint, overdue, view } from "@/components/wall/wall-fixture";
import { NOW_MS, minutesAgo } from "@/lib/domain/row-fixture";
import { loadBoardState } from "./board-url";
import { firstScreen, refold } from "./first-screen";

const STATE = loadBoardState({});

it("marks its counts as past while blind, so that no title presents them as current", () => {
  const rows = [endpoint("Procore", "rfis"), endpoint("Procore", "daily_logs", overdue(70))];
  const of = (given: Parameters<typeof view>[1]) =>
    firstScreen(view(rows, given), STATE, null, NOW_MS).isFrozen;
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
  const of = (...[, , incidents]: Parameters<typeof firstScreen>) =>
    firstScreen(view(rows, {}), STATE, incidents, NOW_MS).lead.unattended;
  const given = [view(rows, {}), STATE] as const;
  expect(of(...given, null, NOW_MS)).toBeNull();
  expect(of(...given, [], NOW_MS)).toBe(1);
  expect(of(...given, [{ ...incident, acknowledged: null }], NOW_MS)).toBe(1);
  expect(of(...given, [{ ...incident, acknowledged: by }], NOW_MS)).toBe(0);
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
  firstScreen(TWO_PARTNERS, loadBoardState(params), null, NOW_MS).lines;
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
    firstScreen(TWO_PARTNERS, state, null, NOW_MS).lines,
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
