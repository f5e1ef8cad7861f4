import { describe, expect, test } from "vitest";
import type { Incident } from "@/lib/contracts/incidents";
import { chosen, countsOf } from "./choose";
import { incidentFixture } from "./incident-fixture";
import { stateOf } from "./incidents-url";

const AT = "2026-11-23T08:00:00Z";
const YOU = { by: "Ana", by_id: "a", is_you: true, at: AT, until: null };
const TOM = { ...YOU, by: "Tom", by_id: "t", is_you: false };

const incident = (id: number, given: Partial<Incident> = {}) =>
  incidentFixture({ id, began_at: `2026-11-23T0${9 - id}:00:00Z`, ...given });
const ENDED = { ended_at: AT, ending: "eased" as const };
const member = (given: Partial<Incident["members"][number]>) => ({
  endpoint_id: "n1",
  endpoint_key: "rfis",
  verdict: "late" as const,
  began_at: AT,
  joined_at: AT,
  ended_at: null,
  ending: null,
  received_at: null,
  ...given,
});
const ALL = [
  incident(1, { acknowledged: TOM }),
  incident(2, { verdict: "stale", company: { slug: "harbour", name: "Harbour" } }),
  incident(3, { verdict: "late", acknowledged: YOU, is_mine: true, partner_name: "Aconex" }),
  // Its company is mine.
  incident(4, { verdict: null, is_mine: true, members: [member({ verdict: "unknown" })] }),
];
const ids = (search: string) =>
  chosen(ALL, stateOf(new URLSearchParams(search))).map(({ id }) => id);

describe("the open incidents", () => {
  test.each<[string, number[]]>([
    ["", [2, 4, 1, 3]],
    ["order=worst", [1, 2, 3, 4]],
    ["order=oldest", [4, 3, 2, 1]],
    ["order=sideways", [2, 4, 1, 3]],
    ["show=unacknowledged", [2, 4]],
    ["show=mine", [4, 3]],
    ["show=failing", [1]],
    ["show=unknown", [4]],
    ["company=harbour", [2]],
    ["q=aco", [3]],
    ["q=harb procore", [2]],
    ["q=nothing", []],
  ])("filtered by %j are %j", (search, expected) => {
    expect(ids(search)).toEqual(expected);
  });
});

test("is unknown only if we can’t tell, not while it is seen to be over or at rest", () => {
  const settling = incident(5, { verdict: null, members: [member(ENDED)] });
  const unseen = incident(6, { ...settling, id: 6, not_observed_since: AT });
  const all = [...ALL, settling, unseen];
  const shown = chosen(all, stateOf(new URLSearchParams("show=unknown")));
  expect(shown.map(({ id }) => id)).toEqual([4, 6]);
});

test("are counted after company and text filters; what isn't listed can't be counted", () => {
  const counts = {
    open: 4,
    unacknowledged: 2,
    mine: 2,
    failing: 1,
    stale: 1,
    late: 1,
    cannot_tell: 1,
    ended_last_7_days: 9,
  };
  const of = (search: string, all = ALL) =>
    countsOf(counts, all, stateOf(new URLSearchParams(search)));
  expect(of("order=worst")).toBe(counts);
  expect(of("company=harbour")).toEqual({
    open: 1,
    unacknowledged: 1,
    mine: 0,
    failing: 0,
    stale: 1,
    late: 0,
    cannot_tell: 0,
    ended_last_7_days: null,
  });
  expect(of("q=aconex&show=failing")).toMatchObject({ open: 1, late: 1, mine: 1 });
  expect(of("q=aconex", ALL.slice(1)).open).toBeNull();
});
