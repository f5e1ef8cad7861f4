import { afterEach, describe, expect, test, vi } from "vitest";
import { confidence } from "@/lib/domain/confidence";
import { FIRST_MS, snapshotFixture, wallFirstFixture } from "./fixture";
import { createPaintWatch, shareOf, storedNowMs } from "./page";
import { HOUR_MS } from "@/lib/domain/time/units";

describe("storedNowMs", () => {
  test("is the screen's own clock if that has advanced", () => {
    const deviceMs = FIRST_MS + HOUR_MS;
    expect(storedNowMs(wallFirstFixture(), deviceMs)).toBe(deviceMs);
  });

  test.each([
    ["stood still with the machine", FIRST_MS],
    ["was set back", FIRST_MS - 40 * 24 * HOUR_MS],
    ["started at the epoch", 0],
  ])("makes the picture blind even if the screen's clock %s", (_name, deviceMs) => {
    const nowMs = storedNowMs(wallFirstFixture(), deviceMs);
    expect(confidence(FIRST_MS, nowMs, 60)).toBe("blind");
    expect(nowMs - FIRST_MS).toBeLessThan(HOUR_MS);
  });

  test("is never moved beyond reason by stored data", () => {
    const view = snapshotFixture(FIRST_MS);
    const odd = { ...view, as_of: "yesterday" };
    const first = wallFirstFixture({
      companies: [
        { slug: "a", name: "A", view: null },
        { slug: "b", name: "B", view: odd },
      ],
    });
    expect(storedNowMs(first, FIRST_MS + 5)).toBe(FIRST_MS + 5);
  });
});

describe("shareOf", () => {
  test("is the same for all pages of one display, and differs between displays", () => {
    expect(shareOf("8a3f0c62-1c0f-4e0e-9a52-0d1f2a3b4c5d")).toBe(
      shareOf("8a3f0c62-1c0f-4e0e-9a52-0d1f2a3b4c5d"),
    );
    const shares = Array.from({ length: 200 }, (_, index) => shareOf(`display ${index}`));
    const fifths = new Set(shares.map((share) => Math.floor(share * 5)));
    expect(fifths.size).toBe(5);
    for (const share of shares) {
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThan(1);
    }
  });
});

describe("createPaintWatch", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  /** A browser that paints a frame on command. */
  function watch() {
    const frames: (() => void)[] = [];
    vi.stubGlobal("requestAnimationFrame", (run: () => void) => frames.push(run));
    const painted: string[] = [];
    const drew = createPaintWatch<string>((drawn) => painted.push(drawn));
    return { frames, painted, drew, paint: () => frames.shift()?.() };
  }

  test("reports, after a frame, the newest data drawn before it", async () => {
    const { painted, drew, paint, frames } = watch();
    drew("one");
    drew("two");
    expect(frames).toHaveLength(1);
    paint();
    expect(painted).toEqual([]);
    await expect.poll(() => painted).toEqual(["two"]);
    expect(frames).toHaveLength(0);
  });

  test("reports each frame on a screen that draws faster than it paints", async () => {
    const { painted, drew, paint, frames } = watch();
    drew("one");
    paint();
    // Before the report of that frame arrives.
    drew("two");
    drew("three");
    await expect.poll(() => painted).toEqual(["one"]);
    expect(frames).toHaveLength(1);
    paint();
    await expect.poll(() => painted).toEqual(["one", "three"]);
  });

  test("waits for a single frame on a page that is never painted, even for months", () => {
    const { painted, drew, frames } = watch();
    for (let drawn = 0; drawn < 50_000; drawn++) drew(String(drawn));
    expect(frames).toHaveLength(1);
    expect(painted).toEqual([]);
  });
});
