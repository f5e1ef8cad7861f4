"use client";

import { useState, type ReactNode } from "react";
import { useZone } from "@/components/shell/time/zone";
import { ApiError } from "@/lib/client/api";
import { useNow } from "@/lib/client/use-now";
import { instantMs } from "@/lib/domain/time/instant";
import { moment } from "@/lib/domain/words/format";
import { PREVIOUS_DATA, keptText as previousDataText } from "./words";

/**
 * The response of a query or, while it loads, the previous one for the same subject, so that a page
 * neither empties nor jumps.
 * @param subject what it is about, whatever its range or page: nothing is shown under another's
 *   name
 * @returns `refused`: the server's sentence about what it won't load; null: none
 */
export function usePreviousData<Answer extends object>(
  subject: string,
  { data, isError, error }: { data: Answer | undefined; isError: boolean; error: Error | null },
): { data: Answer | undefined; isPrevious: boolean; isError: boolean; refused: string | null } {
  const [last, setLast] = useState<{ subject: string; data: Answer } | null>(null);
  if (data !== undefined && (last?.data !== data || last.subject !== subject))
    setLast({ subject, data });
  const kept = data ?? (last?.subject === subject ? last.data : undefined);
  return {
    data: kept,
    isPrevious: data === undefined && kept !== undefined,
    isError,
    refused: refusalIn(error),
  };
}

/** Codes of responses that stay the same when requested again. */
const REFUSALS: ReadonlySet<string> = new Set(["invalid_request", "not_found"]);

function refusalIn(error: Error | null): string | null {
  return error instanceof ApiError && REFUSALS.has(error.code ?? "") ? error.description : null;
}

/**
 * Content, dimmed and dated while it isn't the requested one.
 * @param requested what is loading, such as "past 7 days"; `shown`: what is drawn; empty: other rows of
 *   the same list
 * @param refused why it can't be loaded; null: it can
 * @param asOf ISO 8601: date of the content; null: unknown
 */
export function PreviousData({
  isPrevious,
  isError,
  refused = null,
  requested = "",
  shown = "",
  asOf = null,
  children,
}: {
  isPrevious: boolean;
  isError: boolean;
  refused?: string | null;
  requested?: string;
  shown?: string;
  asOf?: string | null;
  children: ReactNode;
}) {
  const timeZone = useZone();
  const asOfMs = instantMs(asOf);
  const when = useNow((nowMs) => (asOfMs === null ? "" : moment(asOfMs, nowMs, timeZone)));
  return (
    <div className="relative" aria-busy={isPrevious}>
      {isPrevious ? (
        <p
          role="status"
          className="absolute top-0 right-0 z-1 max-w-full border border-control bg-surface px-2 py-[3px] text-xs text-ink"
        >
          {refused ?? (isError ? PREVIOUS_DATA.silent : previousDataText(requested, shown, when))}
        </p>
      ) : null}
      <div className={isPrevious ? "opacity-45" : undefined}>{children}</div>
    </div>
  );
}
