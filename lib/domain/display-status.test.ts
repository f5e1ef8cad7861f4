import { describe, expect, test } from "vitest";
import {
  displayStatus,
  CONNECTED_FOR_MS,
  displayRefusal,
  displayStatusClause,
  endsText,
  needsALook,
  SILENT_AFTER_MS,
  type DisplayFacts,
} from "./display-status";
import { MINUTE_MS } from "@/lib/domain/time/units";

const NOW_MS = Date.UTC(2026, 10, 19, 13, 32, 7);
const WHEN = { nowMs: NOW_MS, timeZone: "Europe/Oslo" };

const facts = (changes: Partial<DisplayFacts> = {}): DisplayFacts => ({
  revokedMs: null,
  expiresMs: null,
  waitingSinceMs: null,
  lastSeenMs: NOW_MS - 20_000,
  lastPaintMs: NOW_MS - 40_000,
  snapshotAgeSeconds: 30,
  ...changes,
});
const clause = (changes: Partial<DisplayFacts>) =>
  displayStatusClause(displayStatus(facts(changes), NOW_MS), WHEN);

describe("displayStatus", () => {
  test('shows "showing" for a screen that painted recently', () => {
    expect(displayStatus(facts(), NOW_MS)).toEqual({ kind: "showing" });
    expect(displayStatus(facts({ lastPaintMs: NOW_MS - SILENT_AFTER_MS }), NOW_MS).kind).toBe(
      "showing",
    );
  });

  test("claims current data for at most 90 seconds after a screen was closed", () => {
    const closedAgoMs = (ms: number) =>
      displayStatus(facts({ lastPaintMs: NOW_MS - ms, lastSeenMs: NOW_MS - ms }), NOW_MS);
    expect(CONNECTED_FOR_MS).toBe(90_000);
    expect(closedAgoMs(CONNECTED_FOR_MS).kind).toBe("showing");
    const sinceMs = NOW_MS - CONNECTED_FOR_MS - 1;
    expect(closedAgoMs(CONNECTED_FOR_MS + 1)).toEqual({ kind: "quiet", sinceMs });
    expect(closedAgoMs(SILENT_AFTER_MS).kind).toBe("quiet");
    expect(closedAgoMs(SILENT_AFTER_MS + 1)).toMatchObject({ kind: "silent", asks: false });
    const seenOnly = facts({ lastPaintMs: NOW_MS - 100_000, lastSeenMs: null });
    expect(displayStatus(seenOnly, NOW_MS).kind).toBe("quiet");
  });

  test("counts a screen as silent since its last paint after three minutes without one", () => {
    const lastPaintMs = NOW_MS - SILENT_AFTER_MS - 1;
    expect(displayStatus(facts({ lastPaintMs }), NOW_MS)).toEqual({
      kind: "silent",
      sinceMs: lastPaintMs,
      asks: true,
    });
  });

  test("reports an unknown state for a screen that never reports paints, until it is silent too", () => {
    expect(displayStatus(facts({ lastPaintMs: null }), NOW_MS)).toEqual({ kind: "unreported" });
    const lastSeenMs = NOW_MS - SILENT_AFTER_MS - 1;
    expect(displayStatus(facts({ lastSeenMs, lastPaintMs: null }), NOW_MS)).toEqual({
      kind: "silent",
      sinceMs: null,
      asks: false,
    });
  });

  test("separates a screen that never connected after pairing from silent and showing", () => {
    const status = displayStatus(facts({ lastSeenMs: null, lastPaintMs: null }), NOW_MS);
    expect(status).toEqual({ kind: "never" });
  });

  test("gives a newly paired screen time to connect before it needs attention", () => {
    const paired = (agoMs: number) =>
      facts({ lastSeenMs: null, lastPaintMs: null, waitingSinceMs: NOW_MS - agoMs });
    const status = displayStatus(paired(1_000), NOW_MS);
    expect(status).toEqual({ kind: "waiting" });
    expect(needsALook(status)).toBe(false);
    expect(displayStatus(paired(CONNECTED_FOR_MS), NOW_MS).kind).toBe("waiting");
    expect(displayStatus(paired(CONNECTED_FOR_MS + 1), NOW_MS).kind).toBe("never");
  });

  test("doesn't call a screen showing if it painted old data", () => {
    expect(displayStatus(facts({ snapshotAgeSeconds: 151 }), NOW_MS)).toEqual({
      kind: "behind",
      ageMs: 151_000,
    });
    expect(displayStatus(facts({ snapshotAgeSeconds: null }), NOW_MS).kind).toBe("showing");
  });

  test("puts revocation before expiry, and both before any report", () => {
    const [revokedMs, expiresMs] = [NOW_MS - MINUTE_MS, NOW_MS - 2 * MINUTE_MS];
    expect(displayStatus(facts({ expiresMs }), NOW_MS)).toEqual({
      kind: "ended",
      sinceMs: expiresMs,
    });
    expect(displayStatus(facts({ revokedMs, expiresMs }), NOW_MS)).toEqual({
      kind: "revoked",
      sinceMs: revokedMs,
    });
    expect(displayStatus(facts({ expiresMs: NOW_MS }), NOW_MS).kind).toBe("ended");
    expect(displayStatus(facts({ expiresMs: NOW_MS + 1 }), NOW_MS).kind).toBe("showing");
  });

  test("requires attention only for screens that should show data and don't", () => {
    const kinds = (
      ["revoked", "ended", "never", "unreported", "quiet", "silent", "behind", "showing"] as const
    ).filter((kind) => needsALook({ kind, sinceMs: 0, asks: false, ageMs: 0 }));
    expect(kinds).toEqual(["never", "silent"]);
  });
});

