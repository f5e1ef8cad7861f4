import { expect, test } from "vitest";
import { allowanceShareText, allowanceText, dailyAllowanceText } from "./allowance-text";

test("writes allowances as they were entered, and for a day", () => {
  expect(allowanceText({ calls: 3600, per: "day" })).toBe("3,600 a day");
  expect(allowanceText({ calls: 150, per: "hour" })).toBe("150 an hour");
  expect(dailyAllowanceText({ calls: 3600, per: "day" })).toBe("3,600 a day");
  expect(dailyAllowanceText({ calls: 150, per: "hour" })).toBe("at most 3,600 a day");
});

test("writes shares, without hiding few calls", () => {
  expect([0, 0.5, 93, 1250].map(allowanceShareText)).toEqual(["0%", "<1%", "93%", "1,250%"]);
});
