import type { CompanySummary } from "@/lib/contracts/dashboard";
import { confidenceNow } from "@/lib/domain/confidence";
import { needsAttention } from "@/lib/domain/order";
import { instantMs } from "@/lib/domain/time/instant";
import { firstCheckText } from "@/lib/domain/words/first-check";
import { duration, moment } from "@/lib/domain/words/format";
import { companyWords as words } from "./words";

/** Texts of a company's row that change over time; empty without content. */
type CompanyTexts = {
  /** How many needed attention at the last check, and how many were unknown; only while blind. */
  was: string;
  /**
   * When the worst trouble began, and how overdue endpoints are. Empty while blind, because it may
   * be over.
   */
  since: string;
  overdue: string;
  /** Data age; since when while blind. */
  age: string;
  /** The last complete check, in words. */
  checked: string;
};

/** @param nowMs our clock, epoch milliseconds @param timeZone IANA name */
export function companyTexts(
  { source, counts, worst, overdue }: CompanySummary,
  nowMs: number,
  timeZone: string,
): CompanyTexts {
  const lastSuccessMs = instantMs(source.last_success_at);
  if (lastSuccessMs === null) {
    const first =
      source.reason === "starting"
        ? firstCheckText(instantMs(source.next_refresh_at), nowMs, timeZone)
        : null;
    return { was: "", since: "", overdue: "", age: "", checked: first ?? words.noCheck };
  }
  const checkedAt = moment(lastSuccessMs, nowMs, timeZone);
  const checked = words.checked(checkedAt);
  if (confidenceNow(source, nowMs) === "blind")
    return {
      was: words.was(needsAttention(counts), counts.unknown, checkedAt),
      since: "",
      overdue: "",
      age: checkedAt,
      checked,
    };
  const apiNowMs = nowMs + source.api_clock_offset_ms;
  const sinceMs = instantMs(worst?.since ?? null);
  const dueMs = instantMs(overdue.due_at);
  return {
    was: "",
    since: sinceMs === null ? "" : moment(sinceMs, apiNowMs, timeZone),
    overdue: dueMs === null ? "" : words.overdue(overdue.endpoints, duration(apiNowMs - dueMs)),
    age: duration(nowMs - lastSuccessMs),
    checked,
  };
}

export function sameTexts(a: CompanyTexts, b: CompanyTexts): boolean {
  return (
    a.was === b.was &&
    a.since === b.since &&
    a.overdue === b.overdue &&
    a.age === b.age &&
    a.checked === b.checked
  );
}