describe("displayStatusClause", () => {
  test("says since when nothing new was shown, in the reader's time zone", () => {
    const lastPaintMs = Date.UTC(2026, 10, 19, 8, 12);
    expect(clause({ lastPaintMs, lastSeenMs: lastPaintMs })).toBe(
      "has shown nothing new since 09:12",
    );
    expect(clause({ lastPaintMs: lastPaintMs - 86_400_000, lastSeenMs: null })).toBe(
      "has shown nothing new since Wed 18 Nov, 09:12",
    );
  });

  test("distinguishes a screen that requests but doesn't paint from one that is gone", () => {
    const lastPaintMs = NOW_MS - 10 * MINUTE_MS;
    expect(clause({ lastPaintMs })).toBe("has shown nothing new since 14:22, still connected");
    expect(clause({ lastPaintMs, lastSeenMs: lastPaintMs })).toBe(
      "has shown nothing new since 14:22",
    );
  });

  test("distinguishes a screen that never reported from one that is gone", () => {
    expect(clause({ lastPaintMs: null })).toBe(
      "is connected; a plain wall doesn’t report what it shows",
    );
    expect(clause({ lastPaintMs: null, lastSeenMs: NOW_MS - 10 * MINUTE_MS })).toBe(
      "has shown nothing yet",
    );
  });

  test("describes the other states", () => {
    expect(clause({})).toBe("shows current data");
    expect(clause({ snapshotAgeSeconds: 400 })).toBe("shows data that was 6 m old");
    expect(clause({ lastSeenMs: null, lastPaintMs: null })).toBe(
      "hasn’t connected since it was paired",
    );
    expect(clause({ lastPaintMs: NOW_MS - 100_000, lastSeenMs: NOW_MS - 100_000 })).toBe(
      "hasn’t connected since 14:30",
    );
    expect(clause({ revokedMs: NOW_MS - 5 * MINUTE_MS })).toBe("was unpaired at 14:27");
    expect(clause({ expiresMs: NOW_MS - 86_400_000 })).toBe("ended on Wed 18 Nov at 14:32");
  });
});

describe("endsText", () => {
  test("names an end within two weeks and no later one", () => {
    expect(endsText(facts({ expiresMs: NOW_MS + MINUTE_MS }), WHEN)).toBe("ends at 14:33");
    expect(endsText(facts({ expiresMs: NOW_MS + 13 * 86_400_000 }), WHEN)).toBe(
      "ends on Wed 2 Dec at 14:32",
    );
    expect(endsText(facts({ expiresMs: NOW_MS + 30 * 86_400_000 }), WHEN)).toBe("ends 19 Dec 2026");
    expect(endsText(facts({ expiresMs: NOW_MS - 1 }), WHEN)).toBe("");
    expect(endsText(facts(), WHEN)).toBe("");
    expect(endsText(facts({ revokedMs: NOW_MS, expiresMs: NOW_MS + 1 }), WHEN)).toBe("");
  });
});

test("says in a refusal what to do about it", () => {
  expect(displayRefusal(429, 90)).toBe("Too many attempts. Try again in 2 m.");
  expect(displayRefusal(429, null)).toBe("Too many attempts. Try again later.");
  expect(displayRefusal(0, null)).toBe(
    "No response. Your request may have gone through: check the list and the display.",
  );
  expect(displayRefusal(404, null)).toBe(displayRefusal(409, null));
});
