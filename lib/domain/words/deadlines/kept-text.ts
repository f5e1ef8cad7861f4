import type { KeptCounts } from "@/lib/domain/deadlines/kept";
import { count } from "@/lib/domain/words/format";

/** "16 of 17 kept": what wasn't checked or was excused counts as neither. */
export function keptText({ met, missed }: KeptCounts): string {
  return met + missed === 0
    ? "no days counted yet"
    : `${count(met)} of ${count(met + missed)} kept`;
}

/** ", 1 missed, 1 not checked, 2 excused", without those that are zero. */
export function asideText({ missed, not_observed: unseen, excused }: KeptCounts): string {
  return [
    missed === 0 ? "" : `, ${count(missed)} missed`,
    unseen === 0 ? "" : `, ${count(unseen)} not checked`,
    excused === 0 ? "" : `, ${count(excused)} excused`,
  ].join("");
}
