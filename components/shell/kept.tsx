"use client";

import { useState, type ReactNode } from "react";
import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import { instantMs } from "@/lib/domain/time/instant";
import { moment } from "@/lib/domain/words/format";
import { KEPT, keptText } from "./words";
import "./kept.css";

/**
 * What a query answers now; until it does, what it answered last about the same thing, so that a page neither
 * empties nor jumps.
 * @param subject what it is about, whatever its range or page: nothing is shown under another's name
 */
export function useKept<Answer extends object>(
  subject: string,
  { data, isError }: { data: Answer | undefined; isError: boolean },
): { data: Answer | undefined; isKept: boolean; isError: boolean } {
  const [last, setLast] = useState<{ subject: string; data: Answer } | null>(null);
  if (data !== undefined && (last?.data !== data || last.subject !== subject))
    setLast({ subject, data });
  const kept = data ?? (last?.subject === subject ? last.data : undefined);
  return { data: kept, isKept: data === undefined && kept !== undefined, isError };
}

/**
 * What is drawn, dimmed and with its age while it is not what was asked for.
 * @param asked what is on its way, such as "past 7 days"; `shown`: what is drawn; empty: other rows of the same list
 * @param asOf ISO 8601: when that was so; null: not known
 */
export function Kept({
  isKept,
  isError,
  asked = "",
  shown = "",
  asOf = null,
  children,
}: {
  isKept: boolean;
  isError: boolean;
  asked?: string;
  shown?: string;
  asOf?: string | null;
  children: ReactNode;
}) {
  const timeZone = useZone();
  const asOfMs = instantMs(asOf);
  const when = useNow((nowMs) => (asOfMs === null ? "" : moment(asOfMs, nowMs, timeZone)));
  return (
    <div className="kept" aria-busy={isKept}>
      {isKept ? (
        <p role="status" className="kept-note">
          {isError ? KEPT.silent : keptText(asked, shown, when)}
        </p>
      ) : null}
      <div className="kept-picture">{children}</div>
    </div>
  );
}
