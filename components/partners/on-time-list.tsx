"use client";

import { useMemo, useRef } from "react";
import { Spacer } from "@/components/list/spacer";
import { useVisibleLines } from "@/components/list/use-visible-lines";
import { useZone } from "@/components/shell/time/zone";
import { Link } from "@/components/ui/link";
import { useMedia } from "@/components/ui/use-media";
import { useNow } from "@/lib/client/use-now";
import type { PartnerRow, PartnerShown } from "@/lib/client/queries/partners/partners-query";
import { partnerPath } from "@/lib/domain/partner-address";
import { instantMs } from "@/lib/domain/time/instant";
import { ago } from "@/lib/domain/words/format";
import { sameNextTexts, scheduledTexts } from "@/lib/domain/words/next-sync-text";
import { atQuery } from "./customer-row";
import { usePartnerHere } from "./partner-here";
import { rows as rowWords, well as words } from "./words";

/** Repeated in app/styles/partners.css. */
const ROW_PX = 25;
const WIDE_QUERY = "(min-width: 1241px)";
const CARD_QUERY = "(max-width: 800px)";

/** The customers where a partner is on time, in up to three columns. */
export function OnTimeList({ view }: { view: PartnerShown }) {
  const { frozenMs, past } = usePartnerHere();
  const list = useRef<HTMLDivElement>(null);
  const isWide = useMedia(WIDE_QUERY);
  const isCard = useMedia(CARD_QUERY);
  const isPrinted = useMedia("print");
  const columns = isWide ? 3 : isCard ? 1 : 2;
  const total = view.onTime.length + view.cut.onTime;
  const heights = useMemo(
    () => Array.from({ length: Math.ceil(total / columns) }, () => ROW_PX),
    [total, columns],
  );
  const { first, end, abovePx, belowPx } = useVisibleLines(list, heights, isPrinted);
  return (
    <section className="pe-well" aria-labelledby="on-time">
      <header>
        <h2 id="on-time">{words.heading(total, frozenMs !== null)}</h2>
        <span>{words.note(past)}</span>
      </header>
      <div ref={list} role="list" aria-label={words.label}>
        <span />
        <Spacer px={abovePx} />
        {view.onTime.slice(first * columns, end * columns).map((row) => (
          <Row
            key={row.company}
            row={row}
            partner={view.partner_name}
            offsets={view.api_clock_offsets}
          />
        ))}
        <Spacer px={belowPx} />
      </div>
    </section>
  );
}

function Row({
  row,
  partner,
  offsets,
}: {
  row: PartnerRow;
  partner: string;
  offsets: PartnerShown["api_clock_offsets"];
}) {
  const here = usePartnerHere();
  const { frozenMs } = here;
  const checkedMs = instantMs(row.last_check_at);
  const checked = useNow((nowMs) =>
    checkedMs === null ? "" : ago(Math.max(0, (frozenMs ?? nowMs) - checkedMs)),
  );
  const timeZone = useZone();
  const nextMs = frozenMs === null ? instantMs(row.next_sync_at) : null;
  const { nextIn, nextAt } = useNow(
    (nowMs) => scheduledTexts(nextMs, nowMs + (offsets[row.company] ?? 0), timeZone),
    sameNextTexts,
  );
  const isUncertain = frozenMs !== null || row.confidence !== "live";
  return (
    <div role="listitem" className={`pe-well-row ${frozenMs === null ? "" : "hatched"}`}>
      <Link
        href={partnerPath(row.company, partner) + atQuery(here)}
        dir="auto"
        title={here.nameOf(row.company)}
        className="truncate"
      >
        {here.nameOf(row.company)}
      </Link>
      <span
        className={isUncertain ? "pe-ok is-hollow" : "pe-ok"}
        title={checked === "" ? undefined : words.checked(checked)}
      >
        {words.onTime(row.feeds.onTime, row.feeds.counted)}
      </span>
      <span className="pe-next">
        {nextIn} <span className="font-mono">{nextAt}</span>
      </span>
      <span className="text-right" title={rowWords.onTimeNote(here.past)}>
        {row.on_time_month === null ? "" : rowWords.percent(row.on_time_month)}
      </span>
    </div>
  );
}
