"use client";

import { useMemo, type FocusEvent, type RefObject } from "react";
import { Spacer } from "@/components/list/spacer";
import { useFrozenOrder } from "@/components/list/use-frozen-order";
import { useInteracting } from "@/components/list/use-interacting";
import { useRowFocus } from "@/components/list/use-row-focus";
import { useVisibleLines } from "@/components/list/use-visible-lines";
import { useMedia } from "@/components/ui/use-media";
import { TROUBLES, type Trouble } from "@/lib/domain/incidents/incident";
import type { ShownLine, ShownToday, TodayOrder } from "@/lib/domain/today/shown";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";
import { LineRow, MemberRow } from "./line-row";
import { CARD_QUERY, heightOf, itemsOf, type Item } from "./today-items";
import { CannotJudgeRow, UnseenRow } from "./unseen-row";
import { filterWords, head as words } from "./words";

const MORE_ROWS = 1;

/**
 * What is wrong, flat, and below it what isn't seen or can't be judged. Only visible rows are rendered.
 * @param lines in their order
 * @param asked the filters and the order as one string
 * @param table its element, for the caller's keys
 */
export function TodayList({
  today,
  lines,
  open,
  asked,
  order,
  filters,
  table,
}: {
  today: ShownToday;
  lines: readonly ShownLine[];
  open: ReadonlySet<string>;
  asked: string;
  order: TodayOrder;
  filters: HeadProps;
  table: RefObject<HTMLDivElement | null>;
}) {
  const { isInteracting, handlers } = useInteracting();
  const items = useMemo(() => itemsOf(lines, today, open), [lines, today, open]);
  const keys = useMemo(() => items.map(({ key }) => key), [items]);
  // Rows stay in place while a pointer or focus is on them, while their texts update. Added and removed rows take
  // effect at once.
  const held = useFrozenOrder(keys, `${asked} ${keys.toSorted().join(" ")}`, isInteracting);
  const shown = useMemo(() => {
    const byKey = new Map(items.map((item) => [item.key, item]));
    return held.flatMap((key) => byKey.get(key) ?? []);
  }, [items, held]);
  const isCard = useMedia(CARD_QUERY);
  const heights = useMemo(() => shown.map((item) => heightOf(item, isCard)), [shown, isCard]);
  const isPrinted = useMedia("print");
  const { first, end, abovePx, belowPx, reveal } = useVisibleLines(
    table,
    heights,
    isPrinted,
    undefined,
    MORE_ROWS,
  );

  const shownKeys = useMemo(() => shown.map(({ key }) => key), [shown]);
  const onRowFocus = useRowFocus(table, shownKeys, "[data-primary]", reveal);
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
      aria-label={words.label(order)}
      aria-rowcount={shown.length + 1}
      className="today-list"
      {...touch}
    >
      <Head {...filters} />
      <Spacer px={abovePx} />
      {shown.slice(first, end).map((item, at) => (
        <Row key={item.key} item={item} place={first + at} open={open} isCard={isCard} />
      ))}
      <Spacer px={belowPx} />
    </div>
  );
}

function Row({
  item,
  place,
  open,
  isCard,
}: {
  item: Item;
  place: number;
  open: ReadonlySet<string>;
  isCard: boolean;
}) {
  switch (item.kind) {
    case "line":
      return <LineRow line={item.line} place={place} isOpen={open.has(item.key)} />;
    case "member":
      return <MemberRow line={item.line} member={item.member} place={place} />;
    case "unseen":
      return <UnseenRow unseen={item.unseen} place={place} />;
    case "cannot-judge":
      return <CannotJudgeRow unknown={item.unknown} place={place} />;
    case "cut":
      return <Spacer px={heightOf(item, isCard)} />;
  }
  return item satisfies never;
}

type HeadProps = {
  /** Chosen verdicts; null: all. */
  verdict: readonly Trouble[] | null;
  /** Chosen partner; null: all. */
  partner: string | null;
  /** Partners to choose from. */
  partners: readonly string[];
  onVerdict: (verdict: readonly Trouble[] | null) => void;
  onPartner: (partner: string | null) => void;
};

/** Header row, with the filters of its columns. */
function Head({ verdict, partner, partners, onVerdict, onPartner }: HeadProps) {
  const chosen = verdict?.join(",") ?? "";
  const known = partner === null || partners.includes(partner) ? partners : [partner, ...partners];
  return (
    <div role="row" aria-rowindex={1} className="today-row today-head">
      <span role="columnheader" className="today-verdict">
        <select
          aria-label={words.verdict}
          autoComplete="off"
          value={chosen}
          onChange={({ target: { value } }) =>
            onVerdict(
              value === "" ? null : TROUBLES.filter((word) => value.split(",").includes(word)),
            )
          }
        >
          <option value="">{words.verdict}</option>
          {verdict !== null && verdict.length > 1 ? (
            <option value={chosen}>{filterWords.verdict(verdict)}</option>
          ) : null}
          {TROUBLES.toReversed().map((word) => (
            <option key={word} value={word}>
              {VERDICT_LABEL[word]}
            </option>
          ))}
        </select>
      </span>
      <span role="columnheader" className="today-customer">
        {words.customer}
      </span>
      <span role="columnheader" className="today-feed">
        <select
          aria-label={words.feed}
          autoComplete="off"
          value={partner ?? ""}
          onChange={({ target: { value } }) => onPartner(value === "" ? null : value)}
        >
          <option value="">{words.feed}</option>
          {known.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </span>
      <span role="columnheader" className="today-age">
        {words.age}
      </span>
      <span role="columnheader" className="today-bar">
        <span className="sr-only">{words.bar}</span>
        <span className="today-scale" aria-hidden="true">
          <i>0</i>
          <b>{words.due}</b>
          <i>2×</i>
          <i>4×</i>
          <i>8×</i>
        </span>
      </span>
      <span role="columnheader" className="today-over">
        {words.overdue}
      </span>
      <span role="columnheader" className="today-next">
        {words.next}
      </span>
      <span role="columnheader" className="today-since">
        {words.since}
      </span>
      <span role="columnheader" className="today-who">
        {words.who}
      </span>
      <span role="columnheader" className="today-acts">
        <span className="sr-only">{words.acts}</span>
      </span>
    </div>
  );
}
