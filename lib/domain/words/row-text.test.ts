import { describe, expect, test } from "vitest";
import { NOTHING_KNOWN } from "@/lib/domain/known";
import { NOW_MS, minutesAgo, row } from "@/lib/domain/row-fixture";
import { rowText } from "./row-text";

const LIVE = { confidence: "live", behindMs: 12_000, timeZone: "UTC" } as const;
const NOW = { atMs: NOW_MS, isFrozen: false };

describe("rowText", () => {
  test("shows verdict, age, bar and next sync, but nothing overdue, for a live, fresh endpoint", () => {
    expect(rowText(row({}), NOW, LIVE)).toMatchObject({
      badge: "Fresh",
      age: "20 m",
      barLabel: "20 m of 1 h cadence",
      barPermille: 167,
      overdue: "",
      nextIn: "in 13 m",
      run: "Completed",
      runTook: "1 m 00 s",
    });
  });

  test("never shows a plain fresh while delayed, but adds the time of the data", () => {
    const delayed = { confidence: "delayed", behindMs: 200_000, timeZone: "UTC" } as const;
    expect(rowText(row({}), NOW, delayed).badge).toBe("Fresh 3 m ago");
    const late = row({ last_updated_at: minutesAgo(90) });
    expect(rowText(late, NOW, delayed).badge).toBe("Late");
  });

  test("shows the past verdict and no next sync for a frozen row", () => {
    const blind = { confidence: "blind", behindMs: 1_800_000, timeZone: "UTC" } as const;
    const text = rowText(row({}), { atMs: NOW_MS + 86_400_000, isFrozen: true }, blind);
    expect(text).toMatchObject({ word: "fresh", badge: "was fresh", nextIn: "not known" });
  });

  test("shows age and lateness as two numbers", () => {
    const late = rowText(row({ last_updated_at: minutesAgo(130) }), NOW, LIVE);
    expect(late).toMatchObject({ age: "2 h 10 m", overdue: "1 h 10 m" });
  });

  test("shows a chip beside a fresh badge for a single failure", () => {
    const failed = row({
      last_sync_status: "failed",
      last_sync_started_at: minutesAgo(3),
      last_sync_finished_at: minutesAgo(2),
    });
    expect(rowText(failed, NOW, LIVE)).toMatchObject({ badge: "Fresh", chip: "1 failed" });
  });

  test("has no bar for an endpoint missing from the last check, and says so", () => {
    const lost = row({ known: { ...row({}).known, reported: false } });
    expect(rowText(lost, NOW, LIVE)).toMatchObject({
      badge: "Unknown",
      barPermille: null,
      barNote: "missing from the latest check",
    });
  });

  test("distinguishes data without a time from data of the future", () => {
    const never = row({ last_updated_at: null, next_sync_at: null, last_sync_status: "completed" });
    const future = row({ last_updated_at: minutesAgo(-60) });
    expect(rowText(never, NOW, LIVE).barNote).toBe("no data time");
    expect(rowText(future, NOW, LIVE)).toMatchObject({
      badge: "Unknown",
      barNote: "data dated in the future",
    });
  });

  test("calls nothing overdue that isn’t known, though its next sync was missed", () => {
    const missed = { last_updated_at: null, next_sync_at: minutesAgo(1) };
    expect(rowText(row(missed), NOW, LIVE)).toMatchObject({ word: "unknown", overdue: "" });
  });

  test("says that a learned week makes it less overdue", () => {
    const week = {
      time_zone: "UTC",
      spans: [{ from: "thu 00:00", until: "sat 00:00" }],
      since: minutesAgo(9000),
    };
    const known = { ...row({}).known, learned_week: week };
    const quiet = "learned: quiet on Thu and Fri";
    expect(rowText(row({ last_updated_at: minutesAgo(600), known }), NOW, LIVE)).toMatchObject({
      word: "fresh",
      chip: "",
      quiet,
      cadenceNote: "learned quiet times",
      barLabel: `0 s of 1 h cadence, ${quiet}`,
    });
    const late = rowText(row({ last_updated_at: minutesAgo(900), known }), NOW, LIVE);
    // Its bar reaches to where the note would be.
    expect(late).toMatchObject({ word: "late", quiet, cadenceNote: "" });
    expect(late.barLabel).toContain(quiet);
    expect(rowText(row({ last_updated_at: minutesAgo(600) }), NOW, LIVE).quiet).toBe("");
  });

  test("labels a learned cadence as learned", () => {
    const known = { ...row({}).known, learned_frequency_minutes: 60 };
    const text = rowText(row({ frequency_minutes: null, known }), NOW, LIVE);
    expect(text).toMatchObject({ cadenceNote: "learned", barLabel: "20 m of 1 h learned cadence" });
  });

  test("names the time of a sync that has passed, with the day unless it is today", () => {
    expect(rowText(row({ next_sync_at: minutesAgo(10) }), NOW, LIVE).nextIn).toBe("was due 13:22");
    expect(rowText(row({ next_sync_at: minutesAgo(1440) }), NOW, LIVE).nextIn).toBe("was due Wed");
    const running = row({ next_sync_at: minutesAgo(10), last_sync_status: "in_progress" });
    expect(rowText(running, NOW, LIVE).nextIn).toBe("after this run");
    const gone = row({ known: { ...NOTHING_KNOWN, reported: false } });
    expect(rowText(gone, NOW, LIVE).nextIn).toBe("");
  });

  test("shows no lateness, next sync or bar for a webhook", () => {
    const text = rowText(row({ status: "webhook" }), NOW, LIVE);
    expect(text).toMatchObject({ badge: "Webhook", overdue: "", nextIn: "", barPermille: null });
  });
});
