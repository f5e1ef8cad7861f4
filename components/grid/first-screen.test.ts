import { expect, it } from "vitest";
import { endpoint, overdue, view } from "@/components/wall/wall-fixture";
import { NOW_MS, minutesAgo } from "@/lib/domain/row-fixture";
import { loadBoardState } from "./board-url";
import { firstScreen } from "./first-screen";

const STATE = loadBoardState({});

it("marks its counts as past while blind, so that no title presents them as current", () => {
  const rows = [endpoint("Procore", "rfis"), endpoint("Procore", "daily_logs", overdue(70))];
  const of = (given: Parameters<typeof view>[1]) =>
    firstScreen(view(rows, given), STATE, NOW_MS).isFrozen;
  expect(of({})).toBe(false);
  expect(of({ confidence: "delayed", last_success_at: minutesAgo(3) })).toBe(false);
  expect(of({ confidence: "blind", last_success_at: minutesAgo(30) })).toBe(true);
});
