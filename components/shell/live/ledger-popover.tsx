"use client";

import { useState, type ReactNode } from "react";
import { AGES, FRESHNESS, PARTNER_DATA } from "@/components/shell/words";
import {
  BUDGET,
  BUDGET_TITLE,
  NEWEST_TO_OLDEST,
  REQUESTS,
  budgetLabel,
  budgetText,
} from "./ledger-words";
import { PopoverButton } from "@/components/ui/popover-button";
import type { PopupButtonProps } from "@/components/ui/popup-button";
import type { Source } from "@/lib/contracts/dashboard";
import type { Hop } from "./use-hops";

/** The ledger behind the word in the top bar, initially open. @param content shown while it is open */
export function LedgerPopover({
  className,
  children,
  content,
}: PopupButtonProps & { content: ReactNode }) {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <PopoverButton
      label={FRESHNESS}
      within="header"
      className={className}
      panelClassName="w-[332px] px-3.5 pt-3 pb-2 text-xs"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      content={content}
    >
      {children}
    </PopoverButton>
  );
}

/**
 * A sentence, the ages, and the request budget of administrators.
 * @param budget null: not for this person, or not known
 */
export function Ledger({
  sentence,
  hops,
  budget,
}: {
  sentence: string;
  hops: readonly Hop[];
  budget: Source["budget"];
}) {
  return (
    <>
      <p className="mb-2 text-ink-2">{sentence}</p>
      <dl aria-label={AGES} className="ledger-rows">
        {hops.map(({ name, text, title, isBad }) => (
          <div key={name} title={title} className={isBad ? "is-bad" : undefined}>
            <dt>
              {name}
              {name === PARTNER_DATA ? `, ${NEWEST_TO_OLDEST}` : ""}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
        {budget === null ? null : (
          <div title={BUDGET_TITLE}>
            <dt>{REQUESTS}</dt>
            <dd>
              <span
                role="meter"
                aria-label={BUDGET}
                aria-valuemin={0}
                aria-valuemax={budget.limit}
                aria-valuenow={Math.min(budget.used, budget.limit)}
                aria-valuetext={budgetLabel(budget.used, budget.limit)}
              >
                {budgetText(budget.used, budget.limit)}
              </span>
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}
