import { afterEach, expect, test, vi } from "vitest";
import type { SharedPast } from "@/lib/contracts/shared-page";
import { renderPicture } from "./render-picture";

const SHARED_MS = Date.UTC(2026, 10, 21, 14, 2);
const past: SharedPast = {
  atMs: SHARED_MS,
  sharedMs: SHARED_MS,
  asOfMs: SHARED_MS - 30_000,
  confidence: "live",
  incident: null,
  endpoints: [
    {
      id: "1",
      endpointKey: "日誌_🚧",
      word: "late",
      ageMs: 9_000_000,
      latenessMs: 60_000,
      cadenceMs: null,
      countedAgeMs: null,
      quiet: "",
    },
    {
      id: "2",
      endpointKey: "x".repeat(200),
      word: "stale",
      ageMs: null,
      latenessMs: null,
      cadenceMs: null,
      countedAgeMs: null,
      quiet: "",
    },
    {
      id: "3",
      endpointKey: "rfis",
      word: "unknown",
      ageMs: null,
      latenessMs: null,
      cadenceMs: null,
      countedAgeMs: null,
      quiet: "",
    },
  ],
};

afterEach(() => vi.restoreAllMocks());

test("sends no part of a name to third parties", async () => {
  const fetched = vi.spyOn(globalThis, "fetch");
  const shared = { partnerName: "Прокор ® ™ ❤️", companyName: "Ærø © 建設 🚀", past, total: 3 };
  const png = Buffer.from(await renderPicture(shared));
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  expect(
    fetched.mock.calls
      .map(([input]) => (input instanceof Request ? input.url : input.toString()))
      .filter((url) => /^https?:/.test(url)),
  ).toEqual([]);
});
