import { describe, expect, it } from "vitest";
import { PORTRAIT_TILES_U, portraitTilesU, rowCapacity, wallSpace } from "./space";

describe("wallSpace", () => {
  it("is equal in 1080p, in 2160p and on the server", () => {
    const expected = { shape: "landscape", widthU: 1600 / 9, heightU: 100 };
    expect(wallSpace("auto", null)).toEqual(expected);
    for (const widthPx of [1920, 3840]) {
      const space = wallSpace("auto", { widthPx, heightPx: (widthPx * 9) / 16 });
      expect(space.shape).toBe("landscape");
      expect(space.widthU).toBeCloseTo(expected.widthU);
      expect(space.heightU).toBeCloseTo(expected.heightU);
    }
  });

  it("is portrait on a portrait screen, and wherever it is configured", () => {
    expect(wallSpace("auto", { widthPx: 1080, heightPx: 1920 }).shape).toBe("portrait");
    expect(wallSpace("portrait", null).shape).toBe("portrait");
    expect(wallSpace("portrait", { widthPx: 1920, heightPx: 1080 }).shape).toBe("portrait");
    expect(wallSpace("landscape", { widthPx: 1080, heightPx: 1920 }).shape).toBe("landscape");
  });

  it("has more space on screens of other proportions, never less", () => {
    expect(wallSpace("auto", { widthPx: 2560, heightPx: 1080 }).widthU).toBeGreaterThan(200);
    expect(wallSpace("auto", { widthPx: 1024, heightPx: 768 }).heightU).toBeGreaterThan(130);
  });

  it("treats a screen without a size as unknown", () => {
    expect(wallSpace("auto", { widthPx: 0, heightPx: 0 })).toEqual(wallSpace("auto", null));
  });
});

describe("rowCapacity", () => {
  it("is six, and less with a band or company names", () => {
    const landscape = wallSpace("auto", null);
    const portrait = wallSpace("portrait", null);
    const given = { hasBand: false, hasMore: true, isNamed: false };
    expect(rowCapacity(landscape, given)).toBe(6);
    expect(rowCapacity(portrait, given)).toBe(6);
    expect(rowCapacity(landscape, { ...given, isNamed: true })).toBe(6);
    expect(rowCapacity(portrait, { ...given, isNamed: true })).toBe(5);
    expect(rowCapacity(landscape, { ...given, hasBand: true })).toBe(5);
  });

  it("grows by the space that few tiles leave in portrait", () => {
    const portrait = wallSpace("portrait", null);
    const given = { hasBand: false, hasMore: true, isNamed: true };
    expect(rowCapacity(portrait, { ...given, tilesU: portraitTilesU(1, false) })).toBe(6);
    expect(portraitTilesU(3, false)).toBe(PORTRAIT_TILES_U);
    expect(portraitTilesU(2, true)).toBe(PORTRAIT_TILES_U);
  });
});
