import { afterEach, expect, test, vi } from "vitest";
import type { SharedThen } from "@/lib/contracts/links";
import { drawPicture } from "./draw-picture";

const stored: SharedThen = {
  company_name: "Ærø © 建設 🚀",
  at: "2026-11-21T14:02:00.000Z",
  confidence: "live",
  as_of: "2026-11-21T14:01:30.000Z",
  endpoints: [
    { id: "1", endpoint_key: "日誌_🚧", verdict: "late", age_seconds: 9000, overdue_seconds: 60 },
    {
      id: "2",
      endpoint_key: "x".repeat(200),
      verdict: "stale",
      age_seconds: null,
      overdue_seconds: null,
    },
    { id: "3", endpoint_key: "rfis", verdict: "unknown", age_seconds: null, overdue_seconds: null },
  ],
};

afterEach(() => vi.restoreAllMocks());

test("sends no part of a name to third parties", async () => {
  const fetched = vi.spyOn(globalThis, "fetch");
  const png = Buffer.from(await drawPicture("Прокор ® ™ ❤️", stored));
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  expect(
    fetched.mock.calls
      .map(([input]) => (input instanceof Request ? input.url : input.toString()))
      .filter((url) => /^https?:/.test(url)),
  ).toEqual([]);
});
