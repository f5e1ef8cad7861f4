import { calledName } from "@/components/marks/on-it";
import type { Expectation } from "@/lib/contracts/quiet";
import { moment } from "@/lib/domain/words/format";

export const PLAN = "Plan a quiet time";
export const EVERYTHING = "All partners";

/** "Procore / daily_logs", "Procore", "All partners" */
export function whatText({ partner_name: partner, endpoint_key: key }: Expectation): string {
  if (partner === null) return EVERYTHING;
  return key === null ? partner : `${partner} / ${key}`;
}

/**
 * "Planned quiet until Mon 06:00: ERP upgrade, Ana"
 * @param apiNowMs on the API's clock, epoch milliseconds
 */
export function quietText(one: Expectation, apiNowMs: number, timeZone: string): string {
  const until = one.quiet?.until ?? null;
  const end = until === null ? "" : ` until ${moment(Date.parse(until), apiNowMs, timeZone)}`;
  return `Planned quiet${end}: ${one.reason}, ${madeBy(one)}`;
}

/** Who planned it: "Ana", "You". */
export function madeBy({ made_by: { name, is_you: isYou } }: Expectation): string {
  return calledName({ name, isYou });
}
