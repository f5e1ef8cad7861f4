import { dueBarFraction } from "@/lib/domain/bar-geometry";
import { countedMs, restsOf } from "@/lib/domain/learned-week/rest";
import { instantMs } from "@/lib/domain/time/instant";
import type { TodayMember } from "@/lib/domain/today/lines";
import { duration, moment } from "@/lib/domain/words/format";
import { nextTexts, type NextTexts } from "@/lib/domain/words/next-sync-text";
import { lineWords as words } from "./words";

/** Texts and lengths of a line at one instant; flat, so that two of them compare cheaply. */
export type LineText = NextTexts & {
  age: string;
  barPermille: number | null;
  barOverflows: boolean;
  barLabel: string;
  overdue: string;
};

/** What the times of a line depend on. */
export type LineTimes = Pick<
  TodayMember,
  "last_updated_at" | "overdue_since" | "next_sync_at" | "learned_week"
>;

/** When a page is read. */
export type Reading = {
  /** Epoch milliseconds on the API's clock. */
  apiNowMs: number;
  timeZone: string;
  /** Verdicts are those of an earlier instant, and nothing is known of the next syncs. */
  isFrozen: boolean;
};

/** The texts of a line, or of one of its members. */
export function lineText(
  {
    last_updated_at: landed,
    overdue_since: due,
    next_sync_at: next,
    learned_week: week,
  }: LineTimes,
  { apiNowMs, timeZone, isFrozen }: Reading,
): LineText {
  const landedMs = instantMs(landed);
  const dueMs = instantMs(due);
  const nextMs = isFrozen ? null : instantMs(next);
  const ageMs = landedMs === null ? null : apiNowMs - landedMs;
  const age = ageMs === null ? "" : duration(ageMs);
  const rests = restsOf(week, apiNowMs);
  const countedAgeMs = landedMs === null ? null : countedMs(rests, landedMs, apiNowMs);
  const spanMs = landedMs === null || dueMs === null ? null : countedMs(rests, landedMs, dueMs);
  const bar = dueBarFraction(countedAgeMs, spanMs);
  return {
    age,
    barPermille: bar === null ? null : Math.round(bar.fraction * 1000),
    barOverflows: bar?.overflow ?? false,
    barLabel: dueMs === null ? "" : words.barLabel(age, moment(dueMs, apiNowMs, timeZone)),
    overdue: dueMs === null ? "" : duration(countedMs(rests, dueMs, apiNowMs)),
    ...nextTexts(nextMs, apiNowMs, timeZone),
  };
}

/** Whether both render alike. */
export const sameLineText = (a: LineText, b: LineText) =>
  (Object.keys(a) as (keyof LineText)[]).every((key) => a[key] === b[key]);
