import { count } from "@/lib/domain/words/format";
import { allowedPerDay, type Allowance } from "./allowance";

/** "3,600 a day", "150 an hour" */
export function allowanceText({ calls, per }: Allowance): string {
  return `${count(calls)} ${per === "hour" ? "an hour" : "a day"}`;
}

/** What it permits in 24 hours: "3,600 a day", "at most 3,600 a day" for 150 an hour. */
export function dailyAllowanceText(allowance: Allowance): string {
  const daily = `${count(allowedPerDay(allowance))} a day`;
  return allowance.per === "hour" ? `at most ${daily}` : daily;
}

/** @param share as `allowanceShare`: "93%", "<1%" */
export function allowanceShareText(share: number): string {
  return share > 0 && share < 1 ? "<1%" : `${count(share)}%`;
}
