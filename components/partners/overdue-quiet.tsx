"use client";

import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import { learnedQuiet, QUIET_LABEL } from "@/lib/domain/learned-week/quiet-text";
import { countedMs, restedMs, restsOf } from "@/lib/domain/learned-week/rest";
import type { LearnedWeekFacts } from "@/lib/domain/sync";
import { duration } from "@/lib/domain/words/format";
import { usePartnerHere } from "./partner-here";

/**
 * How overdue a feed with a learned week is, or why not all of the time counts: nothing while all of it does. Default
 * export for `lazyPart`.
 * @param given.dueMs when its data was due, epoch milliseconds on the API's clock; null: it isn't overdue
 * @param given.offsetMs the API's clock minus ours
 */
export default function OverdueQuiet({
  part,
  dueMs,
  week,
  offsetMs,
}: {
  part: "time" | "why";
  dueMs: number | null;
  week: LearnedWeekFacts;
  offsetMs: number;
}) {
  const timeZone = useZone();
  const { frozenMs } = usePartnerHere();
  const text = useNow((nowMs) => {
    const apiNowMs = (frozenMs ?? nowMs) + offsetMs;
    const rests = restsOf(week, apiNowMs);
    if (dueMs === null) return "";
    if (part === "time") return duration(countedMs(rests, dueMs, apiNowMs));
    return restedMs(rests, dueMs, apiNowMs) === 0 ? "" : learnedQuiet(week, timeZone);
  });
  if (part === "time" || text === "") return text;
  return (
    <span className="ml-2 text-2xs text-ink-3" title={text}>
      {QUIET_LABEL}
    </span>
  );
}
