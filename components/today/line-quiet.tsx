"use client";

import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import { learnedQuiet, QUIET_LABEL } from "@/lib/domain/learned-week/quiet-text";
import { restedMs, restsOf } from "@/lib/domain/learned-week/rest";
import { instantMs } from "@/lib/domain/time/instant";
import type { LineTimes } from "./line-text";
import { useTodayPage } from "./today-context";

/**
 * Why not all of the time counts as overdue; nothing while all of it does. Default export for `lazyPart`.
 * @param slug whose API dates the line
 */
export default function LineQuiet({
  of: { last_updated_at: landed, overdue_since: due, learned_week: week },
  slug,
}: {
  of: LineTimes;
  slug: string;
}) {
  const timeZone = useZone();
  const { frozenMs, offsets } = useTodayPage();
  const offsetMs = offsets[slug] ?? 0;
  const sinceMs = instantMs(landed) ?? instantMs(due);
  const isCounted = useNow((nowMs) => {
    const apiNowMs = (frozenMs ?? nowMs) + offsetMs;
    return sinceMs === null || restedMs(restsOf(week, apiNowMs), sinceMs, apiNowMs) === 0;
  });
  if (week == null || isCounted) return null;
  return (
    <span className="today-quiet" title={learnedQuiet(week, timeZone)}>
      {QUIET_LABEL}
    </span>
  );
}
