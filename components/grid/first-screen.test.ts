import { expect, it } from "vitest";
import { endpoint, overdue, view } from "@/components/wall/wall-fixture";
import { NOW_MS, minutesAgo } from "@/lib/domain/row-fixture";
import { loadBoardState } from "./board-url";
import { firstScreen } from "./first-screen";

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
