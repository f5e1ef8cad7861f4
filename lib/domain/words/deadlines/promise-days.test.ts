import { expect, test } from "vitest";
import { WEEKDAYS } from "@/lib/domain/time/weekdays";
import { daysText, promisedText } from "./promise-days";

test("days are named as people name them", () => {
  const by = "07:00";
  expect(promisedText({ by, days: ["mon", "tue", "wed", "thu", "fri"] })).toBe(
    "by 07:00 on workdays",
  );
  expect(daysText({ by, days: [...WEEKDAYS] })).toBe("every day");
  expect(daysText({ by, days: ["sat", "sun"] })).toBe("at weekends");
  expect(promisedText({ by, days: [] })).toBe("by 07:00");
  expect(daysText({ by, days: ["mon"] })).toBe("on Mondays");
  expect(daysText({ by, days: ["fri", "mon", "wed"] })).toBe("on Mon, Wed and Fri");
  expect(daysText({ by, days: null, month_days: [1, 22, "last_workday"] })).toBe(
    "on the 1st, 22nd and last workday of the month",
  );
  expect(daysText({ by, month_days: ["last"] })).toBe("on the last day of the month");
});
