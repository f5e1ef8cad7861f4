import { expect, test } from "vitest";
import { learnedWeekText, type WeekKnown } from "./learned-week-text";

const WEEK = {
  time_zone: "Europe/Oslo",
  spans: [{ from: "sat 00:00", until: "mon 00:00" }],
  since: "2026-10-12T00:00:00Z",
};
const NEWER = { ...WEEK, since: "2026-11-12T00:00:00Z" };
const text = (known: Partial<WeekKnown>) =>
  learnedWeekText(
    { applied: null, isOn: true, inForce: null, appliedAtSwitch: undefined, ...known },
    "12 Oct",
  );

test("says which week is applied, also before it is known whether it is on", () => {
  const applied =
    "Learned: quiet on Sat and Sun, Oslo time. In force since 12 Oct. This time doesn’t count as overdue.";
  expect(text({ applied: WEEK, inForce: WEEK })).toBe(applied);
  expect(text({ applied: WEEK, isOn: null })).toBe(applied);
});

test("says nothing where no week was learned", () => {
  expect(text({})).toBeNull();
  expect(text({ isOn: null })).toBeNull();
});

test("says that it is off, and after it was switched on when it is learned", () => {
  for (const applied of [WEEK, null])
    expect(text({ applied, isOn: false })).toBe("Switched off: data is expected at all times.");
  // Its row has the former week until the next check.
  for (const applied of [WEEK, null])
    expect(text({ applied, appliedAtSwitch: WEEK })).toBe("On: learned within a day.");
  expect(text({ appliedAtSwitch: null })).toBe("On: learned within a day.");
  expect(text({ applied: NEWER, appliedAtSwitch: WEEK })).toContain("In force since");
  expect(text({ applied: NEWER, appliedAtSwitch: null })).toContain("In force since");
});

test("says of a week in force that isn't applied that all time counts", () => {
  expect(text({ inForce: WEEK })).toBe(
    "Learned: quiet on Sat and Sun, Oslo time. Not applied now, for example because data of a missed promise is awaited: all time counts.",
  );
});
