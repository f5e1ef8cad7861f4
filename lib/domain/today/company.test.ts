import { expect, test } from "vitest";
import { minutesAgo, NOW_MS, row } from "@/lib/domain/row-fixture";
import { judgeFeeds } from "./company";

test("a failing webhook has no next attempt", () => {
  const failed = row({
    status: "webhook",
    last_sync_status: "failed",
    last_sync_finished_at: minutesAgo(1),
    next_sync_at: minutesAgo(-13),
  });
  const [judged] = judgeFeeds([failed], { atMs: NOW_MS, isFrozen: false }).feeds;
  expect(judged?.feed).toMatchObject({ verdict: "failing", nextMs: null });
});
