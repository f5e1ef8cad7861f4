"use client";

import { memo } from "react";
import { VERDICTS } from "@/lib/domain/sync";
import { count } from "@/lib/domain/words/format";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";
import { needsAttention, type Counts } from "@/lib/domain/order";
import type { BoardState } from "./board-url";
import { ALL, FILTERS_LABEL, NEEDS_ATTENTION, needAttentionLabel } from "./words/board";
import { VerdictIcon } from "@/components/marks/verdict-icon";

/** How many wear each word; a press shows only those. Pressed again it shows all. */
export const Filters = memo(function Filters({
  counts,
  total,
  chosen,
  onChange,
}: {
  counts: Counts;
  total: number;
  chosen: BoardState["verdict"];
  onChange: (change: Partial<BoardState>) => void;
}) {
  const problems = needsAttention(counts);
  return (
    <div className="filters" role="group" aria-label={FILTERS_LABEL}>
      <button
        type="button"
        className="filter"
        aria-pressed={chosen === null}
        aria-label={`${ALL} ${total}`}
        onClick={() => onChange({ verdict: null })}
      >
        <b>{count(total)}</b>
        <span>{ALL}</span>
      </button>
      <button
        type="button"
        className={problems === 0 ? "filter is-none" : "filter"}
        aria-pressed={chosen === "attention"}
        aria-label={needAttentionLabel(problems)}
        onClick={() => onChange({ verdict: chosen === "attention" ? null : "attention" })}
      >
        <b>{count(problems)}</b>
        <span>{NEEDS_ATTENTION}</span>
      </button>
      {VERDICTS.map((word) => (
        <button
          key={word}
          type="button"
          className={counts[word] === 0 ? "filter is-none" : "filter"}
          data-verdict={word}
          aria-pressed={chosen === word}
          aria-label={`${counts[word]} ${word}`}
          onClick={() => onChange({ verdict: chosen === word ? null : word })}
        >
          <b>{count(counts[word])}</b>
          <span>
            <VerdictIcon shape={word} />
            {VERDICT_LABEL[word]}
          </span>
        </button>
      ))}
    </div>
  );
});
