import { expect, test } from "vitest";
import { EVERYTHING } from "@/lib/domain/delivery/rule-fixture";
import { isQuieter, perDay, quieterThan, type Alerts } from "./quieter";

const LOUD: Alerts = { ...EVERYTHING, only_mine: false };
const ZONE = "Europe/Oslo";

test("suggests one step of each setting that can be quieter", () => {
  expect(quieterThan(LOUD, ZONE)).toMatchObject([
    { after_minutes: 15 },
    { from_verdict: "stale" },
    { only_mine: true },
    { quiet: { from: "22:00", until: "07:00", time_zone: ZONE } },
  ]);
  expect(quieterThan({ ...LOUD, after_minutes: 15, from_verdict: "stale" }, ZONE)).toMatchObject([
    { after_minutes: 60 },
    { from_verdict: "failing" },
    {},
    {},
  ]);
});

test("suggests nothing that is set already", () => {
  const [quiet] = quieterThan(LOUD, ZONE).flatMap((one) => ("quiet" in one ? one.quiet : []));
  expect(
    quieterThan(
      {
        ...LOUD,
        after_minutes: 60,
        from_verdict: "failing",
        only_mine: true,
        quiet: quiet ?? null,
      },
      ZONE,
    ),
  ).toEqual([]);
});

test("finds a change worth it from a fifth fewer messages", () => {
  expect(isQuieter(10, 8)).toBe(true);
  expect(isQuieter(10, 9)).toBe(false);
  expect(isQuieter(0, 0)).toBe(false);
});

test("rounds messages a day to what can be read", () => {
  expect([perDay(7, 30), perDay(180, 30), perDay(1465, 30)]).toEqual([0.2, 6, 49]);
});
