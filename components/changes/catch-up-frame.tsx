"use client";

import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import { Chevron } from "@/components/marks/chevron";
import { ShareCompanyPage, ShareFleetPage } from "@/components/drill-down/share/share-page";
import { DateInput } from "@/components/shell/time/date-input";
import { useZone } from "@/components/shell/time/zone";
import { FILTER_CONTROL, FilterLabel } from "@/components/ui/filter-select";
import { Link } from "@/components/ui/link";
import { Segmented } from "@/components/ui/segmented";
import { statusOf } from "@/lib/client/api";
import { useNow, useServerClock } from "@/lib/client/use-now";
import { localTimeMs } from "@/lib/domain/time/day";
import { moment } from "@/lib/domain/words/format";
import { dayAndTime } from "@/lib/domain/words/shared-words";
import { fieldOf, momentOf, SINCES, sinceText, type Since } from "./since";
import type { CatchUp } from "./use-catch-up";
import {
  LOADING,
  pickWords,
  REFUSED,
  SINCE_LABEL,
  sinceLooked,
  sinceMoment,
  sinceNever,
  WHAT_CHANGED,
  NOT_LOADED,
} from "./words";

/** Whether what this replaces was opened on request, or had the focus. */
export type AtFirst = { isOpenAtFirst: boolean; takesFocus: boolean };

/**
 * The summary line of changes, and what it expands to: the start, a link to it, and the list.
 * @param said the changes in short; null: not known yet, or `error` has the reason
 */
export function CatchUpFrame({
  catchUp,
  board = null,
  atFirst: { isOpenAtFirst, takesFocus },
  said,
  error,
  children,
}: {
  catchUp: CatchUp;
  atFirst: AtFirst;
  /** Path of the overview that can be shown at that time; null: none. */
  board?: string | null;
  said: string | null;
  error: unknown;
  children: ReactNode;
}) {
  const panel = useId();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) button.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const since = useSinceText(catchUp);
  const failed = error !== null || catchUp.hasFailed;
  return (
    <section aria-label={WHAT_CHANGED}>
      <button
        ref={button}
        type="button"
        className="catch-up-line"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panel : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Chevron isOpen={isOpen} className="shrink-0" />
        <span>
          {said !== null ? (
            <>
              {since}: <b className="font-medium text-ink">{said}</b>
            </>
          ) : failed ? (
            statusOf(error) === 400 ? (
              REFUSED
            ) : (
              NOT_LOADED
            )
          ) : (
            <span className="text-ink-3">{LOADING}</span>
          )}
        </span>
      </button>
      {isOpen ? (
        <div id={panel}>
          <Tools catchUp={catchUp} board={board} said={said} />
          {children}
        </div>
      ) : null}
    </section>
  );
}

function useSinceText({ addressMs, lastLook }: CatchUp): string {
  const timeZone = useZone();
  const sinceMs = addressMs ?? Date.parse(lastLook?.since ?? "");
  const when = useNow((nowMs) => moment(sinceMs, nowMs, timeZone));
  if (addressMs !== null) return sinceMoment(when);
  return lastLook?.looked_at === null ? sinceNever : sinceLooked(when);
}

/** The start, and a link to it. */
function Tools({
  catchUp: { since, lastLook, addressMs, ask },
  board,
  said,
}: {
  catchUp: CatchUp;
  board: string | null;
  said: string | null;
}) {
  const clock = useServerClock();
  const timeZone = useZone();
  const [picked, setPicked] = useState<Since>(addressMs === null ? "looked" : "other");
  const shownMs = Date.parse(since ?? "");
  const pick = (next: Since) => {
    setPicked(next);
    if (next === "looked") return ask(null);
    const nowMs = clock.nowMs();
    const beforeMs = Number.isNaN(shownMs) ? nowMs : shownMs;
    ask(momentOf(next, { nowMs, beforeMs, timeZone }));
  };
  // A person who never looked sees the past day.
  const isFirstLook = lastLook?.looked_at === null;
  // Changes are those of the page's company, or of all.
  const Share = board === null ? ShareFleetPage : ShareCompanyPage;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-6 pt-1 pb-2.5 max-sm:px-3.5">
      <Segmented
        label={pickWords.label}
        value={picked}
        options={SINCES.filter((value) => !isFirstLook || value !== "day").map((value) => ({
          value,
          label: SINCE_LABEL[isFirstLook && value === "looked" ? "day" : value],
        }))}
        onChange={pick}
        className="max-sm:w-full max-sm:text-xs"
      />
      {picked === "other" ? (
        <FilterLabel label={pickWords.other}>
          <DateInput
            kind="datetime"
            className={FILTER_CONTROL}
            value={Number.isNaN(shownMs) ? "" : fieldOf(shownMs, timeZone)}
            onChange={(local) => {
              const ms = localTimeMs(local, timeZone);
              if (ms !== null) ask(ms);
            }}
          />
        </FilterLabel>
      ) : null}
      {board === null || Number.isNaN(shownMs) ? null : (
        <Link
          href={`${board}?at=${sinceText(shownMs)}`}
          className="ml-auto underline underline-offset-3 max-sm:ml-0"
        >
          {pickWords.board}
        </Link>
      )}
      {said === null || Number.isNaN(shownMs) ? null : (
        <Share
          page={WHAT_CHANGED}
          of={pickWords.share}
          className={board === null ? "ml-auto max-sm:ml-0 max-sm:h-11" : "max-sm:h-11"}
          address={() => {
            const here = new URL(window.location.href);
            here.searchParams.set("since", sinceText(shownMs));
            return here.href;
          }}
          say={({ nowMs, timeZone: zone }) => `since ${dayAndTime(shownMs, nowMs, zone)}: ${said}`}
        />
      )}
    </div>
  );
}
