"use client";

import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import type { CompaniesState } from "./companies-url";
import { noMatch as words } from "./words";

/** No company is as it was asked for: why, and what we can't tell about. */
export function NoMatch({
  state: { verdict, whose, owner, partner, q },
  companies,
  unseen,
  isCareKnown,
  onShowAll,
}: {
  state: CompaniesState;
  /** How many there are in all, and how many of them we don't see. */
  companies: number;
  unseen: number;
  /** What people do about them could be read. */
  isCareKnown: boolean;
  onShowAll: () => void;
}) {
  const isOnlyWhose = verdict === null && `${owner}${partner}${q}` === "" && isCareKnown;
  const sentence = isOnlyWhose && whose !== "all" ? words[whose] : words.hidden(companies);
  return (
    <Empty title={words.title} action={<Button onClick={onShowAll}>{words.show}</Button>}>
      {sentence}
      {unseen === 0 ? null : ` ${words.unseen(unseen)}`}
    </Empty>
  );
}
