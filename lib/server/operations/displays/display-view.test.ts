import { expect, test, vi } from "vitest";
import { isTimeZone } from "./display-view";

test("knows zones in any case, and no offsets", () => {
  for (const name of ["Europe/Oslo", "europe/oslo", "Etc/GMT+5", "UTC"])
    expect([name, isTimeZone(name)]).toEqual([name, true]);
  for (const name of ["+01:00", "Europe/Atlantis", "", "1"])
    expect([name, isTimeZone(name)]).toEqual([name, false]);
});

test("asks the runtime once for each zone", () => {
  const format = new Intl.DateTimeFormat();
  const asked = vi.spyOn(Intl, "DateTimeFormat").mockImplementation(function () {
    return format;
  });
  for (let line = 0; line < 900; line += 1) expect(isTimeZone("Asia/Tokyo")).toBe(true);
  expect(asked).toHaveBeenCalledTimes(1);
  asked.mockRestore();
});
