import { expect, test } from "vitest";
import type { BoardThenView } from "@/lib/contracts/history";
import { companyThen } from "./company-then";

type Endpoint = BoardThenView["endpoints"][number];

const one = (partner_name: string, verdict: Endpoint["verdict"], seen?: Endpoint["verdict"]) =>
  ({
    partner_name,
    verdict,
    last_seen: seen == null ? null : { verdict: seen, at: "2026-03-02T11:00:00Z" },
  }) as unknown as Endpoint;
const board = (endpoints: Endpoint[], gap: string | null = null) =>
  ({ endpoints, gap: gap === null ? null : { from: gap, to: null } }) as unknown as BoardThenView;

test("counts what needed attention, limited to a given partner", () => {
  const then = board([one("Procore", "fresh"), one("Procore", "unknown"), one("Aconex", "stale")]);
  expect(companyThen(then, "")).toEqual({ attention: 1, unknown: 1, total: 3, checkedMs: null });
  expect(companyThen(then, "Procore")).toEqual({
    attention: 0,
    unknown: 1,
    total: 2,
    checkedMs: null,
  });
});

test("uses the last check before a gap, with its time", () => {
  const then = board([one("Procore", null, "late")], "2026-03-02T11:00:00Z");
  const checkedMs = Date.parse("2026-03-02T11:00:00Z");
  expect(companyThen(then, "")).toEqual({ attention: 1, unknown: 0, total: 1, checkedMs });
});
