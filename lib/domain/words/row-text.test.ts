import { describe, expect, test } from "vitest";
import { NOW_MS, minutesAgo, row } from "@/lib/domain/row-fixture";
import { rowText } from "./row-text";

const LIVE = { confidence: "live", behindMs: 12_000, timeZone: "UTC" } as const;
const NOW = { atMs: NOW_MS, isFrozen: false };

describe("what a row says", () => {
  test("a live, fresh endpoint: word, age, bar, next sync, and nothing overdue", () => {
    expect(rowText(row({}), NOW, LIVE)).toMatchObject({
      badge: "Fresh",
      age: "20 m",
      barLabel: "20 m of 1 h cadence",
      barPermille: 167,
      overdue: "",
      next: "in 13 m",
      run: "Completed",
      runTook: "1 m 00 s",
    });
  });

  test("a delayed picture never says a plain fresh: it says as of when", () => {
    const delayed = { confidence: "delayed", behindMs: 200_000, timeZone: "UTC" } as const;
    expect(rowText(row({}), NOW, delayed).badge).toBe("Fresh 3 m ago");
    const late = row({ last_updated_at: minutesAgo(90) });
    expect(rowText(late, NOW, delayed).badge).toBe("Late");
  });

  test("a frozen row says what it was and promises no next sync", () => {
    const blind = { confidence: "blind", behindMs: 1_800_000, timeZone: "UTC" } as const;
    const text = rowText(row({}), { atMs: NOW_MS + 86_400_000, isFrozen: true }, blind);
    expect(text).toMatchObject({ word: "fresh", badge: "was fresh", next: "not known" });
  });

  test("age and lateness are two numbers", () => {
    const late = rowText(row({ last_updated_at: minutesAgo(130) }), NOW, LIVE);
    expect(late).toMatchObject({ age: "2 h 10 m", overdue: "1 h 10 m" });
  });

  test("a single failure is a chip beside a fresh badge", () => {
    const failed = row({
      last_sync_status: "failed",
      last_sync_started_at: minutesAgo(3),
      last_sync_finished_at: minutesAgo(2),
    });
    expect(rowText(failed, NOW, LIVE)).toMatchObject({ badge: "Fresh", chip: "1 failed" });
  });

  test("an endpoint that the last check lacked has no bar and says so", () => {
    const lost = row({ known: { ...row({}).known, reported: false } });
    expect(rowText(lost, NOW, LIVE)).toMatchObject({
      badge: "Unknown",
      barPermille: null,
      barNote: "missing from the latest check",
    });
  });

  test("data that never came and data of the future are told apart", () => {
    const never = row({ last_updated_at: null, next_sync_at: null, last_sync_status: "completed" });
    const future = row({ last_updated_at: minutesAgo(-60) });
    expect(rowText(never, NOW, LIVE).barNote).toMatch(/^no data received/);
    expect(rowText(future, NOW, LIVE)).toMatchObject({
      badge: "Unknown",
      barNote: "data dated in the future",
    });
  });

  test("a learned cadence is labelled as ours", () => {
    const known = { ...row({}).known, learned_frequency_minutes: 60 };
    const text = rowText(row({ frequency_minutes: null, known }), NOW, LIVE);
    expect(text).toMatchObject({ cadenceNote: "learned", barLabel: "20 m of 1 h learned cadence" });
  });

  test("a sync that has passed names its moment, and its day when that is not today", () => {
    expect(rowText(row({ next_sync_at: minutesAgo(10) }), NOW, LIVE).next).toBe("due 13:22");
    expect(rowText(row({ next_sync_at: minutesAgo(1440) }), NOW, LIVE).next).toBe("due Wed 13:32");
    const running = row({ next_sync_at: minutesAgo(10), last_sync_status: "in_progress" });
    expect(rowText(running, NOW, LIVE).next).toBe("after this run");
  });

  test("a webhook has no overdue, no next sync and no bar", () => {
    const text = rowText(row({ status: "webhook" }), NOW, LIVE);
    expect(text).toMatchObject({ badge: "Webhook", overdue: "", next: "", barPermille: null });
  });
});
