import type { LearnedWeekFacts } from "@/lib/domain/sync";
import { learnedQuiet } from "@/lib/domain/learned-week/quiet-text";
import { learnedWeek as words } from "./words";

/** What is known of an endpoint's learned week. */
export type WeekKnown = {
  /** The week that its row is judged by; null: none. */
  applied: LearnedWeekFacts | null;
  /** Whether it is learned; null: not known yet. */
  isOn: boolean | null;
  /** The week in force, applied or not; null: none. */
  inForce: LearnedWeekFacts | null;
  /** The week that was applied when it was switched on or off here; undefined: it wasn't. */
  appliedAtSwitch: LearnedWeekFacts | null | undefined;
};

/** @param since when the applied week was learned, "12 Oct" @returns null: there is nothing to say */
export function learnedWeekText(
  { applied, isOn, inForce, appliedAtSwitch }: WeekKnown,
  since: string,
): string | null {
  if (isOn === false) return words.off;
  // After a switch, the row has the former week until the next check.
  const hasSwitched = appliedAtSwitch !== undefined;
  const isFormer = hasSwitched && applied?.since === appliedAtSwitch?.since;
  if (hasSwitched && isOn === true && inForce === null && (applied === null || isFormer))
    return words.next;
  if (applied !== null) return words.on(learnedQuiet(applied, null), since);
  return inForce === null ? null : words.notApplied(learnedQuiet(inForce, null));
}
