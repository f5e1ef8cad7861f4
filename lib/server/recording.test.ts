import pino from "pino";
import { expect, test } from "vitest";
import { createManualClock } from "./manual-clock";
import { createRecording } from "./recording";

const START_MS = Date.parse("2026-03-02T12:00:00Z");

function recording() {
  const clock = createManualClock(START_MS);
  const events: string[] = [];
  const log = pino(
    { level: "info" },
    { write: (line) => void events.push((JSON.parse(line) as { event: string }).event) },
  );
  const disk = { low: false, isLow: () => Promise.resolve(disk.low) };
  const made = createRecording({ clock, log, disk });
  return { clock, events, disk, recording: made };
}

test("stops within five seconds of the disk being full, resumes afterwards, and logs both once", async () => {
  const { clock, events, disk, recording: it } = recording();
  it.start();
  await clock.advance(20_000);
  expect(it.stopped()).toBeNull();
  disk.low = true;
  await clock.advance(5_000);
  const sinceMs = clock.nowMs();
  expect(it.stopped()).toEqual({ reason: "disk_full", sinceMs });
  await clock.advance(60_000);
  expect(it.stopped()).toEqual({ reason: "disk_full", sinceMs });
  disk.low = false;
  await clock.advance(5_000);
  expect(it.stopped()).toBeNull();
  expect(events).toEqual(["recording_stopped", "recording_resumed"]);
  await it.stop();
});

test("reports a database outage before a full disk, and the disk once the database is back", async () => {
  const { clock, events, disk, recording: it } = recording();
  disk.low = true;
  it.start();
  await clock.advance(0);
  it.databaseAnswered("database_away");
  it.databaseAnswered("database_away");
  expect(it.stopped()).toMatchObject({ reason: "database_away" });
  it.databaseAnswered("database_read_only");
  expect(it.stopped()).toMatchObject({ reason: "database_read_only" });
  it.databaseAnswered(null);
  expect(it.stopped()).toMatchObject({ reason: "disk_full" });
  expect(events).toEqual(Array.from({ length: 4 }, () => "recording_stopped"));
  await it.stop();
});

test("reports a company whose checks aren't recorded, from the second on, until one is", async () => {
  const { clock, events, recording: it } = recording();
  const sinceMs = clock.nowMs();
  it.checkRecorded("a", false);
  expect(it.stopped("a")).toBeNull();
  await clock.advance(60_000);
  it.checkRecorded("a", false);
  expect(it.stopped("a")).toEqual({ reason: "write_failed", sinceMs });
  expect(it.stopped()).toEqual({ reason: "write_failed", sinceMs });
  expect(it.stopped("b")).toBeNull();
  it.checkRecorded("a", true);
  expect(it.stopped()).toBeNull();
  expect(events).toEqual(["recording_stopped", "recording_resumed"]);

  // An outage has reasons of its own.
  it.databaseAnswered("database_away");
  it.checkRecorded("a", false);
  it.checkRecorded("a", false);
  it.databaseAnswered(null);
  expect(it.stopped("a")).toBeNull();

  it.checkRecorded("a", false);
  it.checkRecorded("a", false);
  it.checkRecorded("a", null);
  expect(it.stopped()).toBeNull();
  // Nothing is known of its checks by another process.
  expect(events.at(-1)).toBe("recording_stopped");
});
