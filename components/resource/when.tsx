"use client";

import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import { absoluteTime, moment } from "@/lib/domain/words/format";

/**
 * "14:02", "Sat 08:44", with the absolute time as its tooltip.
 * @param at ISO 8601; null: shows `none`
 * @param say formats the moment
 */
export function When({
  at,
  none = "",
  say = String,
  className,
}: {
  at: string | null;
  none?: string;
  say?: (moment: string) => string;
  className?: string | undefined;
}) {
  const timeZone = useZone();
  const ms = at === null ? null : Date.parse(at);
  const text = useNow((nowMs) => (ms === null ? none : say(moment(ms, nowMs, timeZone))));
  if (at === null || ms === null) return text;
  return (
    <time dateTime={at} title={absoluteTime(ms, timeZone)} className={className}>
      {text}
    </time>
  );
}
