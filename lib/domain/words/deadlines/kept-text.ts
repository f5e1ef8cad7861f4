import type { KeptCounts } from "@/lib/domain/deadlines/kept";
import { count } from "@/lib/domain/words/format";

/** "16 of 17 kept": what wasn't checked or was excused counts as neither. */
export function keptText(counts: KeptCounts): string {
  const ratio = keptRatio(counts);
  return ratio === null ? "no days counted yet" : `${ratio} kept`;
}

/** "16 of 17"; null: none was kept or missed. */
export function keptRatio({ met, missed }: KeptCounts): string | null {
  return met + missed === 0 ? null : `${count(met)} of ${count(met + missed)}`;
}

/** ", 1 missed, 1 not checked, 2 excused", without those that are zero. */
export function asideText({ missed, not_observed: unseen, excused }: KeptCounts): string {
  return [
    missed === 0 ? "" : `, ${count(missed)} missed`,
    unseen === 0 ? "" : `, ${count(unseen)} not checked`,
    excused === 0 ? "" : `, ${count(excused)} excused`,
  ].join("");
}
