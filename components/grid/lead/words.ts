import { leadEnd, type LeadPart } from "@/components/list/lead-sentence";
import { judgedOf, totalOf, needsAttention, type Counts } from "@/lib/domain/order";
import { counted, count } from "@/lib/domain/words/format";
import { wereBehind } from "@/lib/domain/words/trouble-words";

/** A part of the sentence above the board. */
export type BoardPart = LeadPart<"behind" | "unattended" | "next">;

const part = (text: string, does: BoardPart["does"] = null): BoardPart => ({ text, does });

/**
 * How many of a company's feeds are behind.
 * @param given.quiet number of those in trouble in a planned quiet time, which aren't behind
 * @param given.unattended of those, how many have no acknowledged incident; null: not known yet
 * @param given.next "14:26", the next attempt; null: none is scheduled
 * @param given.checked "7 s ago", the last check
 */
export function boardParts(
  counts: Counts,
  given: { quiet: number; unattended: number | null; next: string | null; checked: string },
): BoardPart[] {
  const total = totalOf(counts);
  const { quiet, unattended, next, checked } = given;
  const behind = needsAttention(counts) - quiet;
  if (behind > 0)
    return [
      part(total === 1 ? "The only feed" : ofText(behind, total), "behind"),
      part(behind === 1 ? " is behind" : " are behind"),
      ...leadEnd(behind, unattended ?? 0, next),
    ];
  const judged = judgedOf(counts) - quiet;
  if (judged === 0) return [part(`No feed can be judged; last check ${checked}`)];
  // Where none is unknown, none of all is behind.
  const some = counts.unknown === 0 ? total : judged;
  const which = counts.unknown === 0 ? "" : " that can be judged";
  const none =
    some === 1
      ? `The only feed${which} isn’t behind`
      : `None of ${which === "" ? "" : "the "}${count(some)} feeds${which} is behind`;
  return [part(`${none}; last check ${checked}`)];
}

/** Same while the company can't be checked. @param given.since "13:52", the last check */
export function blindParts(
  name: string,
  counts: Counts,
  { quiet, since }: { quiet: number; since: string },
): BoardPart[] {
  const [behind, total] = [needsAttention(counts) - quiet, totalOf(counts)];
  return [
    part(`We haven’t been able to check ${name} since ${since}; `),
    part(total === 1 && behind === 1 ? "the only feed" : ofText(behind, total), "behind"),
    part(` ${wereBehind(behind, total)} then`),
  ];
}

const ofText = (behind: number, total: number) => `${count(behind)} of ${counted(total, "feed")}`;

export const noteWords = {
  /** @param since "02:50", when the oldest began; never breaks across lines */
  open: (amount: number, since: string) => {
    const moment = since.replaceAll(" ", "\u00a0");
    return amount === 1
      ? `1 open incident, since ${moment}`
      : `${counted(amount, "open incident")}, the oldest since ${moment}`;
  },
  quiet: (amount: number) => `${counted(amount, "feed")} in planned quiet`,
  unknown: (amount: number, isPast: boolean) =>
    `${counted(amount, "feed")} ${isPast ? "couldn’t be judged then" : "can’t be judged"}`,
};
