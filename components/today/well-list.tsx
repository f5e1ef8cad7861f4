"use client";

import { useMemo, useRef } from "react";
import { Spacer } from "@/components/list/spacer";
import { useVisibleLines } from "@/components/list/use-visible-lines";
import { calledName, standInText } from "@/components/marks/on-it";
import { useZone } from "@/components/shell/time/zone";
import { Link } from "@/components/ui/link";
import { useMedia } from "@/components/ui/use-media";
import { useNow } from "@/lib/client/use-now";
import { LIVE_POLLS } from "@/lib/domain/confidence";
import { instantMs } from "@/lib/domain/time/instant";
import type { WellCompany } from "@/lib/domain/today/today";
import { ago, duration } from "@/lib/domain/words/format";
import { nextTexts, sameNextTexts } from "@/lib/domain/words/next-sync-text";
import { atQuery, useTodayPage } from "./today-context";
import { CARD_QUERY } from "./today-items";
import { wellWords as words } from "./words";

/** Repeated in app/styles/today.css. */
const ROW_PX = 25;
const CARD_PX = 52;

/**
 * Companies with nothing behind, in two columns, or one on a phone.
 * @param cut number of further ones, which aren't loaded yet
 * @param isDoubtful some company is delayed, or our server is silent
 */
export function WellList({
  well,
  cut,
  isDoubtful,
  rhythmMs,
  onOwner,
}: {
  well: readonly WellCompany[];
  cut: number;
  isDoubtful: boolean;
  rhythmMs: number;
  onOwner: (id: string) => void;
}) {
  const { frozenMs } = useTodayPage();
  const list = useRef<HTMLDivElement>(null);
  const isCard = useMedia(CARD_QUERY);
  const isPrinted = useMedia("print");
  const columns = isCard ? 1 : 2;
  const total = well.length + cut;
  const heights = useMemo(
    () => Array.from({ length: Math.ceil(total / columns) }, () => (isCard ? CARD_PX : ROW_PX)),
    [total, columns, isCard],
  );
  const { first, end, abovePx, belowPx } = useVisibleLines(list, heights, isPrinted);
  return (
    <section className="today-well" aria-labelledby="well">
      <header>
        <h2 id="well">{words.heading(total, frozenMs !== null)}</h2>
        <span>{words.note}</span>
      </header>
      <div ref={list} role="list" aria-label={words.label}>
        <div aria-hidden="true" className="today-well-head">
          <WellHead />
          {total > 1 ? <WellHead /> : null}
        </div>
        <Spacer px={abovePx} />
        {well.slice(first * columns, end * columns).map((one) => (
          <WellRow
            key={one.company.slug}
            well={one}
            isDoubtful={isDoubtful}
            rhythmMs={rhythmMs}
            onOwner={onOwner}
          />
        ))}
        <Spacer px={belowPx} />
      </div>
    </section>
  );
}

function WellHead() {
  return (
    <div className="today-well-row">
      <span>{words.customer}</span>
      <span>{words.feeds}</span>
      <span className="text-right">{words.next}</span>
      <span className="text-right">{words.checked}</span>
      <span>{words.owner}</span>
    </div>
  );
}

function WellRow({
  well: {
    company,
    on_time: onTime,
    counted,
    next_sync_at: next,
    last_check_at: checked,
    owner,
    stand_in: standIn,
  },
  isDoubtful,
  rhythmMs,
  onOwner,
}: {
  well: WellCompany;
  isDoubtful: boolean;
  rhythmMs: number;
  onOwner: (id: string) => void;
}) {
  const page = useTodayPage();
  const { frozenMs, isPast, offsets, me } = page;
  const timeZone = useZone();
  const checkedMs = instantMs(checked);
  const text = useNow(
    (nowMs) => {
      const atMs = frozenMs ?? nowMs;
      const nextMs = frozenMs === null ? instantMs(next) : null;
      const ageMs = checkedMs === null ? null : atMs - checkedMs;
      return {
        ...nextTexts(nextMs, atMs + (offsets[company.slug] ?? 0), timeZone),
        // Of a past time, that it was checked is known, but not when.
        checked: ageMs === null || isPast ? "" : ago(Math.max(0, ageMs)),
        isHollow: isDoubtful && (ageMs === null || ageMs > LIVE_POLLS * rhythmMs),
      };
    },
    (a, b) => sameNextTexts(a, b) && a.checked === b.checked && a.isHollow === b.isHollow,
  );
  const called = (person: { id: string; name: string }) => ({
    name: person.name,
    isYou: person.id === me.id,
  });
  const whose =
    standIn === null
      ? owner === null
        ? words.administrators
        : calledName(called(owner))
      : standInText(called(standIn), owner === null ? null : called(owner));
  const isUncertain = text.isHollow || frozenMs !== null;
  return (
    <div role="listitem" className={`today-well-row ${frozenMs === null ? "" : "hatched"}`}>
      <Link
        href={`/${company.slug}${atQuery(page)}`}
        dir="auto"
        title={company.name}
        className="truncate"
      >
        {company.name}
      </Link>
      <span className={isUncertain ? "today-ok is-hollow" : "today-ok"}>
        {words.onTime(onTime, counted)}
      </span>
      <span className="text-right">
        <span className="sr-only">{words.next} </span>
        {text.nextIn} <span className="font-mono">{text.nextAt}</span>
      </span>
      <span className="text-right">
        <span className="sr-only">{words.checked} </span>
        {text.checked}
      </span>
      {owner === null ? (
        <span className={standIn === null ? "truncate text-ink-3" : "truncate"} title={whose}>
          {whose}
        </span>
      ) : (
        <button
          type="button"
          className="truncate text-left hover:underline"
          title={standIn === null ? owner.name : whose}
          aria-label={words.ownerLabel(owner.name)}
          onClick={() => onOwner(owner.id)}
        >
          {whose}
        </button>
      )}
    </div>
  );
}

/** The age of the oldest check, in words. @param asOf ISO 8601 */
export function useFresh(asOf: string | null, frozenMs: number | null): string | null {
  const asOfMs = instantMs(asOf);
  return useNow((nowMs) =>
    asOfMs === null ? null : `${duration(Math.max(0, (frozenMs ?? nowMs) - asOfMs))} ago`,
  );
}
