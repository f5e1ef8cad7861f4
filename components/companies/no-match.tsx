"use client";

import { NothingMatches } from "@/components/ui/empty";
import type { CompaniesState } from "./companies-url";
import { noMatch as words } from "./words";

/** The empty state of the filtered list: why, and which companies are unknown. */
export function NoMatch({
  state: { verdict, whose, owner, partner, q },
  companies,
  unseen,
  isCareKnown,
  onShowAll,
}: {
  state: CompaniesState;
  /** Number of companies, and of blind ones among them. */
  companies: number;
  unseen: number;
  /** Whether the record with owners and incidents was available. */
  isCareKnown: boolean;
  onShowAll: () => void;
}) {
  const isOnlyWhose = verdict === null && `${owner}${partner}${q}` === "" && isCareKnown;
  const sentence = isOnlyWhose && whose !== "all" ? words[whose] : words.hidden(companies);
  return (
    <NothingMatches show={words.show} onShowAll={onShowAll}>
      {sentence}
      {unseen === 0 ? null : ` ${words.unseen(unseen)}`}
    </NothingMatches>
  );
}
