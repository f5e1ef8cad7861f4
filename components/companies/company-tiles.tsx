"use client";

import { memo } from "react";
import { VerdictIcon } from "@/components/marks/verdict-icon";
import type { Counts } from "@/lib/domain/order";
import { VERDICTS } from "@/lib/domain/sync";
import { count } from "@/lib/domain/words/format";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";
import { amountOf, totalOf } from "./choose";
import type { Shown } from "./companies-url";
import { toolWords as words } from "./words";

const TILES: readonly (Shown | null)[] = [null, "attention", ...VERDICTS];

/** How many endpoints wear each word; a press shows only the companies that have one. Pressed again it shows all. */
export const CompanyTiles = memo(function CompanyTiles({
  counts,
  chosen,
  onChoose,
}: {
  counts: Counts;
  /** Null: all. */
  chosen: Shown | null;
  onChoose: (shown: Shown | null) => void;
}) {
  return (
    <div className="filters fleet-tiles" role="group" aria-label={words.filters}>
      {TILES.map((shown) => {
        const amount = shown === null ? totalOf(counts) : amountOf(counts, shown);
        const word = shown === null || shown === "attention" ? undefined : shown;
        const label =
          word === undefined ? (shown === null ? words.all : words.attention) : VERDICT_LABEL[word];
        return (
          <button
            key={label}
            type="button"
            className={amount === 0 ? "filter is-none" : "filter"}
            data-verdict={word}
            aria-pressed={chosen === shown}
            onClick={() => onChoose(chosen === shown ? null : shown)}
          >
            <b>{count(amount)}</b>
            <span>
              {word === undefined ? null : <VerdictIcon shape={word} />}
              {label}
            </span>
          </button>
        );
      })}
    </div>
  );
});
