import { expect, test } from "vitest";
import { DAY_MS } from "@/lib/domain/time/units";
import { restsAt } from "./token-rest";

test("rests thirty days after the last sign-in or its creation, for accounts of the provider", () => {
  const createdMs = 100 * DAY_MS;
  const at = (signedInMs: number | null) =>
    restsAt({ isFromProvider: true, createdMs, signedInMs });
  expect(at(null)).toBe(130 * DAY_MS);
  expect(at(90 * DAY_MS)).toBe(130 * DAY_MS);
  expect(at(120 * DAY_MS)).toBe(150 * DAY_MS);
  expect(restsAt({ isFromProvider: false, createdMs, signedInMs: null })).toBe(null);
});
