"use client";

import { useMemo, useRef, type FocusEvent } from "react";
import { Spacer } from "@/components/list/spacer";
import { useFrozenOrder } from "@/components/list/use-frozen-order";
import { useInteracting } from "@/components/list/use-interacting";
import { useRowFocus } from "@/components/list/use-row-focus";
import { useVisibleLines } from "@/components/list/use-visible-lines";
import { useMedia } from "@/components/ui/use-media";
import type { PartnerRow, PartnerShown } from "@/lib/client/queries/partners/partners-query";
import { CustomerRow } from "./customer-row";
import { usePartnerHere } from "./partner-here";
import { rows as words } from "./words";

/** Repeated in app/styles/partners.css, as are the heights: of a row, and of a card. */
const CARD_QUERY = "(max-width: 800px)";
const HEIGHTS = { behind: [29, 98], apart: [29, 76] } as const;

/**
 * The customers where a partner isn't on time. Only visible rows are rendered.
 * @param rows of `view`, or those that the page is narrowed to
 * @param cut number of further ones, which aren't loaded yet
 */
export function CustomerTable({
  view,
  rows,
  cut,
}: {
  view: PartnerShown;
  rows: readonly PartnerRow[];
  cut: number;
}) {
  const table = useRef<HTMLDivElement>(null);
  const { isInteracting, handlers } = useInteracting();
  const keys = useMemo(() => rows.map(({ company }) => company), [rows]);
  // Rows stay in place while a pointer or focus is on them; added and removed ones take effect at once.
  const held = useFrozenOrder(keys, keys.toSorted().join(" "), isInteracting);
  const shown = useMemo(() => {
    const byKey = new Map(rows.map((row) => [row.company, row]));
    return held.flatMap((key) => byKey.get(key) ?? []);
  }, [rows, held]);
  const isCard = useMedia(CARD_QUERY);
  const isPrinted = useMedia("print");
  const heights = useMemo(() => {
    const at = isCard ? 1 : 0;
    const own = shown.map(
      ({ standing }) => HEIGHTS[standing === "behind" ? "behind" : "apart"][at],
    );
    return [...own, ...Array.from({ length: cut }, () => HEIGHTS.behind[at])];
  }, [shown, cut, isCard]);
  const { first, end, abovePx, belowPx, reveal } = useVisibleLines(
    table,
    heights,
    isPrinted,
    undefined,
    1,
  );
  const shownKeys = useMemo(() => shown.map(({ company }) => company), [shown]);
  const onRowFocus = useRowFocus(table, shownKeys, "[data-primary]", reveal);
  const offsets = view.api_clock_offsets;
  const touch = {
    ...handlers,
    onFocus: (event: FocusEvent) => {
      handlers.onFocus();
      onRowFocus(event);
    },
  };
  return (
    <div
      ref={table}
      role="table"
      aria-label={words.label(view.partner_name)}
      aria-rowcount={shown.length + cut + 1}
      className="pe-table"
      {...touch}
    >
      <Head />
      <Spacer px={abovePx} />
      {shown.slice(first, end).map((row, at) => (
        <CustomerRow
          key={row.company}
          row={row}
          place={first + at}
          offsetMs={offsets[row.company] ?? 0}
          partner={view.partner_name}
        />
      ))}
      <Spacer px={belowPx} />
    </div>
  );
}

function Head() {
  const { past } = usePartnerHere();
  return (
    <div role="row" aria-rowindex={1} className="pe-row pe-head">
      <span role="columnheader" className="pe-verdict">
        {words.verdict}
      </span>
      <span role="columnheader" className="pe-customer">
        {words.customer}
      </span>
      <span role="columnheader" className="pe-behind">
        {words.behind}
      </span>
      <span role="columnheader" className="pe-feeds">
        {words.feeds}
      </span>
      <span role="columnheader" className="pe-over">
        {words.overdue}
      </span>
      <span role="columnheader" className="pe-next">
        {words.next}
      </span>
      <span role="columnheader" className="pe-since">
        {words.since}
      </span>
      <span role="columnheader" className="pe-who">
        {words.who}
      </span>
      <span role="columnheader" className="pe-owner">
        {words.owner}
      </span>
      <span role="columnheader" className="pe-copy">
        {words.copy}
      </span>
      <span role="columnheader" className="pe-share" title={words.onTimeNote(past)}>
        {words.onTime(past)}
      </span>
    </div>
  );
}
