"use client";

import { memo, type ReactNode } from "react";
import { VERDICTS } from "@/lib/domain/sync";
import { count } from "@/lib/domain/words/format";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";
import { needsAttention, type Counts } from "@/lib/domain/order";
import type { BoardState } from "./board-url";
import {
  ALL,
  FEEDS,
  FILTERS_LABEL,
  NEED_ATTENTION,
  NEEDS_ATTENTION,
  NOT_COUNTED,
  needAttentionLabel,
} from "./words";
import { VerdictIcon } from "@/components/marks/verdict-icon";

/**
 * Endpoint counts by verdict; clicking one filters by it, clicking again clears the filter. Null:
 * not counted.
 */
export const Filters = memo(function Filters({
  counts,
  total,
  chosen,
  onChange,
  children,
}: {
  counts: Counts | null;
  total: number | null;
  chosen: BoardState["verdict"];
  onChange: (change: Pick<Partial<BoardState>, "verdict">) => void;
  /** In a row instead of as tiles, beside this. */
  children?: ReactNode;
}) {
  const problems = counts === null ? null : needsAttention(counts);
  const shown = (amount: number | null) => (amount === null ? NOT_COUNTED : count(amount));
  const isRow = children !== undefined;
  const tiles = (
    <div className={isRow ? "filter-row" : "filters"} role="group" aria-label={FILTERS_LABEL}>
      <button
        type="button"
        className="filter"
        aria-pressed={chosen === null}
        aria-label={total === null ? ALL : isRow ? `${total} ${FEEDS}` : `${ALL} ${total}`}
        onClick={() => onChange({ verdict: null })}
      >
        <b>{shown(total)}</b>
        <span>{isRow ? FEEDS : ALL}</span>
      </button>
      <button
        type="button"
        className={problems === 0 ? "filter is-none" : "filter"}
        aria-pressed={chosen === "attention"}
        aria-label={problems === null ? NEEDS_ATTENTION : needAttentionLabel(problems)}
        onClick={() => onChange({ verdict: chosen === "attention" ? null : "attention" })}
      >
        <b>{shown(problems)}</b>
        <span>{isRow ? NEED_ATTENTION : NEEDS_ATTENTION}</span>
      </button>
      {VERDICTS.map((word) => (
        <button
          key={word}
          type="button"
          className={counts?.[word] === 0 ? "filter is-none" : "filter"}
          data-verdict={word}
          aria-pressed={chosen === word}
          aria-label={counts === null ? word : `${counts[word]} ${word}`}
          onClick={() => onChange({ verdict: chosen === word ? null : word })}
        >
          {isRow ? <VerdictIcon shape={word} /> : null}
          <b>{shown(counts?.[word] ?? null)}</b>
          <span>
            {isRow ? null : <VerdictIcon shape={word} />}
            {isRow ? word : VERDICT_LABEL[word]}
          </span>
        </button>
      ))}
    </div>
  );
  if (!isRow) return tiles;
  return (
    <div className="filter-bar">
      {tiles}
      {children}
    </div>
  );
});
